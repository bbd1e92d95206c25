package trace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/host/tool"
)

// This file prints the parts of a record before and after its steps.

// stopped returns why a run stopped early, unless its status says so.
func stopped(r Run) string {
	switch r.StopReason {
	case StopMaxSteps:
		return "it had taken as many steps as it may"
	case StopMaxWallTime:
		return "it had taken as long as it may"
	case StopMaxFailures:
		return "too many steps had failed"
	case StopNoOpLoop:
		return "the same step came again and again and changed nothing"
	case StopPolicyDenied:
		if r.Status != Denied {
			return "policy denied what was left"
		}
	case StopInterrupted:
		if r.Status != Interrupted {
			return "it was interrupted"
		}
	case "", StopCompleted, StopError, StopAwaitingApproval: // the status and the error say it
	default:
		return Plain(string(r.StopReason))
	}
	return ""
}

// waits returns what a run waits for and how to continue it.
func waits(r Run) string {
	if r.DraftID == "" || r.Status != NeedsApproval && r.StopReason != StopAwaitingApproval {
		return ""
	}
	return "as a draft: errand approve " + Plain(r.DraftID)
}

// undo prints which changes can be undone. A change is a step with a committed
// effect.
func (p *printer) undo(rec Record) {
	changes, can := 0, 0
	for _, s := range rec.Steps {
		switch {
		case s.Status == Done && s.Undo != nil:
			can++
			changes++
		case s.Effect == tool.Committed:
			changes++
		}
	}
	if can == 0 || rec.Status == Running {
		return
	}
	what := "This"
	if can < changes && rec.OmittedSteps == 0 {
		what = fmt.Sprintf("Of %d changes %d", changes, can)
	}
	fmt.Fprintf(&p.b, "\n%s can be undone: errand undo %s\n", what, Plain(rec.RunID))
}

const listedHosts = 100 // separate connections, unless verbose

// connections prints a summary of blocked and contacted hosts, blocked ones first.
func (p *printer) connections(rec Record) {
	type key struct{ rank, word, host, why, rule, step string }
	seen := map[key]int{}
	for _, e := range rec.Events {
		if e.Kind != KindConnection {
			continue
		}
		text := func(name string) string { s, _ := e.Data[name].(string); return s }
		host := text("host")
		if port, ok := e.Data["port"]; ok {
			host = fmt.Sprintf("%s:%v", host, port)
		}
		k := key{"0", "stopped", host, p.o.Say(e.Message("reason")), text("rule"), e.StepID}
		if text("verdict") == "allow" {
			k = key{"1", "allowed", host, p.o.Say(e.Message("error")), text("rule"), e.StepID}
		}
		seen[k]++
	}
	if len(seen) == 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(seen), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.host, b.host), cmp.Compare(a.why, b.why), cmp.Compare(a.rule, b.rule), cmp.Compare(a.step, b.step))
	})
	p.b.WriteString("\nConnections\n")
	if e, noted := EgressOf(rec); noted {
		p.b.WriteString(indent + e.line() + "\n")
	}
	for i, k := range keys {
		if i == listedHosts && !p.o.Verbose {
			fmt.Fprintf(&p.b, "%s… and %d more\n", indent, len(keys)-i)
			break
		}
		line := fmt.Sprintf("%s%s  %s", indent, p.colored(k.word, k.word == "allowed"), p.value(k.host))
		if n := seen[k]; n > 1 {
			line += fmt.Sprintf(" ×%d", n)
		}
		for _, said := range []string{k.rule, k.why} {
			if said != "" {
				line += "  " + p.value(said)
			}
		}
		if len(rec.Steps) > 1 && k.step != "" {
			line += "  " + Plain(k.step)
		}
		p.b.WriteString(line + "\n")
	}
	if rec.OmittedEvents > 0 {
		fmt.Fprintf(&p.b, "%s… without %s that are left out here\n", indent, count(rec.OmittedEvents, "event", "events"))
	}
}

func (p *printer) events(events []Event) {
	if len(events) == 0 {
		return
	}
	p.b.WriteString("\nEvents\n")
	for _, e := range events {
		fmt.Fprintf(&p.b, "%s%s  %s  %s\n", indent, e.Time.In(p.o.Location).Format("15:04:05.000"), Plain(e.Kind), strings.Join(p.entries(e.Data), ", "))
	}
}

func (p *printer) document(title string, doc json.RawMessage) {
	var b bytes.Buffer
	if len(doc) == 0 || json.Indent(&b, doc, "", "  ") != nil {
		return
	}
	fmt.Fprintf(&p.b, "\n%s\n", title)
	for line := range strings.Lines(b.String()) {
		fmt.Fprintf(&p.b, "%s%s\n", indent, Plain(strings.TrimSuffix(line, "\n")))
	}
}
