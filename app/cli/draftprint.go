package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"errand/app/core"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/approval"
)

// draft prints a draft in full, and what to type next.
func (s *shell) draft(w io.Writer, d core.DraftView) {
	if d.DraftID == "" { // a run that never waited
		s.write(w, "%s", paint(bold, "run "+d.RunID))
	} else {
		s.write(w, "%s", paint(bold, "draft "+d.DraftID+" · "+s.standing(d)))
	}
	s.write(w, "  %s", d.Goal)
	if d.Demo {
		s.write(w, "  in the demo: the sites are pages built into the program")
	}
	if d.Reason != "" && len(d.Questions) == 0 { // else the questions are the reason
		s.write(w, "  %s", d.Reason)
	}
	s.draftBody(w, d)
	for _, q := range d.Questions {
		s.write(w, "%s", q.Question)
		for _, c := range q.Choices {
			s.write(w, "  - %s   %s", c.Label, paint(quiet, fmt.Sprintf("errand answer %s %s=%s", d.DraftID, q.ID, quoted(firstOf(c.Value, c.Label)))))
		}
		if q.FreeTextAllowed {
			s.write(w, "  - your own words   %s", paint(quiet, fmt.Sprintf("errand answer %s %s=…", d.DraftID, q.ID)))
		}
	}
	for _, line := range next(d) {
		s.write(w, "%s", paint(quiet, line))
	}
}

// draftBody is what a yes is about, the same wherever one is asked for: how much
// of the goal it is, what would be done, and what can't be taken back.
func (s *shell) draftBody(w io.Writer, d core.DraftView) {
	if d.Part != "" {
		s.write(w, "  only a part: %s", d.Part)
	}
	s.draftActions(w, d)
	for _, step := range d.Irreversible {
		s.write(w, "  %s %s can't be taken back and stays: %s", step.StepID, step.Tool, step.Reason)
	}
}

// standing says how a draft stands, in a few words, and how long it still waits.
func (s *shell) standing(d core.DraftView) string {
	if left := timeLeft(d); left != "" {
		return stateOf(d) + ", " + left
	}
	return stateOf(d)
}

// timeLeft is how long a draft still waits; empty for one that doesn't.
func timeLeft(d core.DraftView) string {
	if d.State != approval.StateDraft && d.State != approval.StateBlocked {
		return ""
	}
	return time.Until(d.ExpiresAt).Round(time.Second).String() + " left"
}

func stateOf(d core.DraftView) string {
	switch d.State {
	case approval.StateDraft, approval.StateBlocked:
		switch {
		case d.Withheld:
			return "can't be approved later: it holds a secret"
		case len(d.Questions) > 0:
			return "waits for an answer"
		case d.State == approval.StateBlocked:
			return "stopped"
		}
		return "waits for approval"
	case approval.StateReady:
		return "approved"
	case approval.StateApplying:
		return "being carried out"
	case approval.StateApplied:
		return "carried out"
	case approval.StateCancelled:
		return "cancelled"
	case approval.StateExpired:
		return "expired"
	}
	return string(d.State)
}

// draftActions prints each action with its whole arguments, why it waits, what
// it destroys and whether it can be taken back.
func (s *shell) draftActions(w io.Writer, d core.DraftView) {
	for _, a := range d.Actions {
		s.write(w, "  %s  %s%s", a.ActionID, firstOf(a.Preview, a.Tool), statusOf(a))
		what := a.Tool
		if len(a.DependsOn) > 0 {
			what += ", after " + strings.Join(a.DependsOn, ", ")
		}
		s.write(w, "      %s", paint(quiet, what))
		for _, name := range slices.Sorted(maps.Keys(a.Args)) {
			s.write(w, "      %s: %s", name, argument(a.Args[name]))
		}
		if a.Verdict == policy.Ask && a.Reason != "" {
			s.write(w, "      asks: %s", a.Reason)
		}
		for _, name := range a.Destroys {
			s.write(w, "      destroys %s", name)
		}
		if more := a.Count - len(a.Destroys); len(a.Destroys) > 0 && more > 0 {
			s.write(w, "      … and %d more", more)
		}
		if a.Note != "" {
			s.write(w, "      %s", a.Note)
		}
		if !a.Reversible && !a.ReadOnly && a.RiskLevel != plan.Low {
			s.write(w, "      %s", paint(yellow, "this can't be undone"))
		}
		if a.Error != nil {
			s.write(w, "      %s", paint(red, a.Error.Message))
		}
		if a.Status == core.ActionUnknown {
			s.sayWhether(w, d, a)
		}
	}
}

// next is what a person can type about a draft.
func next(d core.DraftView) []string {
	if d.DraftID == "" {
		return []string{"errand resume " + d.RunID}
	}
	if d.State.Final() || d.State == approval.StateApplying || len(d.Questions) > 0 {
		return nil
	}
	if d.Withheld || d.NeedsSecrets() { // this program ends before anybody could answer
		return []string{"it holds a secret, which is not kept: run it again, with --yes or where you can be asked"}
	}
	approve := "errand approve " + d.DraftID
	if d.Confirm > 0 {
		approve += fmt.Sprintf(" --confirm %d", d.Confirm)
	}
	return []string{approve, "errand reject " + d.DraftID}
}

// argument is an argument's value in full: a text as it is, all else as JSON.
func argument(v any) string {
	if text, ok := v.(string); ok && text != "" {
		return text
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// quoted is a value as a shell takes it.
func quoted(v string) string {
	if v != "" && !strings.ContainsFunc(v, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:", r))
	}) {
		return v
	}
	return "'" + strings.ReplaceAll(v, "'", `'\''`) + "'"
}
