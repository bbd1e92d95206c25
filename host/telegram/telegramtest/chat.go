package telegramtest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"errand/build/poll"
)

func (s *Server) send(p params) (any, *Failure) {
	if n := len(utf16.Encode([]rune(Plain(p.values["text"])))); n == 0 || n > 4096 { // its marks don't count
		return nil, &Failure{Status: 400, Text: "Bad Request: message is too long"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &Message{Chat: p.number("chat_id"), ID: len(s.messages) + 1, FromBot: true, Text: p.values["text"]}
	if failure := m.setButtons(p.values["reply_markup"]); failure != nil {
		return nil, failure
	}
	s.messages = append(s.messages, m)
	return map[string]any{"message_id": m.ID, "chat": map[string]any{"id": m.Chat}, "date": 1}, nil
}

func (m *Message) setButtons(markup string) *Failure {
	m.Buttons = nil
	if markup == "" {
		return nil
	}
	var keyboard struct {
		Rows [][]struct {
			Text string `json:"text"`
			Data string `json:"callback_data"`
		} `json:"inline_keyboard"`
	}
	if err := json.Unmarshal([]byte(markup), &keyboard); err != nil {
		return &Failure{Status: 400, Text: "Bad Request: " + err.Error()}
	}
	for _, row := range keyboard.Rows {
		for _, b := range row {
			if len(b.Data) == 0 || len(b.Data) > 64 || b.Text == "" {
				return &Failure{Status: 400, Text: "Bad Request: BUTTON_DATA_INVALID"}
			}
			m.Buttons = append(m.Buttons, Button{b.Text, b.Data})
		}
	}
	return nil
}

func (s *Server) edit(p params) (any, *Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := int(p.number("message_id"))
	i := slices.IndexFunc(s.messages, func(m *Message) bool { return m.ID == id && m.Chat == p.number("chat_id") })
	switch {
	case i < 0 || s.messages[i].Deleted:
		return nil, &Failure{Status: 400, Text: "Bad Request: message to edit not found"}
	case !s.messages[i].FromBot:
		return nil, &Failure{Status: 400, Text: "Bad Request: message can't be edited"}
	}
	m := s.messages[i]
	before := *m
	if failure := m.setButtons(p.values["reply_markup"]); failure != nil {
		return nil, failure
	}
	if m.Text = p.values["text"]; m.Text == before.Text && slices.Equal(m.Buttons, before.Buttons) {
		return nil, &Failure{Status: 400, Text: "Bad Request: message is not modified"}
	}
	m.Edits++
	return map[string]any{"message_id": m.ID, "chat": map[string]any{"id": m.Chat}, "date": 1}, nil
}

// Post adds an update of any form, such as a message in a group, and returns its id. change may be nil.
func (s *Server) Post(kind string, body map[string]any) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	s.add(update{s.nextID, map[string]any{"update_id": s.nextID, kind: body}})
	return s.nextID
}

func (s *Server) add(u update) {
	s.updates = append(s.updates, u)
	close(s.arrived)
	s.arrived = make(chan struct{})
}

// Repeat delivers an update again under another id, as if it had come twice.
func (s *Server) Repeat(kind string, body map[string]any, id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(update{id, map[string]any{"update_id": id, kind: body}})
}

// NewMessage returns a message of a user in a private chat, to be changed and given to [Server.Post].
func (s *Server) NewMessage(chat int64, text string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &Message{Chat: chat, ID: len(s.messages) + 1, Text: text}
	s.messages = append(s.messages, m)
	body := map[string]any{
		"message_id": m.ID, "date": 1, "chat": map[string]any{"id": chat, "type": "private"},
		"from": map[string]any{"id": chat, "is_bot": false, "first_name": "Ann", "username": "ann" + strconv.FormatInt(chat, 10)},
	}
	if text != "" {
		body["text"] = text
	}
	return body
}

// Say has a user write a text to the bot.
func (s *Server) Say(chat int64, text string) int64 {
	return s.Post("message", s.NewMessage(chat, text))
}

// Reply has a user answer a message of the bot.
func (s *Server) Reply(to Message, text string) int64 {
	body := s.NewMessage(to.Chat, text)
	body["reply_to_message"] = map[string]any{
		"message_id": to.ID, "date": 1, "chat": map[string]any{"id": to.Chat, "type": "private"},
		"from": map[string]any{"id": BotID, "is_bot": true, "first_name": "Errand"}, "text": Plain(to.Text),
	}
	return s.Post("message", body)
}

// SayVoice has a user send a recording.
func (s *Server) SayVoice(chat int64, fileID string, data []byte) int64 {
	s.mu.Lock()
	s.files["voice/"+fileID] = data
	s.mu.Unlock()
	body := s.NewMessage(chat, "")
	body["voice"] = map[string]any{"file_id": fileID, "file_unique_id": fileID, "duration": 3, "file_size": len(data)}
	return s.Post("message", body)
}

// NewPress returns a press of a button, to be given to [Server.Post] as "callback_query".
func (s *Server) NewPress(m Message, data, id string) map[string]any {
	return map[string]any{
		"id": id, "from": map[string]any{"id": m.Chat, "is_bot": false, "first_name": "Ann"}, "data": data,
		"message": map[string]any{"message_id": m.ID, "date": 1, "chat": map[string]any{"id": m.Chat, "type": "private"}, "text": m.Text},
	}
}

// Press has a user press the button of a message whose text begins so.
func (s *Server) Press(t testing.TB, m Message, text string) int64 {
	t.Helper()
	for _, b := range m.Buttons {
		if strings.HasPrefix(b.Text, text) {
			s.mu.Lock()
			id := "press" + strconv.FormatInt(s.nextID, 10)
			s.mu.Unlock()
			return s.Post("callback_query", s.NewPress(m, b.Data, id))
		}
	}
	t.Fatalf("no button %q in %q", text, m.Buttons)
	return 0
}

// Delete deletes a message, as a user may.
func (s *Server) Delete(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages[m.ID-1].Deleted = true
}

// Messages returns what the bot wrote in a chat, as it is now.
func (s *Server) Messages(chat int64) (out []Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.messages {
		if m.FromBot && m.Chat == chat {
			c := *m
			c.Buttons = slices.Clone(m.Buttons)
			out = append(out, c)
		}
	}
	return out
}

// Await waits until a message of the bot in a chat has all parts in its text, and returns the last one.
func (s *Server) Await(t testing.TB, chat int64, parts ...string) (found Message) {
	t.Helper()
	poll.Await(t, "a message with "+strings.Join(parts, ", "), func() bool {
		for _, m := range slices.Backward(s.Messages(chat)) {
			if !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(Plain(m.Text), part) }) {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

// Files returns the files that the bot sent to a chat.
func (s *Server) Files(chat int64) []File {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.sent), func(f File) bool { return f.Chat != chat })
}

// Answers returns what the bot answered to presses.
func (s *Server) Answers() []Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.answers)
}

// Unconfirmed returns the ids of updates that would be delivered again.
func (s *Server) Unconfirmed() (ids []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.updates {
		ids = append(ids, u.id)
	}
	return ids
}

// Plain returns the text of a message without its HTML.
func Plain(html string) string {
	var out strings.Builder
	inTag := false
	for _, r := range html {
		switch {
		case r == '<':
			inTag = true
		case r == '>':
			inTag = false
		case !inTag:
			out.WriteRune(r)
		}
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(out.String())
}
