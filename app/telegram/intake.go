package telegram

import (
	"context"
	"strings"

	"errand/host/store"
	"errand/host/telegram"
	"errand/planner/message"
)

// take takes up an update: it is claimed and handed to its chat, or ignored. After an error it is taken up
// again. Only private chats that are paired get an answer.
func (b *Bot) take(ctx context.Context, u telegram.Update) error {
	switch {
	case u.Message != nil:
		in := *u.Message
		if !in.IsPrivate || in.IsBot || in.From.ID != in.Chat {
			return nil
		}
		paired, err := b.o.Chats.IsPaired(ctx, b.me.ID, in.Chat)
		if err != nil {
			return err
		}
		if !paired {
			if in.IsForwarded {
				return nil
			}
			return b.pair(ctx, in)
		}
		return b.takeMessage(ctx, u.ID, in)
	case u.Press != nil:
		p := *u.Press
		if !p.IsPrivate || p.From.ID != p.Chat {
			return nil
		}
		if paired, err := b.o.Chats.IsPaired(ctx, b.me.ID, p.Chat); err != nil || !paired {
			return err
		}
		return b.takePress(ctx, u.ID, p)
	}
	return nil
}

// claim claims an update for what it is about.
func (b *Bot) claim(ctx context.Context, id, chat int64, ref string) (bool, error) {
	return b.o.Chats.ClaimUpdate(ctx, store.ChatUpdate{Bot: b.me.ID, ID: id, Chat: chat, At: b.o.Program.Now(), Ref: ref})
}

// settle records that an update has its answer. If that fails, the next start tells the chat about it.
func (b *Bot) settle(id int64) {
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	if err := b.o.Chats.SettleUpdate(ctx, b.me.ID, id); err != nil {
		b.o.Log.Warn("update_not_settled", "update", id)
	}
}

func (b *Bot) takeMessage(ctx context.Context, id int64, in telegram.Incoming) error {
	runID := b.o.Program.NewRunID()
	c := b.chat(in.Chat, in.Language)
	text := strings.TrimSpace(in.Text)
	var simple message.Message
	switch command, _, _ := strings.Cut(text, " "); {
	case in.IsForwarded:
		simple = message.New("telegram.forwarded")
	case command == "/start", command == "/help":
		simple = message.New("telegram.help", "voice", b.o.Hear != nil)
	case command == "/stop":
		simple = message.New("telegram.nothing_to_stop")
	case command == "/pair":
		simple = message.New("telegram.paired_already")
	case strings.HasPrefix(text, "/"):
		simple = message.New("telegram.unknown_command")
	case text == "" && in.Voice == nil:
		simple = message.New("telegram.only_text", "voice", b.o.Hear != nil)
	case in.Voice != nil && b.o.Hear == nil:
		simple = message.New("telegram.no_voice")
	}
	claimed, err := b.claim(ctx, id, in.Chat, runID)
	if err != nil || !claimed {
		return err
	}
	switch {
	case text == "/stop" && !in.IsForwarded && c.stop():
		b.later(func() { b.settle(id) }) // the run says that it was stopped
	case !simple.IsZero():
		b.later(func() {
			b.say(c.spoken(), in.Chat, simple)
			b.settle(id)
		})
	case !c.add(job{update: id, ref: runID, do: func(ctx context.Context) { b.doMessage(ctx, c, in, runID) }}):
		b.later(func() {
			b.say(c.spoken(), in.Chat, message.New("telegram.too_many"))
			b.settle(id)
		})
	}
	return nil
}

// later does something outside of the poll, which must not wait for it. It ends with its own deadlines.
func (b *Bot) later(do func()) { b.owns.Go(do) }

// tellUnsettled tells the chats which of their messages a program that died left without an answer. None of
// them is done again.
func (b *Bot) tellUnsettled(ctx context.Context) error {
	left, err := b.o.Chats.UnsettledUpdates(ctx, b.me.ID)
	if err != nil {
		return err
	}
	for _, u := range left {
		c := b.chat(u.Chat, "")
		b.later(func() {
			b.tellLeft(ctx, c, u.Ref)
			b.settle(u.ID)
		})
	}
	return nil
}

// tellLeft tells a chat how a run or a draft stands that a program left when it died.
func (b *Bot) tellLeft(ctx context.Context, c *chat, ref string) {
	if d, err := b.o.Program.ShowDraft(ctx, ref); err == nil {
		c.speak(d.Language)
		b.showDraft(ctx, c, 0, d, message.New("telegram.was_interrupted"))
		return
	}
	rec, err := b.o.Program.Record(ctx, ref)
	if err != nil { // it has no record: it may not have begun
		b.say(c.spoken(), c.id, message.New("telegram.left_unknown"))
		return
	}
	if rec.DraftID != "" {
		if d, err := b.o.Program.ShowDraft(ctx, rec.DraftID); err == nil && !d.State.Final() {
			c.speak(d.Language)
			b.showDraft(ctx, c, 0, d, message.New("telegram.was_interrupted"))
			return
		}
	}
	c.speak(b.o.Program.LanguageOf(rec.Goal))
	b.say(c.spoken(), c.id, message.New("telegram.left_run", "goal", message.Verbatim(rec.Goal), "run", rec.RunID, "status", string(rec.Status)))
}
