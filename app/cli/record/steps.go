package record

import (
	"fmt"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/trace"
)

// This file prints the steps of a record.

// Limits of a long record, unless verbose: it prints the first and the last
// actions, and the first failed ones in between.
const (
	printedEnds   = 80 // actions at each end
	printedFaults = 40 // failed actions in between
	printedTries  = 5  // earlier attempts of one action
)

// action is the steps with one step id. The last one is the result.
type action struct {
	number  int
	tries   []trace.Step
	try     int  // number of the last attempt in tries, from 1
	retried bool // a later attempt followed
}

func (a action) lastTry() trace.Step { return a.tries[len(a.tries)-1] }

// actions groups steps by id, in the order of their first steps. Verbose keeps
// each step separate.
func (p *printer) actions(rec trace.Record) []action {
	var out []action
	at := map[string]int{}
	for i, s := range rec.Steps {
		try := 1
		if j, known := at[s.StepID]; known && s.StepID != "" {
			try = out[j].try + 1
			if !p.o.Verbose {
				out[j].tries, out[j].try = append(out[j].tries, s), try
				continue
			}
			out[j].retried = true
		}
		at[s.StepID] = len(out)
		number := len(out) + 1
		if rec.OmittedSteps > 0 && i >= len(rec.Steps)/2 { // an excerpt omits steps in its middle
			number += rec.OmittedSteps
		}
		out = append(out, action{number: number, tries: []trace.Step{s}, try: try})
	}
	return out
}

// steps prints the selected actions and the number of omitted ones.
func (p *printer) steps(rec trace.Record) {
	actions := p.actions(rec)
	faults, gap, next := 0, 0, 1
	skipped := func() {
		if gap > 0 {
			fmt.Fprintf(&p.b, "\n%s\n", p.say("show.actions_left_out", "count", gap, "all_done", faults <= printedFaults, "id", rec.RunID))
		}
		gap = 0
	}
	for i, a := range actions {
		if a.number > next {
			skipped()
			fmt.Fprintf(&p.b, "\n%s\n", p.say("show.steps_left_out", "count", rec.OmittedSteps))
		}
		next = a.number + 1
		if inside := i >= printedEnds && i < len(actions)-printedEnds; inside && !p.o.Verbose {
			well := a.lastTry().Status == trace.Done
			if !well {
				faults++
			}
			if well || faults > printedFaults {
				gap++
				continue
			}
		}
		skipped()
		p.step(a)
	}
}

func (p *printer) step(a action) {
	s := a.lastTry()
	fmt.Fprintf(&p.b, "\n%d. %s · %s", a.number, trace.EscapeText(s.ToolName), p.statusText(s.Status, s.Error))
	if s.Attempts > 0 {
		fmt.Fprintf(&p.b, " · %s", p.duration(s.DurationMS))
	}
	if a.try > 1 {
		fmt.Fprintf(&p.b, " · %s", p.say("show.try", "number", a.try))
	}
	p.b.WriteByte('\n')
	p.lines("show.label_with", p.entries(s.Args)...)
	p.lines("show.label_policy", p.policy(s))
	p.lines("show.label_result", p.payload(s.ToolName, s.Payload)...)
	p.lines("show.label_facts", p.values(s.Facts)...)
	p.lines("show.label_read", p.untrustedLines(s.Untrusted)...)
	for _, a := range s.Artifacts {
		p.lines("show.label_saved", fmt.Sprintf("%s (%s, %s)", p.value(a.Name), trace.EscapeText(a.MediaType), p.say("show.size", "size", a.Size)), trace.EscapeText(a.Path))
	}
	p.printError(s.Error)
	p.lines("show.label_effect", p.effect(s))
	if !a.retried {
		p.lines("show.label_hint", p.decide(s))
	}
	p.lines("show.label_note", p.notes(s)...)
	p.lines("show.label_before", p.earlierTries(a.tries[:len(a.tries)-1])...)
	if p.o.Verbose {
		if !s.StartedAt.IsZero() {
			p.lines("show.label_started", s.StartedAt.In(p.o.Location).Format("15:04:05.000"))
		}
		p.lines("show.label_action", trace.EscapeText(s.StepID))
		p.lines("show.label_hash", trace.EscapeText(s.ArgsHash))
		p.lines("show.label_flags", trace.EscapeText(strings.Join(s.PolicyFlags, ", ")))
		p.lines("show.label_key", strings.TrimSpace(trace.EscapeText(s.EffectKey)+" "+trace.EscapeText(string(s.Effect))))
		if s.Undo != nil {
			p.lines("show.label_undo", append([]string{trace.EscapeText(s.Undo.Tool)}, p.entries(s.Undo.Args)...)...)
		}
	}
}

// untrustedLines returns lines that report untrusted content and quote the places that
// read like instructions.
func (p *printer) untrustedLines(u *tool.Untrusted) []string {
	if u == nil {
		return nil
	}
	out := []string{p.say("show.untrusted", "from", strings.Join(u.From, ", "))}
	for _, f := range u.Findings {
		out = append(out, p.say("show.order", "technique", f.Technique, "path", p.value(f.Path), "start", f.Start, "end", f.End, "excerpt", p.value(f.Excerpt)))
	}
	if len(u.Findings) == 0 {
		out = append(out, p.say("show.no_order"))
	}
	if u.Withheld > 0 {
		out = append(out, p.say("show.withheld", "size", u.Withheld))
	}
	return out
}

// earlierTries returns a line for each earlier attempt, the newest first. Consecutive
// attempts with the same result share a line.
func (p *printer) earlierTries(tries []trace.Step) []string {
	var out []string
	var last string
	n := 0
	flush := func() {
		if n > 1 {
			last += fmt.Sprintf(" ×%d", n)
		}
		if n > 0 {
			out = append(out, last)
		}
	}
	for _, s := range slices.Backward(tries) {
		line := p.statusText(s.Status, s.Error)
		switch {
		case s.Error == nil:
		case s.Status == trace.Skipped:
			line = p.message(s.Error.Message) // the message includes the status
		default:
			line += ": " + p.message(s.Error.Message)
		}
		if effect := p.effect(s); effect != "" {
			line += " · " + p.say("show.label_effect") + ": " + effect
		}
		if line != last {
			flush()
			last, n = line, 0
		}
		n++
	}
	flush()
	if more := len(out) - printedTries; more > 1 {
		out = append(out[:printedTries], p.say("show.more", "count", more))
	}
	return out
}

// decide returns the command that settles an unknown effect, unless the error has
// it.
func (p *printer) decide(s trace.Step) string {
	if s.Effect != tool.Unknown || s.Status == trace.Running || s.Error != nil && s.Error.Hint.Code == "record.settle_effect" {
		return ""
	}
	return p.say("record.settle_effect", "run_id", p.runID, "step_id", s.StepID)
}

// effect returns the state of a step's effect, unless its status implies it.
func (p *printer) effect(s trace.Step) string {
	switch {
	case s.Status == trace.Interrupted && s.Error != nil: // the error has it
	case s.Effect == tool.Unknown:
		return p.say("show.effect_unknown")
	case s.Effect == tool.Committed && s.Status != trace.Done:
		return p.say("show.effect_there")
	case s.Effect == tool.Released && s.Status == trace.Done:
		return p.say("show.no_effect")
	}
	return ""
}

// policy returns the decision of policy about a step.
func (p *printer) policy(s trace.Step) string {
	if s.Verdict != "allow" && s.Verdict != "ask" && s.Verdict != "deny" {
		return "" // policy was not evaluated
	}
	line := p.say("show.policy", "verdict", s.Verdict, "rule", s.Rule)
	if s.Verdict == "ask" && slices.Contains(s.PolicyFlags, trace.FlagApproved) {
		line = p.say("show.policy_approved", "rule", s.Rule)
	}
	if !s.Reason.IsZero() && (s.Error == nil || !s.Error.Message.Equal(s.Reason)) { // else the error says it
		line += ": " + p.text(s.Reason)
	}
	return line
}

// notes explains the flags that the dispatcher sets.
func (p *printer) notes(s trace.Step) []string {
	var out []string
	for _, n := range []struct{ flag, code string }{
		{trace.FlagRetried, "show.note_retried"},
		{trace.FlagAbandoned, "show.note_abandoned"},
		{trace.FlagRepeated, "show.note_repeated"},
		{trace.FlagReconciled, "show.note_reconciled"},
		{trace.FlagUnrecorded, "show.note_unrecorded"},
		{trace.FlagUndoWithheld, "show.note_undo_withheld"},
		{trace.FlagUnredacted, "show.note_unredacted"},
	} {
		if slices.Contains(s.PolicyFlags, n.flag) {
			out = append(out, p.say(n.code))
		}
	}
	return out
}
