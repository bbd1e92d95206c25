package telegram

import (
	"context"
	"io"
	"strings"

	"errand/app/i18n"
	"errand/host/telegram"
	"errand/host/tool"
	"errand/planner/message"
)

// outbox sends to chats, as long as they are paired.
type outbox struct {
	o  Options
	me telegram.User
}

// render returns a message in a language, without secrets and without invisible characters.
func (b *outbox) render(l *i18n.Language, m message.Message) string {
	return b.o.Program.Clean(l.Text(m.MapText(message.Visible)))
}

// plain returns a text without secrets, invisible characters and spaces at its ends.
func (b *outbox) plain(text string) string {
	return b.o.Program.Clean(message.Visible(strings.TrimSpace(text)))
}

// isPaired reports whether a chat is still paired. Nothing is sent to another one.
func (b *outbox) isPaired(ctx context.Context, chat int64) bool {
	paired, err := b.o.Chats.IsPaired(ctx, b.me.ID, chat)
	return err == nil && paired
}

// say sends a short message.
func (b *outbox) say(l *i18n.Language, chat int64, m message.Message) {
	text, _ := cut(b.render(l, m), maxPlain)
	b.send(chat, 0, telegram.Message{HTML: escape(text)})
}

func (b *outbox) sayStopped(c *chat) {
	b.say(c.spoken(), c.id, message.New("telegram.not_begun"))
}

// sayError sends an error.
func (b *outbox) sayError(c *chat, replyTo int, err error) {
	b.send(c.id, 0, telegram.Message{HTML: b.errorHTML(c.spoken(), tool.AsError(err)), ReplyTo: replyTo})
}

// errorHTML is an error with its hint. A hint that is a command of the computer is left out.
func (b *outbox) errorHTML(l *i18n.Language, e *tool.Error) string {
	text, _ := cut(b.render(l, e.Message), maxShort)
	html := "✖ " + escape(text)
	if hint := b.render(l, e.Hint); hint != "" && !strings.Contains(hint, "errand ") {
		hint, _ = cut(hint, maxShort)
		html += "\n" + escape(hint)
	}
	return html
}

// send sends a message, or changes an earlier one if there is one with that id. If that can't be changed, it sends
// a new one. It returns the id of the message; 0 if it could not be sent. It has its own deadline, because a chat
// hears what has happened also after a stop.
func (b *outbox) send(chat int64, id int, m telegram.Message) int {
	ctx, cancel := context.WithTimeout(context.Background(), sendTimeout)
	defer cancel()
	if !b.isPaired(ctx, chat) {
		return 0
	}
	if id != 0 {
		err := b.o.Client.Edit(ctx, chat, id, m)
		if err == nil {
			return id
		}
		b.warn(err)
	}
	for attempt := range sendAttempts {
		sent, err := b.o.Client.Send(ctx, chat, m)
		if err == nil {
			return sent
		}
		b.warn(err)
		if tool.AsError(err).Code != telegram.CodeUnreachable || !pause(ctx, attempt) {
			return 0
		}
	}
	return 0
}

// sendFile sends a file, and reports whether it was sent.
func (b *outbox) sendFile(chat int64, name string, open func() (io.ReadCloser, error)) bool {
	ctx, cancel := context.WithTimeout(context.Background(), fileTimeout)
	defer cancel()
	if !b.isPaired(ctx, chat) {
		return false
	}
	err := b.o.Client.SendFile(ctx, chat, name, "", open)
	b.warn(err)
	return err == nil
}

// sendText sends a text of any length as a file.
func (b *outbox) sendText(chat int64, name, text string) bool {
	return b.sendFile(chat, name, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil })
}

func (b *outbox) warn(err error) {
	if err != nil {
		e := tool.AsError(err)
		b.o.Log.Warn("telegram", "code", e.Code, "error", i18n.English().Text(e.Message))
	}
}
