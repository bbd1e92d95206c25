package telegram

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"errand/app/drafts"
	"errand/app/i18n"
	"errand/app/runs"
	"errand/host/telegram"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/approval"
)

// What the data of buttons begins with. A colon, the draft, a colon and its revision follow.
const (
	pressStop   = "stop" // the run follows, and nothing else
	pressApply  = "apply"
	pressSure   = "sure" // and a colon with what was confirmed so far
	pressCancel = "cancel"
	pressPick   = "pick" // and a colon with the number of a choice
	pressPage   = "page" // and a colon with the number of a page of choices
)

// showDraft shows a draft: its open question, or all that an approval covers. id is the message to be changed;
// 0: a new one. why is said before it; zero: nothing.
func (b *Bot) showDraft(_ context.Context, c *chat, id int, d drafts.View, why message.Message) {
	c.speak(d.Language)
	l := c.spoken()
	var intro string
	if !why.IsZero() {
		text, _ := cut(b.render(l, why), maxShort)
		intro = escape(text) + "\n"
	}
	switch {
	case d.State.Final() || d.State == approval.StateApplying || d.IsReady():
		b.send(c.id, id, telegram.Message{HTML: intro + bold(l.Text(stateText(d))) + "\n" + footer(d)})
	case d.Withheld || d.NeedsSecrets():
		b.send(c.id, id, telegram.Message{HTML: intro + escape(l.Text(message.New("telegram.has_secret")))})
	case len(d.Questions) > 0:
		b.showQuestion(c, id, d, 0, intro)
	default:
		body, isWhole := b.body(c, d, false, maxPlain)
		html := intro + bold(l.Text(message.New("telegram.approve", "count", len(d.PendingActions())))) + "\n" + body
		buttons := [][]telegram.Button{{{Text: l.Text(message.New("telegram.button_reject")), Data: data(pressCancel, d)}}}
		if isWhole {
			buttons = append([][]telegram.Button{{{Text: l.Text(message.New("telegram.button_approve")), Data: data(pressApply, d)}}}, buttons...)
		} else { // an approval covers what was shown
			html += escape(l.Text(message.New("telegram.plan_not_sent"))) + "\n"
		}
		b.send(c.id, id, telegram.Message{HTML: html + footer(d), Buttons: buttons})
	}
}

// body is all that an approval of a draft covers. If that does not fit, it has the titles of the steps, and all
// is sent as a file before; isWhole is false if that failed. A draft that was shown has been sent.
func (b *Bot) body(c *chat, d drafts.View, wasShown bool, limit int) (html string, isWhole bool) {
	l := c.spoken()
	text := b.o.Program.Clean(strings.TrimRight(b.o.Texts.Draft(l, d), "\n"))
	if text == "" {
		return "", true
	}
	if _, isCut := cut(text, limit); !isCut {
		return quote(text) + "\n", true
	}
	var titles []string
	for _, a := range d.Actions {
		titles = append(titles, a.ActionID+"  "+b.title(l, a))
	}
	shown, _ := cut(strings.Join(titles, "\n"), limit)
	if !wasShown && !b.sendText(c.id, "plan-"+d.DraftID+".txt", text) {
		return quote(shown) + "\n", false
	}
	return quote(shown) + "\n" + bold(l.Text(message.New("telegram.whole_plan_in_file"))) + "\n", true
}

// stateText says how a draft stands that can't be approved now.
func stateText(d drafts.View) message.Message {
	return message.New("telegram.draft_state", "state", string(d.State))
}

// data is the data of a button of a draft.
func data(kind string, d drafts.View, more ...string) string {
	return strings.Join(append([]string{kind, d.DraftID, d.Revision}, more...), ":")
}

// footer names a draft as a message shows it, so that an answer to the message finds it.
func footer(d drafts.View) string {
	return "<code>#" + escape(d.DraftID) + "-" + escape(d.Revision) + "</code>"
}

// readFooter reads the footer of a message of the bot.
func readFooter(text string) (draft, revision string, ok bool) {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	draft, revision, ok = strings.Cut(strings.TrimPrefix(line, "#"), "-")
	return draft, revision, ok && strings.HasPrefix(line, "#") && draft != "" && revision != ""
}

// press is a pressed button of a draft.
type press struct {
	telegram.Press
	kind, draft, revision, more string
}

func readPress(p telegram.Press) press {
	parts := append(strings.SplitN(p.Data, ":", 4), "", "", "")
	return press{p, parts[0], parts[1], parts[2], parts[3]}
}

// takePress takes up a press of a button.
func (b *Bot) takePress(ctx context.Context, id int64, in telegram.Press) error {
	p := readPress(in)
	c := b.chat(p.Chat, "")
	claimed, err := b.claim(ctx, id, p.Chat, p.draft)
	if err != nil || !claimed {
		return err
	}
	if p.kind == pressStop {
		stopped := c.stopOnly(p.draft)
		b.later(func() {
			b.answerPress(c, p, message.New("telegram.stopping", "stopped", stopped))
			b.settle(id)
		})
		return nil
	}
	if !c.add(job{update: id, ref: p.draft, do: func(ctx context.Context) { b.doPress(ctx, c, p) }}) {
		b.later(func() {
			b.answerPress(c, p, message.New("telegram.too_many"))
			b.settle(id)
		})
	}
	return nil
}

// maxAnswer is the most characters of the answer to a press.
const maxAnswer = 190

// answerPress ends the wait that the button shows.
func (b *Bot) answerPress(c *chat, p press, m message.Message) {
	text := ""
	if !m.IsZero() {
		text, _ = cut(b.render(c.spoken(), m), maxAnswer)
	}
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	_ = b.o.Client.Answer(ctx, p.ID, text) // a press that is too old needs none
}

// doPress does what a button of a draft says, if the draft is still the one that was shown.
func (b *Bot) doPress(ctx context.Context, c *chat, p press) {
	d, err := b.o.Program.ShowDraft(ctx, p.draft)
	if err != nil {
		b.answerPress(c, p, tool.AsError(err).Message)
		return
	}
	c.speak(d.Language)
	switch {
	case p.kind == pressCancel:
		b.cancel(ctx, c, p)
	case d.State.Final() || d.State == approval.StateApplying:
		b.answerPress(c, p, stateText(d))
		b.showDraft(ctx, c, p.Message, d, message.Message{})
	case d.Revision != p.revision:
		b.answerPress(c, p, message.New("telegram.draft_changed"))
		b.showDraft(ctx, c, p.Message, d, message.New("telegram.draft_changed"))
	case p.kind == pressPage:
		page, _ := strconv.Atoi(p.more)
		b.answerPress(c, p, message.Message{})
		b.showQuestion(c, p.Message, d, page, "")
	case p.kind == pressPick:
		b.pick(ctx, c, p, d)
	case p.kind == pressApply && len(d.Questions) == 0:
		b.approve(ctx, c, p, d, confirmation{})
	case p.kind == pressSure && len(d.Questions) == 0:
		confirmed, ok := readConfirmation(p.more)
		if ok {
			b.approve(ctx, c, p, d, confirmed)
			return
		}
		fallthrough
	default:
		b.answerPress(c, p, message.New("telegram.unknown_button"))
	}
}

// key names a press, so that it moves its draft once, however often it comes.
func (p press) key() string { return "tg:callback:" + p.ID }

func (b *Bot) cancel(ctx context.Context, c *chat, p press) {
	d, err := b.o.Program.RejectBy(ctx, p.draft, p.key())
	if err != nil && !d.State.Final() {
		b.answerPress(c, p, tool.AsError(err).Message)
		return
	}
	b.answerPress(c, p, stateText(d))
	b.showDraft(ctx, c, p.Message, d, message.Message{})
}

// confirmation is what was confirmed of a draft so far: of the destructive actions one after another, and at
// last the count.
type confirmation struct {
	actions int    // destructive actions that were asked about
	yes     uint64 // those that were confirmed, as bits
	counted bool   // the count, too
}

// maxDestructive is the most destructive actions that a chat can ask about.
const maxDestructive = 60

func (f confirmation) String() string {
	counted := ""
	if f.counted {
		counted = "n"
	}
	return fmt.Sprintf("%x.%d%s", f.yes, f.actions, counted)
}

func readConfirmation(text string) (f confirmation, ok bool) {
	yes, asked, ok := strings.Cut(text, ".")
	var errs [2]error
	f.yes, errs[0] = strconv.ParseUint(yes, 16, 64)
	number, counted := strings.CutSuffix(asked, "n")
	f.counted = counted
	f.actions, errs[1] = strconv.Atoi(number)
	return f, ok && errs[0] == nil && errs[1] == nil && f.actions >= 0 && f.actions <= maxDestructive
}

// actions returns the confirmed ones of a draft's destructive actions.
func (f confirmation) confirmed(d drafts.View) (confirmed []string) {
	for i, id := range d.Destructive {
		if i < f.actions && f.yes&(1<<i) != 0 {
			confirmed = append(confirmed, id)
		}
	}
	return confirmed
}

// approve asks for the confirmations that an approval needs, and then approves and applies the draft.
func (b *Bot) approve(ctx context.Context, c *chat, p press, d drafts.View, f confirmation) {
	l := c.spoken()
	if len(d.Destructive) > maxDestructive {
		b.answerPress(c, p, message.New("telegram.at_the_computer"))
		return
	}
	if f.actions < len(d.Destructive) {
		b.answerPress(c, p, message.Message{})
		b.askAboutAction(c, p.Message, d, f)
		return
	}
	confirmed := f.confirmed(d)
	left := slices.DeleteFunc(d.PendingActions(), func(id string) bool {
		return slices.Contains(d.Destructive, id) && !slices.Contains(confirmed, id)
	})
	if len(left) == 0 {
		b.answerPress(c, p, message.New("telegram.nothing_approved"))
		b.showDraft(ctx, c, p.Message, d, message.New("telegram.nothing_approved"))
		return
	}
	count := d.Only(left).Confirm
	if count > 0 && !f.counted {
		f.counted = true
		b.answerPress(c, p, message.Message{})
		body, _ := b.body(c, d, true, maxPlain)
		html := bold(l.Text(message.New("telegram.confirm_count", "count", count))) + "\n" + body + footer(d)
		b.send(c.id, p.Message, telegram.Message{HTML: html, Buttons: [][]telegram.Button{
			{{Text: l.Text(message.New("telegram.button_yes_all", "count", count)), Data: data(pressSure, d, f.String())}},
			{{Text: l.Text(message.New("telegram.button_reject")), Data: data(pressCancel, d)}},
		}})
		return
	}
	b.answerPress(c, p, message.New("telegram.approved"))
	shown := b.watch(c, d.DraftID, p.Message, 0)
	shown.expect(d)
	report, err := b.o.Program.Approve(ctx, runs.ApproveRequest{
		ID: d.DraftID, Confirm: count, Confirmed: confirmed, Revision: p.revision, By: by(p.From), Callback: p.key(),
		Conversation: conversation(c.id), Progress: shown.hear,
	})
	_, steps := shown.end()
	if err != nil {
		if now, showErr := b.o.Program.ShowDraft(context.WithoutCancel(ctx), d.DraftID); showErr == nil {
			b.showDraft(ctx, c, p.Message, now, tool.AsError(err).Message)
			return
		}
	}
	b.tell(ctx, c, outcome{report: report, err: err, message: p.Message, steps: steps})
	b.o.Program.KeepTimers(context.WithoutCancel(ctx))
}

// by is the name of who approves in a chat, for the record.
func by(u telegram.User) string {
	return "Telegram " + message.Visible(u.Name) + " (" + strconv.FormatInt(u.ID, 10) + ")"
}

// askAboutAction asks about the next destructive action of a draft.
func (b *Bot) askAboutAction(c *chat, id int, d drafts.View, f confirmation) {
	l := c.spoken()
	i := slices.IndexFunc(d.Actions, func(a drafts.Action) bool { return a.ActionID == d.Destructive[f.actions] })
	title := d.Destructive[f.actions]
	if i >= 0 {
		title += "  " + b.title(l, d.Actions[i])
	}
	yes, no := f, f
	yes.actions, no.actions = f.actions+1, f.actions+1
	yes.yes |= 1 << f.actions
	title, _ = cut(title, maxShort)
	html := bold(l.Text(message.New("telegram.confirm_action"))) + "\n" + quote(title) + "\n" + footer(d)
	b.send(c.id, id, telegram.Message{HTML: html, Buttons: [][]telegram.Button{
		{{Text: l.Text(message.New("telegram.button_yes")), Data: data(pressSure, d, yes.String())}},
		{{Text: l.Text(message.New("telegram.button_without")), Data: data(pressSure, d, no.String())}},
		{{Text: l.Text(message.New("telegram.button_reject")), Data: data(pressCancel, d)}},
	}})
}

func (b *Bot) title(l *i18n.Language, a drafts.Action) string {
	if a.Preview.IsZero() {
		return a.Tool
	}
	return b.render(l, a.Preview)
}

// expect shows the steps of a draft that is being applied.
func (l *live) expect(d drafts.View) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range d.Actions {
		title := a.Preview
		if title.IsZero() {
			title = message.Verbatim(a.Tool)
		}
		l.steps = append(l.steps, liveStep{id: a.ActionID, title: title})
	}
}
