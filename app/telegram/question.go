package telegram

import (
	"context"
	"strconv"
	"strings"

	"errand/app/drafts"
	"errand/host/telegram"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// pageSize is how many choices a message offers.
const pageSize = 8

// maxLabel is the most characters of a button.
const maxLabel = 60

// showQuestion shows the first open question of a draft, with a page of its choices as buttons.
func (b *Bot) showQuestion(c *chat, id int, d drafts.View, page int, intro string) {
	l, q := c.spoken(), d.Questions[0]
	html := intro
	if len(d.Actions) > 0 {
		body, _ := b.body(c, d, page > 0, maxPlain/2)
		html += body
	}
	text, _ := cut(b.render(l, q.Question), maxShort)
	html += bold(text) + "\n"
	if u := q.Unused; u != nil { // the words that a choice leaves out
		html += escape(b.plain(u.Before)) + " <s>" + escape(b.plain(u.Words)) + "</s> " + escape(b.plain(u.After)) + "\n"
	}
	offered := offeredChoices(q)
	pages := (len(offered) + pageSize - 1) / pageSize
	page = max(0, min(page, pages-1))
	var rows [][]telegram.Button
	for _, i := range offered[page*pageSize : min(len(offered), (page+1)*pageSize)] {
		label := b.render(l, q.Choices[i].Label)
		short, isCut := cut(label, maxLabel)
		if isCut { // the button can't show it
			line, _ := cut(label, maxLine)
			html += "• " + escape(line) + "\n"
		}
		rows = append(rows, []telegram.Button{{Text: short, Data: data(pressPick, d, strconv.Itoa(i))}})
	}
	var around []telegram.Button
	if page > 0 {
		around = append(around, telegram.Button{Text: l.Text(message.New("telegram.button_back")), Data: data(pressPage, d, strconv.Itoa(page-1))})
	}
	if page < pages-1 {
		around = append(around, telegram.Button{Text: l.Text(message.New("telegram.button_more")), Data: data(pressPage, d, strconv.Itoa(page+1))})
	}
	if len(around) > 0 {
		rows = append(rows, around)
	}
	rows = append(rows, []telegram.Button{{Text: l.Text(message.New("telegram.button_cancel")), Data: data(pressCancel, d)}})
	if len(offered) < len(q.Choices) {
		html += escape(l.Text(message.New("telegram.always_at_computer"))) + "\n"
	}
	if q.FreeTextAllowed {
		html += escape(l.Text(message.New("telegram.reply_to_answer"))) + "\n"
	}
	b.send(c.id, id, telegram.Message{HTML: html + footer(d), Buttons: rows})
}

// offeredChoices returns the numbers of the choices of a question that a chat offers.
func offeredChoices(q plan.Question) []int {
	offered := []int{}
	for i, choice := range q.Choices {
		if isOffered(q, choice) {
			offered = append(offered, i)
		}
	}
	return offered
}

// pick answers the open question of a draft with a choice.
func (b *Bot) pick(ctx context.Context, c *chat, p press, d drafts.View) {
	i, err := strconv.Atoi(p.more)
	if err != nil || len(d.Questions) == 0 || i < 0 || i >= len(d.Questions[0].Choices) || !isOffered(d.Questions[0], d.Questions[0].Choices[i]) {
		b.answerPress(c, p, message.New("telegram.unknown_button"))
		return
	}
	b.answerPress(c, p, message.Message{})
	b.answerDraft(ctx, c, p.Message, d, d.Questions[0].Choices[i].Value)
}

// answerDraft answers the open question of a draft, and shows the draft as it is then.
func (b *Bot) answerDraft(ctx context.Context, c *chat, id int, d drafts.View, value string) {
	view, err := b.o.Program.Answer(ctx, d.DraftID, map[string]string{d.Questions[0].ID: value}, b.permit)
	var why message.Message
	if err != nil {
		why = tool.AsError(err).Message
		if view.DraftID == "" {
			b.sayError(c, 0, err)
			return
		}
	}
	b.showDraft(ctx, c, id, view, why)
}

// doReply answers the open question of a draft with the text of a message that replies to it. Such a message
// is never a goal.
func (b *Bot) doReply(ctx context.Context, c *chat, in telegram.Incoming, id, revision string) {
	d, err := b.o.Program.ShowDraft(ctx, id)
	if err != nil {
		b.sayError(c, in.ID, err)
		return
	}
	c.speak(d.Language)
	switch {
	case d.State.Final():
		b.showDraft(ctx, c, 0, d, message.Message{})
	case d.Revision != revision:
		b.showDraft(ctx, c, 0, d, message.New("telegram.draft_changed"))
	case len(d.Questions) == 0 || !d.Questions[0].FreeTextAllowed || strings.TrimSpace(in.Text) == "":
		b.showDraft(ctx, c, 0, d, message.New("telegram.use_buttons"))
	default:
		b.answerDraft(ctx, c, 0, d, strings.TrimSpace(in.Text))
	}
}
