package policy

import (
	"fmt"
	"slices"
	"strings"
)

// Reading is text of others that a run has read: what a tool answered whose
// words are not the person's. Such words may give orders.
type Reading struct {
	Step string   // the id of the action that read it
	Tool string   // that answered
	From []string // hosts, as far as they are known
	// Technique and Excerpt are the place that reads most like an order; empty
	// where none was recognised, which proves nothing.
	Technique, Excerpt string
	// Ahead says that it will have been read by the time of the call, and what it
	// says nobody knows yet.
	Ahead bool
}

// Escalate is d for a call of a side-effect class in a run that has read
// what others wrote: a call that changes something is asked about, whatever
// allowed it, and the reason shows what was read. It is never more lenient than
// d, and the same applied twice.
func (d Decision) Escalate(class string, readings []Reading) Decision {
	if len(readings) == 0 || class == "read" || d.Verdict == Deny || slices.Contains(d.Flags, FlagUntrusted) {
		return d
	}
	why := readingsReason(readings)
	if d.Verdict == Allow {
		d.Verdict, d.Rule, d.Reason = Ask, RuleUntrusted, why
	} else {
		d.Reason += "; and " + why
	}
	d.Flags = append(slices.Clip(d.Flags), FlagUntrusted)
	if slices.ContainsFunc(readings, func(r Reading) bool { return r.Technique != "" }) {
		d.Flags = append(d.Flags, FlagOrder)
	}
	return d
}

// readingsReason says what was read, the most suspicious of it first.
func readingsReason(readings []Reading) string {
	worst := readings[0]
	for _, r := range readings {
		if better := r.rank(); better > worst.rank() {
			worst = r
		}
	}
	text := worst.reason()
	if more := len(readings) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

func (r Reading) rank() int {
	switch {
	case r.Technique != "":
		return 2
	case !r.Ahead:
		return 1
	}
	return 0
}

func (r Reading) reason() string {
	source := r.Tool
	if len(r.From) > 0 {
		source += ", " + strings.Join(r.From, ", ")
	}
	switch {
	case r.Ahead:
		return fmt.Sprintf("before it %s reads what others wrote (%s), and nobody knows yet what that says", r.Step, source)
	case r.Excerpt != "":
		return fmt.Sprintf("this run has read what others wrote: %s (%s) says %q, which reads like an order (%s)", r.Step, source, r.Excerpt, r.Technique)
	case r.Technique != "":
		return fmt.Sprintf("this run has read what others wrote: in %s (%s) something reads like an order (%s)", r.Step, source, r.Technique)
	}
	return fmt.Sprintf("this run has read what others wrote: %s (%s); no order was seen in it, but the words are not yours", r.Step, source)
}
