package telegram

import (
	"context"
	"os"
	"strconv"
	"strings"

	"errand/app/access"
	"errand/app/grants"
	"errand/app/runs"
	"errand/host/telegram"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// doMessage does what a message asks for: it answers a question, or it is a goal.
func (b *Bot) doMessage(ctx context.Context, c *chat, in telegram.Incoming, runID string) {
	if id, revision, ok := readFooter(in.ReplyTo); ok {
		b.doReply(ctx, c, in, id, revision)
		return
	}
	r := runs.Request{Origin: plan.UserGoal, RunID: runID, Words: strings.TrimSpace(in.Text), Conversation: conversation(in.Chat), Permit: b.permit}
	if in.Voice != nil {
		voice, ok := b.hear(ctx, c, in)
		if !ok {
			return
		}
		r.Words, r.Voice = "", voice
		c.speak(b.o.Program.LanguageOf(voice.Transcript))
	} else {
		c.speak(b.o.Program.LanguageOf(r.Words))
	}
	shown := b.watch(c, runID, 0, in.ID)
	r.Progress = shown.hear
	report, err := b.o.Program.Start(ctx, r)
	id, steps := shown.end()
	b.tell(ctx, c, outcome{report: report, err: err, message: id, replyTo: in.ID, steps: steps})
	b.o.Program.KeepTimers(context.WithoutCancel(ctx))
}

// conversation is the name of a chat's conversation.
func conversation(chat int64) string { return "telegram:" + strconv.FormatInt(chat, 10) }

// permit grants what the user allowed in the chat: for the run alone. What lasts is granted at the computer.
func (b *Bot) permit(ctx context.Context, runID string, access grants.Access, always bool) (string, error) {
	if always {
		return "", tool.NewError(tool.PolicyDenied, "not_in_chat", message.New("telegram.not_always"))
	}
	return b.o.Program.Permit(ctx, runID, access, false)
}

// isOffered reports whether a chat offers a choice. That of access for good is left to the computer.
func isOffered(q plan.Question, c plan.Choice) bool {
	return access.Of(q) == (grants.Access{}) || c.Value != access.Always
}

// maxSeconds is the longest recording.
const maxSeconds = 5 * 60

// hear turns a recording into text, and tells the chat what was heard.
func (b *Bot) hear(ctx context.Context, c *chat, in telegram.Incoming) (*plan.Voice, bool) {
	v := in.Voice
	if v.Seconds > maxSeconds || v.Size > telegram.MaxDownload {
		b.say(c.spoken(), c.id, message.New("telegram.voice_too_long", "minutes", maxSeconds/60))
		return nil, false
	}
	f, err := os.CreateTemp(b.o.Private, "voice-*.oga")
	if err != nil {
		b.sayError(c, in.ID, message.Error("telegram.keep_voice", "cause", err))
		return nil, false
	}
	defer os.Remove(f.Name())
	err = b.o.Client.Download(ctx, v.FileID, f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		b.sayError(c, in.ID, err)
		return nil, false
	}
	heard, err := b.o.Hear(ctx, f.Name())
	switch {
	case err != nil:
		b.sayError(c, in.ID, err)
		return nil, false
	case heard.Text == "":
		b.say(c.spoken(), c.id, message.New("telegram.heard_nothing"))
		return nil, false
	}
	c.speak(b.o.Program.LanguageOf(heard.Text))
	text, _ := cut(b.o.Program.Clean(message.Visible(heard.Text)), maxPlain)
	b.send(c.id, 0, telegram.Message{
		HTML:    escape(c.spoken().Text(message.New("telegram.heard", "percent", int(heard.Confidence*100)))) + "\n" + quote(text),
		ReplyTo: in.ID,
	})
	return &plan.Voice{FileID: v.FileID, Transcript: heard.Text, Confidence: heard.Confidence}, true
}
