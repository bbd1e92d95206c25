package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// maxUpdates is the most bytes of an answer with updates.
const maxUpdates = 16 << 20

// Update is a message to the bot, or a press of one of its buttons.
type Update struct {
	ID      int64
	Message *Incoming
	Press   *Press
}

// Incoming is a message to the bot.
type Incoming struct {
	Chat      int64
	IsPrivate bool // a chat with one person
	From      User
	IsBot     bool // a bot or a channel wrote it
	ID        int
	Text      string
	Voice     *Voice // nil: none
	// IsForwarded reports whether somebody else wrote it, or another bot made it.
	IsForwarded bool
	// ReplyTo is the text of the bot's message that this one answers; empty: none.
	ReplyTo  string
	Language string // tag of the user's app
}

// Voice is a recording.
type Voice struct {
	FileID  string
	Seconds int
	Size    int64
}

// Press is a press of a button.
type Press struct {
	ID        string
	From      User
	Chat      int64
	IsPrivate bool
	Message   int
	Data      string
}

// Updates waits for updates with ids from an offset on; 0: all that were not confirmed. The offset confirms
// the earlier ones. It returns none if there are none within the time.
func (c *Client) Updates(ctx context.Context, offset int64, within time.Duration) ([]Update, error) {
	ask, err := json.Marshal(map[string]any{"offset": offset, "timeout": int(within.Seconds()), "allowed_updates": []string{"message", "callback_query"}})
	if err != nil {
		return nil, err
	}
	var list []models.Update
	err = c.once(ctx, within+callTimeout, func(ctx context.Context) error {
		return c.post(ctx, "getUpdates", ask, &list)
	})
	var out []Update
	for _, u := range list {
		out = append(out, c.updateOf(u))
	}
	return out, err
}

// post makes a request without the library, whose polling confirms updates before they are dealt with.
func (c *Client) post(ctx context.Context, method string, body []byte, to any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.o.BaseURL+"/bot"+c.o.Token+"/"+method, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := c.o.Client.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxUpdates))
	if err != nil {
		return err
	}
	var answer struct {
		OK          bool            `json:"ok"`
		Result      json.RawMessage `json:"result"`
		Description string          `json:"description"`
		Code        int             `json:"error_code"`
		Parameters  struct {
			RetryAfter int `json:"retry_after"`
		} `json:"parameters"`
	}
	if err := json.Unmarshal(b, &answer); err != nil {
		return fmt.Errorf("%d: %w", resp.StatusCode, err)
	}
	if answer.OK {
		return json.Unmarshal(answer.Result, to)
	}
	switch answer.Code {
	case http.StatusTooManyRequests:
		return &bot.TooManyRequestsError{Message: answer.Description, RetryAfter: answer.Parameters.RetryAfter}
	case http.StatusUnauthorized, http.StatusNotFound:
		return bot.ErrorUnauthorized
	case http.StatusConflict:
		return bot.ErrorConflict
	}
	return errors.New(answer.Description)
}

func (c *Client) updateOf(u models.Update) Update {
	out := Update{ID: u.ID}
	if m := u.Message; m != nil {
		in := &Incoming{
			Chat: m.Chat.ID, IsPrivate: m.Chat.Type == models.ChatTypePrivate, From: userOf(m.From), ID: m.ID, Text: m.Text,
			IsBot: m.From == nil || m.From.IsBot || m.SenderChat != nil, IsForwarded: m.ForwardOrigin != nil || m.ViaBot != nil || m.IsAutomaticForward,
		}
		if m.From != nil {
			in.Language = m.From.LanguageCode
		}
		if v := m.Voice; v != nil {
			in.Voice = &Voice{v.FileID, v.Duration, v.FileSize}
		}
		if r := m.ReplyToMessage; r != nil && r.From != nil && r.From.ID == c.bot.ID() {
			in.ReplyTo = r.Text
		}
		out.Message = in
	}
	if q := u.CallbackQuery; q != nil {
		out.Press = &Press{ID: q.ID, From: userOf(&q.From), Data: q.Data}
		chat := models.Chat{}
		switch {
		case q.Message.Message != nil:
			chat, out.Press.Message = q.Message.Message.Chat, q.Message.Message.ID
		case q.Message.InaccessibleMessage != nil:
			chat, out.Press.Message = q.Message.InaccessibleMessage.Chat, q.Message.InaccessibleMessage.MessageID
		}
		out.Press.Chat, out.Press.IsPrivate = chat.ID, chat.Type == models.ChatTypePrivate
	}
	return out
}
