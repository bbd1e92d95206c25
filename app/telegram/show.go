package telegram

import (
	"context"
	"io"
	"os"
	"strings"

	"errand/app/answers"
	"errand/app/i18n"
	"errand/app/runs"
	"errand/host/telegram"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// maxFiles is how many files of a run are sent.
const maxFiles = 10

// outcome is how a run ended for its chat.
type outcome struct {
	report  runs.Report
	err     error
	message int // that showed the run; 0: none
	replyTo int
	steps   []string
}

// tell tells a chat how its run ended: with a card, a draft or a question, and files.
func (b *Bot) tell(ctx context.Context, c *chat, o outcome) {
	r := o.report
	if r.Interpretation != nil {
		c.speak(r.Interpretation.Language)
	}
	l := c.spoken()
	if o.err != nil {
		b.closeProgress(c, o, message.New("telegram.ended"))
		b.sayError(c, o.replyTo, o.err)
		return
	}
	if r.Draft != nil && !r.Draft.State.Final() && (r.Status == trace.NeedsApproval || r.Status == trace.Failed || r.Status == trace.Denied) {
		var why message.Message
		if r.Error != nil && (r.Status != trace.NeedsApproval || !isWait(r.Error)) {
			why = r.Error.Message
		}
		b.showDraft(ctx, c, o.message, *r.Draft, why)
		return
	}
	b.closeProgress(c, o, statusText(r.Status))
	html := b.card(l, r)
	b.send(c.id, 0, telegram.Message{HTML: html, ReplyTo: o.replyTo})
	if _, isCut := cut(b.answer(l, r), maxPlain); isCut {
		b.sendText(c.id, "answer.txt", b.answer(l, r))
	}
	b.sendFiles(ctx, c, r)
}

// isWait reports whether an error only says that a draft waits, which its buttons show.
func isWait(e *tool.Error) bool {
	switch e.Code {
	case "needs_approval", "open_questions", "ambiguous", "awaiting_approval":
		return true
	}
	return false
}

// closeProgress changes the message that showed a run to how it ended.
func (b *Bot) closeProgress(c *chat, o outcome, status message.Message) {
	if o.message == 0 {
		return
	}
	lines := append([]string{bold(c.spoken().Text(status))}, o.steps...)
	b.send(c.id, o.message, telegram.Message{HTML: strings.Join(lines, "\n")})
}

// statusText says how a run ended.
func statusText(s trace.Status) message.Message {
	return message.New("telegram.status", "status", string(s))
}

// answer is the answer of a run, as the command line prints it.
func (b *Bot) answer(l *i18n.Language, r runs.Report) string {
	return b.o.Program.Clean(strings.TrimSpace(b.o.Texts.Answer(l, r.Answer)))
}

// card is the result of a run.
func (b *Bot) card(l *i18n.Language, r runs.Report) string {
	var parts []string
	if r.Interpretation != nil && r.Interpretation.FollowUp != nil {
		for _, says := range r.Interpretation.FollowUp.Says {
			line, _ := cut(b.render(l, says), maxLine)
			parts = append(parts, "<i>"+escape(line)+"</i>")
		}
	}
	if text, _ := cut(b.answer(l, r), maxPlain); text != "" {
		parts = append(parts, quote(text))
	}
	switch {
	case r.Status == trace.Interrupted:
		parts = append(parts, bold(l.Text(statusText(r.Status))))
	case r.Error != nil:
		fault := *r.Error
		if r.Interpretation != nil && len(r.Interpretation.Suggestions) > 0 { // which follow
			fault.Hint = message.Message{}
		}
		parts = append(parts, b.errorHTML(l, &fault))
	case len(parts) == 0 || r.Answer.IsZero():
		parts = append(parts, bold(l.Text(statusText(r.Status))))
	}
	if in := r.Interpretation; in != nil && len(in.Suggestions) > 0 && r.Error != nil {
		parts = append(parts, escape(b.render(l, in.SuggestionIntro())))
		for _, goal := range in.Suggestions {
			line, _ := cut(goal, maxLine)
			parts = append(parts, "• <code>"+escape(line)+"</code>")
		}
	}
	return strings.Join(parts, "\n")
}

// sendFiles sends the files that a run shows. One that is too large is named.
func (b *Bot) sendFiles(ctx context.Context, c *chat, r runs.Report) {
	for i, a := range b.files(r) {
		if i == maxFiles {
			b.say(c.spoken(), c.id, message.New("telegram.more_files", "run", r.RunID))
			return
		}
		info, err := os.Stat(a.Path)
		switch {
		case err != nil || !info.Mode().IsRegular():
			continue
		case info.Size() > telegram.MaxUpload:
			b.say(c.spoken(), c.id, message.New("telegram.file_not_sent", "name", a.Name, "size", info.Size(), "limit", telegram.MaxUpload))
			continue
		}
		if ctx.Err() != nil || r.Status == trace.Interrupted {
			return
		}
		b.sendFile(c.id, b.o.Program.Clean(a.Name), func() (io.ReadCloser, error) { return os.Open(a.Path) })
	}
}

// files lists the artifacts of a run: those that the answer names, too.
func (b *Bot) files(r runs.Report) []tool.Artifact {
	return answers.ShownArtifacts(message.Message{}, r.Steps)
}
