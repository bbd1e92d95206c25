package policy

import (
	"slices"
	"strings"

	"errand/planner/message"
)

// UntrustedRead is text of others that a run has read. It may contain instructions to a model.
type UntrustedRead struct {
	Step string   // the id of the action that read it
	Tool string   // that answered
	From []string // hosts, as far as known
	// Technique and Excerpt describe the passage that most resembles an instruction. If
	// they are empty, none was detected; the text may still contain one.
	Technique, Excerpt string
	// Pending means that the run will read the text before the call, and its content is
	// not known yet.
	Pending bool
}

// Escalate turns Allow into Ask for a call that changes something in a run that has
// read untrusted text. The reason shows what was read. The result is never more
// lenient than d, and applying it twice changes nothing.
func (d Decision) Escalate(class string, readings []UntrustedRead) Decision {
	if len(readings) == 0 || class == "read" || d.Verdict == Deny || slices.Contains(d.Flags, FlagUntrusted) {
		return d
	}
	why := readingsReason(readings)
	if d.Verdict == Allow {
		d.Verdict, d.Rule, d.Reason = Ask, RuleUntrusted, why
	} else {
		d.Reason = message.New("policy.both", "reason", d.Reason, "other", why)
	}
	d.Flags = append(slices.Clip(d.Flags), FlagUntrusted)
	if slices.ContainsFunc(readings, func(r UntrustedRead) bool { return r.Technique != "" }) {
		d.Flags = append(d.Flags, FlagOrder)
	}
	return d
}

// readingsReason returns the reason for the user: the most suspicious text, and up to five other sources.
func readingsReason(readings []UntrustedRead) message.Message {
	worst, others := slices.MaxFunc(readings, func(a, b UntrustedRead) int { return a.rank() - b.rank() }), []string{}
	for _, r := range readings {
		if source := strings.Join(append([]string{r.Tool}, r.From...), " "); r.Step != "" && r.Step != worst.Step && !slices.Contains(others, source) {
			others = append(others, source)
		}
	}
	if len(others) == 0 {
		return worst.reason()
	}
	return message.New("policy.more_readings", "reason", worst.reason(), "sources", others[:min(len(others), 5)], "count", max(len(others)-5, 0))
}

func (r UntrustedRead) rank() int {
	switch {
	case r.Technique != "":
		return 2
	case !r.Pending:
		return 1
	}
	return 0
}

func (r UntrustedRead) reason() message.Message {
	source := append([]string{r.Tool}, r.From...)
	switch {
	case r.Step == "":
		return message.New("policy.has_read_before")
	case r.Pending:
		return message.New("policy.reads_untrusted_text", "step", r.Step, "source", source)
	case r.Excerpt != "":
		return message.New("policy.has_read_an_order", "step", r.Step, "source", source, "excerpt", r.Excerpt, "technique", r.Technique)
	case r.Technique != "":
		return message.New("policy.has_read_a_likely_order", "step", r.Step, "source", source, "technique", r.Technique)
	}
	return message.New("policy.has_read_untrusted_text", "step", r.Step, "source", source)
}
