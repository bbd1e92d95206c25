package trace

import (
	"fmt"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
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
	number int
	tries  []Step
	try    int  // number of the last attempt in tries, from 1
	again  bool // a later attempt followed
}

func (a action) last() Step { return a.tries[len(a.tries)-1] }

// actions groups steps by id, in the order of their first steps. Verbose keeps
// each step separate.
func (p *printer) actions(rec Record) []action {
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
			out[j].again = true
		}
		at[s.StepID] = len(out)
		number := len(out) + 1
		if rec.OmittedSteps > 0 && i >= len(rec.Steps)/2 { // an excerpt omits steps in its middle
			number += rec.OmittedSteps
		}
		out = append(out, action{number: number, tries: []Step{s}, try: try})
	}
	return out
}

// steps prints the selected actions and the number of omitted ones.
func (p *printer) steps(rec Record) {
	actions := p.actions(rec)
	faults, gap, next := 0, 0, 1
	skipped := func() {
		if gap > 0 {
			allDone := ", all done"
			if faults > printedFaults {
				allDone = ""
			}
			fmt.Fprintf(&p.b, "\n… %s left out%s: errand show --verbose %s\n", count(gap, "action", "actions"), allDone, Plain(rec.RunID))
		}
		gap = 0
	}
	for i, a := range actions {
		if a.number > next {
			skipped()
			fmt.Fprintf(&p.b, "\n… %s left out\n", count(rec.OmittedSteps, "step", "steps"))
		}
		next = a.number + 1
		if inside := i >= printedEnds && i < len(actions)-printedEnds; inside && !p.o.Verbose {
			well := a.last().Status == Done
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
	s := a.last()
	fmt.Fprintf(&p.b, "\n%d. %s · %s", a.number, Plain(s.ToolName), p.ending(s.Status, s.Error))
	if s.Attempts > 0 {
		fmt.Fprintf(&p.b, " · %s", took(s.DurationMS))
	}
	if a.try > 1 {
		fmt.Fprintf(&p.b, " · try %d", a.try)
	}
	p.b.WriteByte('\n')
	p.lines("with", p.entries(s.Args)...)
	p.lines("policy", p.policyLine(s)...)
	p.lines("result", p.payload(s.Payload)...)
	p.lines("facts", p.values(s.Facts)...)
	p.lines("read", p.untrusted(s.Untrusted)...)
	for _, a := range s.Artifacts {
		p.lines("saved", fmt.Sprintf("%s (%s, %s)", p.value(a.Name), Plain(a.MediaType), size(a.Size)), Plain(a.Path))
	}
	p.fault(s.Error)
	p.lines("effect", effectLine(s))
	if !a.again {
		p.lines("hint", p.decide(s))
	}
	p.lines("note", notes(s)...)
	p.lines("before", p.before(a.tries[:len(a.tries)-1])...)
	if p.o.Verbose {
		if !s.StartedAt.IsZero() {
			p.lines("started", s.StartedAt.In(p.o.Location).Format("15:04:05.000"))
		}
		p.lines("action", Plain(s.StepID))
		p.lines("hash", Plain(s.ArgsHash))
		p.lines("flags", Plain(strings.Join(s.PolicyFlags, ", ")))
		p.lines("key", strings.TrimSpace(Plain(s.EffectKey)+" "+Plain(string(s.Effect))))
		if s.Undo != nil {
			p.lines("undo", append([]string{Plain(s.Undo.Tool)}, p.entries(s.Undo.Args)...)...)
		}
	}
}

// untrusted returns lines that report untrusted content and quote the places that
// read like instructions.
func (p *printer) untrusted(u *tool.Untrusted) []string {
	if u == nil {
		return nil
	}
	line := "what others wrote"
	if len(u.From) > 0 {
		line += ", from " + p.value(strings.Join(u.From, ", "))
	}
	out := []string{line + ": from here on every write of this run asks"}
	for _, f := range u.Findings {
		out = append(out, fmt.Sprintf("reads like an order (%s), %s, bytes %d to %d: %s",
			Plain(f.Technique), p.value(f.Path), f.Start, f.End, p.value(f.Excerpt)))
	}
	if len(u.Findings) == 0 {
		out = append(out, "no order was seen in it")
	}
	if u.Withheld > 0 {
		out = append(out, fmt.Sprintf("%s more were not looked at, and no planner was given them", size(int64(u.Withheld))))
	}
	return out
}

// before returns a line for each earlier attempt, the newest first. Consecutive
// attempts with the same result share a line.
func (p *printer) before(tries []Step) []string {
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
		line := p.ending(s.Status, s.Error)
		switch {
		case s.Error == nil:
		case s.Status == Skipped:
			line = p.say(s.Error.Message) // the message includes the status
		default:
			line += ": " + p.say(s.Error.Message)
		}
		if effect := effectLine(s); effect != "" {
			line += " · effect: " + effect
		}
		if line != last {
			flush()
			last, n = line, 0
		}
		n++
	}
	flush()
	if more := len(out) - printedTries; more > 1 {
		out = append(out[:printedTries], fmt.Sprintf("… and %d more", more))
	}
	return out
}

// decide returns the command that settles an unknown effect, unless the error has
// it.
func (p *printer) decide(s Step) string {
	if s.Effect != tool.Unknown || s.Status == Running || s.Error != nil && s.Error.Hint.Code == "record.settle_effect" {
		return ""
	}
	return p.say(message.New("record.settle_effect", "run_id", p.runID, "step_id", s.StepID))
}

// effectLine returns the state of a step's effect, unless its status implies it.
func effectLine(s Step) string {
	switch {
	case s.Status == Interrupted && s.Error != nil: // the error has it
	case s.Effect == tool.Unknown:
		return "unknown: the call was made and nobody saw what came of it"
	case s.Effect == tool.Committed && s.Status != Done:
		return "it is there all the same"
	case s.Effect == tool.Released && s.Status == Done:
		return "there is none"
	}
	return ""
}

func (p *printer) policyLine(s Step) []string {
	var line string
	switch s.Verdict {
	case "allow":
		line = "allowed"
	case "ask":
		line = "approval needed"
		if slices.Contains(s.PolicyFlags, FlagApproved) {
			line = "approved by a person, asked for"
		}
	case "deny":
		line = "denied"
	default:
		return nil // policy was not evaluated
	}
	if s.Rule != "" {
		line += " by " + Plain(s.Rule)
	}
	if !s.Reason.IsZero() && (s.Error == nil || !s.Error.Message.Equal(s.Reason)) { // else the error says it
		line += ": " + Plain(p.o.Say(s.Reason))
	}
	return []string{line}
}

// notes explains the flags that the dispatcher sets.
func notes(s Step) []string {
	var out []string
	for _, n := range []struct{ flag, text string }{
		{FlagRetried, "the first attempt failed and was repeated"},
		{FlagAbandoned, "the tool did not end in time and was left behind"},
		{FlagRepeated, "an earlier call had had this effect; the tool was not called again"},
		{FlagReconciled, "nobody saw the end of an earlier call; the tool looked and found its effect"},
		{FlagUnrecorded, "the record of this step could not be written"},
		{FlagUndoWithheld, "how to take it back is not kept, because it holds a secret"},
		{FlagUnredacted, "arguments and result are left out, because secrets in them could not be removed"},
	} {
		if slices.Contains(s.PolicyFlags, n.flag) {
			out = append(out, n.text)
		}
	}
	return out
}
