package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/host/llm/price"
	"errand/host/tool"
	"errand/host/trace"
)

// This file prints the parts of a record before and after its steps.

// stopReason returns why a run stopped early, unless its status says so.
func (p *printer) stopReason(r trace.Run) string {
	switch r.StopReason {
	case "", trace.StopCompleted, trace.StopError, trace.StopAwaitingApproval, trace.StopCancelled: // the status and the error say it
		return ""
	case trace.StopPolicyDenied:
		if r.Status == trace.Denied {
			return ""
		}
	case trace.StopInterrupted:
		if r.Status == trace.Interrupted {
			return ""
		}
	}
	return p.say("show.stopped", "reason", r.StopReason)
}

// waitHint returns what a run waits for and how to continue it.
func (p *printer) waitHint(r trace.Run) string {
	if r.DraftID == "" || r.Status != trace.NeedsApproval && r.StopReason != trace.StopAwaitingApproval {
		return ""
	}
	return p.say("show.waits", "id", r.DraftID)
}

// modelUse returns what the run used of language models.
func (p *printer) modelUse(rec trace.Record) string {
	u, asked := trace.ModelUseOf(rec)
	if !asked {
		return ""
	}
	cost := p.say("cli.agent_no_price")
	if u.Unpriced < u.Requests {
		cost = price.Dollars(u.Micros)
	}
	return p.say("show.model", "models", strings.Join(u.Models, ", "), "requests", u.Requests, "in", u.TokensIn, "out", u.TokensOut, "cost", cost, "partial", rec.OmittedEvents > 0)
}

// undo prints which changes can be undone. A change is a step with a committed
// effect.
func (p *printer) undo(rec trace.Record) {
	changes, can := 0, 0
	for _, s := range rec.Steps {
		switch {
		case s.Status == trace.Done && s.Undo != nil:
			can++
			changes++
		case s.Effect == tool.Committed:
			changes++
		}
	}
	if can == 0 || rec.Status == trace.Running {
		return
	}
	text := p.say("show.undo", "id", rec.RunID)
	if can < changes && rec.OmittedSteps == 0 {
		text = p.say("show.undo_some", "changes", changes, "count", can, "id", rec.RunID)
	}
	fmt.Fprintf(&p.b, "\n%s\n", text)
}

const listedHosts = 100 // separate connections, unless verbose

// connections prints a summary of blocked and contacted hosts, blocked ones first.
func (p *printer) connections(rec trace.Record) {
	type key struct{ verdict, host, reason, source, rule, step string }
	seen := map[key]int{}
	for _, e := range rec.Events {
		if e.Kind != trace.KindConnection {
			continue
		}
		n, _ := trace.ConnectionOf(e)
		k := key{"deny", n.Host, p.message(n.Reason), p.message(n.Source), n.Rule, e.StepID}
		if n.Verdict == "allow" {
			k.verdict, k.reason = "allow", p.message(n.Error)
		}
		seen[k]++
	}
	if len(seen) == 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(seen), func(a, b key) int {
		return cmp.Or(cmp.Compare(b.verdict, a.verdict), cmp.Compare(a.host, b.host), cmp.Compare(a.reason, b.reason), cmp.Compare(a.source, b.source), cmp.Compare(a.rule, b.rule), cmp.Compare(a.step, b.step))
	})
	fmt.Fprintf(&p.b, "\n%s\n", p.say("show.connections"))
	if e, noted := trace.EgressOf(rec); noted {
		p.b.WriteString(indent + p.egress(e) + "\n")
	}
	for i, k := range keys {
		if i == listedHosts && !p.o.Verbose {
			fmt.Fprintf(&p.b, "%s%s\n", indent, p.say("show.more", "count", len(keys)-i))
			break
		}
		line := fmt.Sprintf("%s%s  %s", indent, p.colorText(p.say("show.connection", "verdict", k.verdict), k.verdict == "allow"), p.value(k.host))
		if n := seen[k]; n > 1 {
			line += fmt.Sprintf(" ×%d", n)
		}
		for _, text := range []string{p.value(k.rule), k.reason, k.source} {
			if text != "" {
				line += "  " + text
			}
		}
		if len(rec.Steps) > 1 && k.step != "" {
			line += "  " + trace.EscapeText(k.step)
		}
		p.b.WriteString(line + "\n")
	}
	if rec.OmittedEvents > 0 {
		fmt.Fprintf(&p.b, "%s%s\n", indent, p.say("show.events_left_out", "count", rec.OmittedEvents))
	}
}

func (p *printer) events(events []trace.Event) {
	if len(events) == 0 {
		return
	}
	fmt.Fprintf(&p.b, "\n%s\n", p.say("show.events"))
	for _, e := range events {
		fmt.Fprintf(&p.b, "%s%s  %s  %s\n", indent, e.Time.In(p.o.Location).Format("15:04:05.000"), trace.EscapeText(e.Kind), strings.Join(p.entries(e.Data), ", "))
	}
}

func (p *printer) document(code string, doc json.RawMessage) {
	var b bytes.Buffer
	if len(doc) == 0 || json.Indent(&b, doc, "", "  ") != nil {
		return
	}
	fmt.Fprintf(&p.b, "\n%s\n", p.say(code))
	for line := range strings.Lines(b.String()) {
		fmt.Fprintf(&p.b, "%s%s\n", indent, trace.EscapeText(strings.TrimSuffix(line, "\n")))
	}
}

// egress summarizes network use.
func (p *printer) egress(e trace.Egress) string {
	parts := []string{
		p.say("show.requests", "count", e.Requests, "limit", e.MaxRequests),
		p.say("show.hosts", "count", e.Hosts, "limit", e.MaxHosts),
		p.say("show.sent", "size", e.Sent), p.say("show.received", "size", e.Received, "limit", e.MaxBytes),
	}
	if e.Stopped > 0 {
		parts = append(parts, p.say("show.stopped_count", "count", e.Stopped))
	}
	if e.Unenforced {
		parts = append(parts, p.say("show.unenforced"))
	}
	return strings.Join(parts, " · ")
}
