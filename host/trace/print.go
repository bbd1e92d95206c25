package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// PrintOptions configure [Print].
type PrintOptions struct {
	Color    bool           // show outcomes in terminal colours
	Verbose  bool           // whole values, hashes, every event and the parsed goal
	Location *time.Location // time zone; nil means UTC
	// Say returns the text of a message. Nil prints codes and parameters.
	Say func(message.Message) string
}

// Print writes a record for people. It prints the goal and the outcome. For each
// action it prints the call, the policy decision, the result and the number of
// attempts. It also prints contacted and blocked hosts and the available commands.
// Unless verbose, it shortens a long record to its beginning, its end and the
// failures in between. Untrusted text is made safe for a terminal.
func Print(w io.Writer, rec Record, o PrintOptions) error {
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Say == nil {
		o.Say = message.Message.String
	}
	p := &printer{o: o, runID: rec.RunID}
	p.head(rec)
	p.steps(rec)
	p.connections(rec)
	if o.Verbose {
		p.events(rec.Events)
		p.document("What was understood", rec.Interpretation)
		p.document("What was planned", rec.Result)
	}
	p.undo(rec)
	_, err := w.Write(p.b.Bytes())
	return err
}

// Columns: a step's number, then labels, then values.
const (
	indent     = "   "
	labelWidth = 9
	valueRunes = 240 // per value, unless verbose
	listed     = 12  // entries per map, unless verbose
)

type printer struct {
	b     bytes.Buffer
	o     PrintOptions
	runID string
}

func (p *printer) head(rec Record) {
	fmt.Fprintf(&p.b, "%s\n", p.value(rec.Goal))
	fmt.Fprintf(&p.b, "%s%s · %s · %s · %s\n", indent, p.ending(rec.Status, rec.Error),
		rec.StartedAt.In(p.o.Location).Format("2006-01-02 15:04:05 MST"), took(rec.DurationMS), count(len(rec.Steps)+rec.OmittedSteps, "step", "steps"))
	fmt.Fprintf(&p.b, "%srun %s\n", indent, Plain(rec.RunID))
	p.lines("stopped", stopped(rec.Run))
	p.lines("waits", waits(rec.Run))
	p.lines("answer", p.say(rec.Answer))
	if !explained(rec) {
		p.fault(rec.Error)
	}
}

// explained reports whether a step has the same error as the run.
func explained(rec Record) bool {
	return rec.Error != nil && slices.ContainsFunc(rec.Steps, func(s Step) bool {
		return s.Error != nil && s.Error.Code == rec.Error.Code && s.Error.Message.Equal(rec.Error.Message)
	})
}

func (p *printer) fault(e *tool.Error) {
	if e == nil {
		return
	}
	p.lines("error", fmt.Sprintf("%s (%s, %s)", p.say(e.Message), Plain(string(e.Class)), Plain(e.Code)))
	p.lines("hint", p.say(e.Hint))
}

// lines prints a label with its values. It prints the label once and omits empty
// values.
func (p *printer) lines(label string, values ...string) {
	for _, v := range values {
		if v == "" {
			continue
		}
		fmt.Fprintf(&p.b, "%s%-*s%s\n", indent, labelWidth, label, v)
		label = ""
	}
}

// entries returns one line per map entry, sorted by name.
func (p *printer) entries(m map[string]any) []string {
	var out []string
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i == listed && !p.o.Verbose && len(m) > listed+1 {
			out = append(out, fmt.Sprintf("… and %d more", len(m)-listed))
			break
		}
		out = append(out, p.value(k)+": "+p.jsonValue(m[k]))
	}
	return out
}

func (p *printer) payload(v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case map[string]any:
		return p.entries(v)
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
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return p.value(fmt.Sprint(v))
	}
	return p.value(strings.TrimSuffix(b.String(), "\n"))
}

// value makes text safe for a terminal and, unless verbose, short.
func (p *printer) value(s string) string {
	if p.o.Verbose {
		return Plain(s)
	}
	return Plain(clip(s, valueRunes))
}

// say returns the text of a message, as value does.
func (p *printer) say(m message.Message) string { return p.value(p.o.Say(m)) }

// ending says in words how something ended.
func (p *printer) ending(s Status, e *tool.Error) string {
	words := map[Status]string{
		Running: "still running", Done: "done", Failed: "failed", Denied: "denied by policy",
		NeedsApproval: "not run: it needs approval", Interrupted: "interrupted", Skipped: "skipped",
	}[s]
	switch {
	case words == "":
		words = Plain(string(s))
	case s == Denied && e != nil && e.Code == "rejected":
		words = "not approved"
	}
	return p.colored(words, s == Done)
}

// colored marks words as good or not, where colours are wanted.
func (p *printer) colored(words string, good bool) string {
	if !p.o.Color {
		return words
	}
	if good {
		return "\x1b[32m" + words + "\x1b[0m"
	}
	return "\x1b[33m" + words + "\x1b[0m"
}
