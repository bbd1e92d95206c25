// Package record prints the record of a run for people: errand show.
package record

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"errand/app/answers"
	"errand/app/i18n"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Options configure [Print].
type Options struct {
	Color    bool           // show outcomes in terminal colours
	Verbose  bool           // whole values, hashes, every event and the parsed goal
	Location *time.Location // time zone; nil means UTC
	Language *i18n.Language // nil means English
}

// Print writes a record. It prints the goal and the outcome. For each action it
// prints the call, the policy decision, the result and the number of attempts. It
// also prints contacted and blocked hosts and the available commands. Unless
// verbose, it shortens a long record to its beginning, its end and the failures in
// between. Untrusted text is made safe for a terminal.
func Print(w io.Writer, rec trace.Record, o Options) error {
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Language == nil {
		o.Language = i18n.English()
	}
	p := &printer{o: o, runID: rec.RunID}
	for _, label := range labels {
		p.width = max(p.width, utf8.RuneCountInString(p.say(label))+2)
	}
	p.head(rec)
	p.steps(rec)
	p.connections(rec)
	if o.Verbose {
		p.turns(rec)
		p.events(rec.Events)
		p.document("show.understood", rec.Interpretation)
		p.document("show.planned", rec.Result)
	}
	p.undo(rec)
	_, err := w.Write(p.b.Bytes())
	return err
}

// Columns: a step's number, then labels, then values.
const (
	indent     = "   "
	valueRunes = 240 // per value, unless verbose
	maxEntries = 12  // entries per map, unless verbose
)

// labels are the codes of all labels.
var labels = []string{
	"show.label_stopped", "show.label_waits", "show.label_answer", "show.label_error", "show.label_hint", "show.label_with",
	"show.label_policy", "show.label_result", "show.label_facts", "show.label_read", "show.label_saved", "show.label_effect",
	"show.label_note", "show.label_before", "show.label_started", "show.label_action", "show.label_hash", "show.label_flags",
	"show.label_key", "show.label_undo", "show.label_model",
}

type printer struct {
	b     bytes.Buffer
	o     Options
	runID string
	width int // of the labels, in characters
}

// say returns a text. It makes the texts in its parameters safe for a terminal.
func (p *printer) say(code string, pairs ...any) string { return p.text(message.New(code, pairs...)) }

func (p *printer) text(m message.Message) string {
	return trace.EscapeText(p.o.Language.Text(m.MapText(trace.EscapeText)))
}

// UndoGoal returns what the goal of an undo, "undo RUN: GOAL", says in the user's
// language. Other goals are the user's own words.
func UndoGoal(goal string) (m message.Message, ok bool) {
	const idLength = 26
	rest, ok := strings.CutPrefix(goal, "undo ")
	run, undone, found := strings.Cut(rest, ": ")
	if !ok || !found || len(run) != idLength {
		return message.Message{}, false
	}
	return message.New("cli.undo_goal", "run", run, "goal", undone), true
}

func (p *printer) head(rec trace.Record) {
	goal := p.value(rec.Goal)
	if m, ok := UndoGoal(rec.Goal); ok {
		goal = p.message(m)
	}
	fmt.Fprintf(&p.b, "%s\n", goal)
	fmt.Fprintf(&p.b, "%s%s · %s · %s · %s\n", indent, p.statusText(rec.Status, rec.Error),
		rec.StartedAt.In(p.o.Location).Format("2006-01-02 15:04:05 MST"), p.duration(rec.DurationMS), p.say("show.steps", "count", len(rec.Steps)+rec.OmittedSteps))
	fmt.Fprintf(&p.b, "%s%s\n", indent, p.say("show.run", "id", rec.RunID))
	p.lines("show.label_stopped", p.stopReason(rec.Run))
	p.lines("show.label_waits", p.waitHint(rec.Run))
	p.lines("show.label_answer", p.message(rec.Answer))
	p.lines("show.label_model", p.modelUse(rec))
	if !isExplained(rec) {
		p.printError(rec.Error)
	}
}

// isExplained reports whether a step has the same error as the run.
func isExplained(rec trace.Record) bool {
	return rec.Error != nil && slices.ContainsFunc(rec.Steps, func(s trace.Step) bool {
		return s.Error != nil && s.Error.Code == rec.Error.Code && s.Error.Message.Equal(rec.Error.Message)
	})
}

func (p *printer) printError(e *tool.Error) {
	if e == nil {
		return
	}
	p.lines("show.label_error", fmt.Sprintf("%s (%s, %s)", p.message(e.Message), trace.EscapeText(string(e.Class)), trace.EscapeText(e.Code)))
	p.lines("show.label_hint", p.message(e.Hint))
}

// lines prints a label with its values. It prints the label once and omits empty
// values.
func (p *printer) lines(label string, values ...string) {
	text := p.say(label)
	for _, v := range values {
		if v == "" {
			continue
		}
		fmt.Fprintf(&p.b, "%s%-*s%s\n", indent, p.width, text, v)
		text = ""
	}
}

// entries returns one line per map entry, sorted by name.
func (p *printer) entries(m map[string]any) []string {
	var out []string
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i == maxEntries && !p.o.Verbose && len(m) > maxEntries+1 {
			out = append(out, p.say("show.more", "count", len(m)-maxEntries))
			break
		}
		out = append(out, p.value(k)+": "+p.jsonValue(m[k]))
	}
	return out
}

// payload returns lines with the result of a tool. Its messages are text, unless
// verbose.
func (p *printer) payload(tool string, v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case map[string]any:
		visible := maps.Clone(v)
		for key, value := range v {
			if m := answers.MessageIn(tool, key, value); !p.o.Verbose && p.o.Language.Has(m.Code) {
				visible[key] = p.message(m)
			}
		}
		return p.entries(visible)
	}
	return []string{p.jsonValue(v)}
}

func (p *printer) values(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, p.value(s))
	}
	return out
}

// jsonValue returns a string unchanged and any other value as JSON.
func (p *printer) jsonValue(v any) string {
	if s, ok := v.(string); ok {
		return p.value(s)
	}
	return p.value(answers.FormatJSON(v))
}

// value makes text safe for a terminal and, unless verbose, short.
func (p *printer) value(s string) string { return trace.EscapeText(p.clip(s)) }

// message returns the text of a message, as value does.
func (p *printer) message(m message.Message) string {
	return trace.EscapeText(p.clip(p.o.Language.Text(m.MapText(trace.EscapeText))))
}

// clip shortens text, unless verbose.
func (p *printer) clip(s string) string {
	if p.o.Verbose || utf8.RuneCountInString(s) <= valueRunes {
		return s
	}
	runes := []rune(s)
	return p.o.Language.Say("show.clipped", "text", string(runes[:valueRunes]), "count", len(runes)-valueRunes)
}

func (p *printer) duration(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d >= time.Minute:
		d = d.Round(time.Second)
	case d >= time.Second:
		d = d.Round(100 * time.Millisecond)
	}
	return p.say("show.took", "duration", d)
}

// statusText returns a status with its error, in colour.
func (p *printer) statusText(s trace.Status, e *tool.Error) string {
	text := p.say("show.status", "status", s)
	if s == trace.Denied && e != nil && e.Code == "rejected" {
		text = p.say("show.not_approved")
	}
	return p.colorText(text, s == trace.Done)
}

// colorText colours a text as good or bad, if colours are on.
func (p *printer) colorText(text string, good bool) string {
	if !p.o.Color {
		return text
	}
	if good {
		return "\x1b[32m" + text + "\x1b[0m"
	}
	return "\x1b[33m" + text + "\x1b[0m"
}
