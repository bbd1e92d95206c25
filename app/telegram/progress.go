package telegram

import (
	"context"
	"strings"
	"sync"
	"time"

	"errand/app/i18n"
	"errand/app/runs"
	"errand/host/telegram"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// Times of messages.
const (
	firstAfter   = 700 * time.Millisecond // until a run that is under way is shown
	editEvery    = 1500 * time.Millisecond
	sendTimeout  = 2 * time.Minute
	fileTimeout  = 10 * time.Minute
	sendAttempts = 3
	maxSteps     = 40 // lines of steps that are shown
)

func pause(ctx context.Context, attempt int) bool {
	t := time.NewTimer(time.Second << attempt)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// live is the message that shows a run while it is under way. It is changed at most every editEvery.
type live struct {
	bot      *Bot
	chat     *chat
	language *i18n.Language
	replyTo  int
	ref      string // the run or the draft, which the button stops

	mu      sync.Mutex
	id      int // of the message; 0: it was not sent
	steps   []liveStep
	note    message.Message // what the run waits for; zero: nothing
	changed chan struct{}

	stop chan struct{}
	done chan struct{}
}

type liveStep struct {
	id    string
	title message.Message
	state trace.Status // empty: it did not begin
}

// watch shows a run from now on. ref is the run or its draft, and id a message to be changed; 0: a new one answers replyTo.
func (b *Bot) watch(c *chat, ref string, id, replyTo int) *live {
	l := &live{
		bot: b, chat: c, language: c.spoken(), id: id, replyTo: replyTo, ref: ref,
		changed: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
	}
	go l.show() // end waits for it
	return l
}

// hear takes an event of the run.
func (l *live) hear(p runs.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e := p.Event.(type) {
	case runs.PlanEvent:
		l.language = i18n.ForTag(e.Interpretation.Language)
		l.steps = nil
		if e.Result == nil {
			return
		}
		p, _ := e.Result.Plan()
		l.setActions(p.Actions())
	case runs.StepEvent:
		for i := range l.steps {
			s := &l.steps[i]
			if s.id != e.ActionID {
				continue
			}
			was := s.state
			if s.state = trace.Running; e.Step != nil {
				s.state = e.Step.Status
			}
			if was == s.state {
				return // a heartbeat
			}
		}
	case runs.NoteEvent:
		n, ok := e.Note.(trace.PageNote)
		if !ok || n.WaitSeconds == 0 {
			return
		}
		l.note = message.New("telegram.page_wants_person", "kind", n.Challenge)
	default:
		return
	}
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// setActions shows the actions of a plan. The caller holds l.mu.
func (l *live) setActions(actions []plan.Action) {
	for _, a := range actions {
		title := a.Preview
		if title.IsZero() {
			title = message.Verbatim(a.Tool)
		}
		l.steps = append(l.steps, liveStep{id: a.ActionID, title: title})
	}
}

func (l *live) show() {
	defer close(l.done)
	next := time.NewTimer(firstAfter)
	defer next.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-next.C:
		}
		l.mu.Lock()
		m := telegram.Message{HTML: l.html(), ReplyTo: l.replyTo, Buttons: [][]telegram.Button{{{Text: l.language.Text(message.New("telegram.button_stop")), Data: pressStop + ":" + l.ref}}}}
		id := l.id
		l.mu.Unlock()
		id = l.bot.refresh(l.chat.id, id, m)
		l.mu.Lock()
		l.id = id
		l.mu.Unlock()
		if !l.bot.isPaired(context.Background(), l.chat.id) {
			l.chat.stop()
			return
		}
		next.Reset(editEvery)
		select {
		case <-l.stop:
			return
		case <-l.changed:
		}
	}
}

// refresh changes a message that shows progress, or sends it. Without the network the old one stays.
func (b *outbox) refresh(chat int64, id int, m telegram.Message) int {
	if id == 0 {
		return b.send(chat, 0, m)
	}
	ctx, cancel := context.WithTimeout(context.Background(), sendTimeout)
	defer cancel()
	if err := b.o.Client.Edit(ctx, chat, id, m); err != nil {
		b.warn(err)
		if tool.AsError(err).Code == telegram.CodeGone {
			return b.send(chat, 0, m)
		}
	}
	return id
}

// html is the text of the message. The caller holds l.mu.
func (l *live) html() string {
	lines := []string{bold(l.language.Text(message.New("telegram.working")))}
	lines = append(lines, l.lines()...)
	if !l.note.IsZero() {
		lines = append(lines, escape(l.bot.render(l.language, l.note)))
	}
	return strings.Join(lines, "\n")
}

var stateMarks = map[trace.Status]string{
	"": "▫️", trace.Running: "⏳", trace.Done: "✅", trace.Failed: "❌", trace.Denied: "⛔", trace.Skipped: "➖", trace.Cancelled: "➖", trace.Interrupted: "⏹",
}

// lines are those of the steps. The caller holds l.mu.
func (l *live) lines() (out []string) {
	for i, s := range l.steps {
		if i == maxSteps {
			return append(out, "…")
		}
		title, _ := cut(l.bot.render(l.language, s.title), 70)
		mark := stateMarks[s.state]
		if mark == "" {
			mark = "▫️"
		}
		out = append(out, mark+" "+escape(title))
	}
	return out
}

// end stops the message, and returns its id and the lines of its steps; 0: it was never sent.
func (l *live) end() (id int, steps []string) {
	close(l.stop)
	<-l.done
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.id, l.lines()
}
