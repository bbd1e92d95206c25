package print

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"errand/app/drafts"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/approval"
)

// PrintDraft prints a draft in full, and what to type next.
func (s *Console) PrintDraft(w io.Writer, d drafts.View) {
	if d.DraftID == "" { // a run that never waited
		s.Write(w, "%s", Paint(Bold, "run "+d.RunID))
	} else {
		s.Write(w, "%s", Paint(Bold, "draft "+d.DraftID+" · "+s.standing(d)))
	}
	s.Write(w, "  %s", d.Goal)
	if d.Demo {
		s.Write(w, "  in the demo: the sites are pages built into the program")
	}
	if d.Reason != "" && len(d.Questions) == 0 { // else the questions are the reason
		s.Write(w, "  %s", d.Reason)
	}
	s.PrintDraftBody(w, d)
	for _, q := range d.Questions {
		s.Write(w, "%s", q.Question)
		for _, c := range q.Choices {
			s.Write(w, "  - %s   %s", c.Label, Paint(Quiet, fmt.Sprintf("errand answer %s %s=%s", d.DraftID, q.ID, quote(FirstOf(c.Value, c.Label)))))
		}
		if q.FreeTextAllowed {
			s.Write(w, "  - your own words   %s", Paint(Quiet, fmt.Sprintf("errand answer %s %s=…", d.DraftID, q.ID)))
		}
	}
	for _, line := range next(d) {
		s.Write(w, "%s", Paint(Quiet, line))
	}
}

// PrintDraftBody prints what an approval covers: the part of the goal, the actions,
// and the steps that can't be undone.
func (s *Console) PrintDraftBody(w io.Writer, d drafts.View) {
	if d.Part != "" {
		s.Write(w, "  only a part: %s", d.Part)
	}
	s.draftActions(w, d)
	for _, step := range d.Irreversible {
		s.Write(w, "  %s %s can't be undone: %s", step.StepID, step.Tool, step.Reason)
	}
}

// standing says how a draft stands, in a few words, and how long it still waits.
func (s *Console) standing(d drafts.View) string {
	if left := TimeLeft(d); left != "" {
		return StateOf(d) + ", " + left
	}
	return StateOf(d)
}

// TimeLeft is how long a draft still waits; empty for one that doesn't.
func TimeLeft(d drafts.View) string {
	if d.State != approval.StateDraft && d.State != approval.StateBlocked {
		return ""
	}
	return time.Until(d.ExpiresAt).Round(time.Second).String() + " left"
}

func StateOf(d drafts.View) string {
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

// draftActions prints each action with its full arguments, the reason for asking,
// the files that it destroys and whether it can be undone.
func (s *Console) draftActions(w io.Writer, d drafts.View) {
	for _, a := range d.Actions {
		s.Write(w, "  %s  %s%s", a.ActionID, FirstOf(a.Preview, a.Tool), statusOf(a))
		what := a.Tool
		if len(a.DependsOn) > 0 {
			what += ", after " + strings.Join(a.DependsOn, ", ")
		}
		s.Write(w, "      %s", Paint(Quiet, what))
		for _, name := range slices.Sorted(maps.Keys(a.Args)) {
			s.Write(w, "      %s: %s", name, Argument(a.Args[name]))
		}
		if a.Verdict == policy.Ask && a.Reason != "" {
			s.Write(w, "      asks: %s", a.Reason)
		}
		for _, name := range a.Destroys {
			s.Write(w, "      destroys %s", name)
		}
		if more := a.Count - len(a.Destroys); len(a.Destroys) > 0 && more > 0 {
			s.Write(w, "      … and %d more", more)
		}
		if a.Note != "" {
			s.Write(w, "      %s", a.Note)
		}
		if !a.Reversible && !a.ReadOnly && a.RiskLevel != plan.Low {
			s.Write(w, "      %s", Paint(Yellow, "this can't be undone"))
		}
		if a.Error != nil {
			s.Write(w, "      %s", Paint(Red, a.Error.Message))
		}
		if a.Status == drafts.ActionUnknown {
			s.printOutcomeHint(w, d, a)
		}
	}
}

// next is what a person can type about a draft.
func next(d drafts.View) []string {
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

// Argument is an argument's value in full: a text as it is, all else as JSON.
func Argument(v any) string {
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

// ShowDraft is the answer of a command whose outcome is a draft.
func (s *Console) ShowDraft(d drafts.View) {
	if s.JSON {
		s.Document(d)
		return
	}
	s.PrintDraft(s.Stdout, d)
}
