// Package timers has the tools for what is due later: timers, alarms, reminders and goals that run at
// a time. It only keeps them; app/schedule shows and runs what is due.
package timers

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strings"
	"time"

	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/moment"
	"errand/planner/plan"
)

// Names of the tools.
const (
	SetName       = "timers.set"
	ScheduleName  = "timers.schedule"
	WatchName     = "timers.watch"
	ListName      = "timers.list"
	CancelName    = "timers.cancel"
	CancelAllName = "timers.cancel_all"
	SnoozeName    = "timers.snooze"
)

// ChangesTimers reports whether a tool changes what is due later.
func ChangesTimers(name string) bool {
	return slices.Contains([]string{SetName, ScheduleName, WatchName, CancelName, CancelAllName, SnoozeName}, name)
}

// MaxPending is the largest number of pending timers.
const MaxPending = 500

// Options configure the tools.
type Options struct {
	Store func() (store.Store, error) // of the timers; nil: there is none
	Now   func() time.Time            // nil: [time.Now]
	// Changed hears that there may be something new to wait for, and reports whether a process waits. Nil:
	// none does.
	Changed func(ctx context.Context) bool
	// Notifies reports whether the desktop shows notifications now. Nil: it does.
	Notifies func(ctx context.Context) bool
}

// Tools returns timers.set, timers.schedule, timers.watch, timers.list, timers.cancel, timers.cancel_all and
// timers.snooze.
func Tools(o Options) []tool.Tool {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Changed == nil {
		o.Changed = func(context.Context) bool { return false }
	}
	if o.Notifies == nil {
		o.Notifies = func(context.Context) bool { return true }
	}
	if o.Store == nil {
		o.Store = func() (store.Store, error) { return nil, message.Error("timer.no_store") }
	}
	return []tool.Tool{setTool(o), scheduleTool(o), watchTool(o), listTool(o), cancelTool(o), cancelAllTool(o), snoozeTool(o)}
}

// newID is the id of the timer that a call makes. It follows from the call, so that a call that is
// repeated after a crash makes no second timer.
func newID(call tool.Call) string {
	sum := sha256.Sum256([]byte(call.RunID + "\x00" + call.ActionID))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:5]))[:6]
}

// momentOf says when a timer is due: the day, the time and its zone. A timer of less than an hour has
// seconds.
func momentOf(t store.Timer, zone *time.Location) message.Message {
	at := t.Due.In(zone)
	if w, err := moment.Parse(t.When); err == nil && w.IsSpan() && w.Days == 0 && w.Seconds < int(time.Hour/time.Second) {
		return message.New("timer.moment_with_seconds", "at", at.Format(time.RFC3339), "clock", at.Format(time.TimeOnly), "zone", at.Format("MST"))
	}
	return message.New("timer.moment", "at", at.Format(time.RFC3339), "zone", at.Format("MST"))
}

// Describe says what a timer is, with its text.
func Describe(t store.Timer) message.Message {
	return message.New("timer.what", "kind", t.Kind, "text", t.Text)
}

// sorted returns the pending timers that fit a kind and a text. Kind "any" and an empty text fit all.
// A text fits the id, the duration of a timer, or a part of the text. Timers with just that text win over
// longer ones: "example.com" over "example.com/news".
func sorted(ctx context.Context, s store.Store, kind, text string) ([]store.Timer, error) {
	all, err := s.Timers(ctx)
	if err != nil {
		return nil, err
	}
	text = strings.ToLower(strings.TrimSpace(text))
	length := lengthOf(text)
	all = slices.DeleteFunc(all, func(t store.Timer) bool {
		return kind != "" && kind != plan.AnyTimer && kind != t.Kind ||
			text != "" && text != t.ID && t.When != length && !strings.Contains(strings.ToLower(t.Text), text)
	})
	exact := slices.DeleteFunc(slices.Clone(all), func(t store.Timer) bool { return text != strings.ToLower(t.Text) })
	if text != "" && len(exact) > 0 {
		return exact, nil
	}
	return all, nil
}

// lengthOf returns the duration that a text is, as a timer has it; empty: it has other words.
func lengthOf(text string) string {
	words := moment.NewWords(strings.Fields(text))
	if when, n := words.Duration(); n > 0 && n == len(words) {
		return when.String()
	}
	return ""
}

// add keeps a new timer, and describes it.
func (o Options) add(ctx context.Context, t store.Timer) tool.Result {
	s, err := o.Store()
	if err != nil {
		return failed(err)
	}
	pending, err := s.Timers(ctx)
	if err != nil {
		return failed(err)
	}
	for _, p := range pending {
		if t.Kind == plan.WatchTimer && p.Kind == t.Kind && p.Text == t.Text && p.When == t.When && p.Changes == t.Changes && p.ID != t.ID {
			e := tool.Fail(tool.ValidationError, "watched_already", message.New("timer.watched_already", "address", t.Text))
			e.Error = e.Error.WithHint(message.New("timer.several_hint", "id", p.ID))
			return e
		}
	}
	if len(pending) >= MaxPending {
		return tool.Fail(tool.ExecutionError, "too_many_timers", message.New("timer.too_many", "limit", MaxPending))
	}
	if _, err := s.AddTimer(ctx, t); err != nil {
		return failed(err)
	}
	return o.added(ctx, t)
}

// added describes a new timer.
func (o Options) added(ctx context.Context, t store.Timer) tool.Result {
	rings, notifies := o.Changed(ctx), o.Notifies(ctx)
	said := message.New("timer.watching", "address", t.Text, "when", t.When, "every", t.Changes == plan.EveryChange, "rings", rings, "notifies", notifies, "id", t.ID)
	if t.Kind != plan.WatchTimer {
		said = message.New("timer.set", "what", Describe(t), "kind", t.Kind, "moment", momentOf(t, o.Now().Location()), "repeats", repeats(t), "rings", rings, "notifies", notifies, "id", t.ID)
	}
	r := tool.OK(o.payload(t, said))
	r.Undo = &tool.Inverse{Tool: CancelName, Args: map[string]any{"id": t.ID}}
	return r
}

func (o Options) payload(t store.Timer, text message.Message) map[string]any {
	return map[string]any{
		"id": t.ID, "kind": t.Kind, "when": t.When, "label": t.Text, "due": t.Due.In(o.Now().Location()).Format(time.RFC3339), "text": text.PlainValue(),
	}
}

// repeats reports whether a timer is due again and again. A watch of the first change ends with it.
func repeats(t store.Timer) bool {
	w, err := moment.Parse(t.When)
	return err == nil && w.Repeated && (t.Kind != plan.WatchTimer || t.Changes == plan.EveryChange)
}

// failed is the result of a call that an error ended.
func failed(err error) tool.Result {
	return tool.Result{Error: tool.AsError(err)}
}

// text returns an argument that is a text.
func text(call tool.Call, name string) string {
	s, _ := call.Args[name].(string)
	return strings.TrimSpace(s)
}
