package print

import (
	"io"
	"maps"
	"slices"
	"strings"

	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// PrintAction prints one action with its arguments, and its verdict if there is one.
func (s *Console) PrintAction(w io.Writer, a plan.Action, v *runs.Verdict) {
	if v != nil {
		a = drafts.Forecast(a, *v)
	}
	title := a.Preview
	if title.IsZero() {
		title = message.Verbatim(a.ExpectedEffect)
	}
	s.Writef(w, "  %s  %s", numeral(a.ActionID), title)
	var args []string
	for _, name := range slices.Sorted(maps.Keys(a.Args)) {
		args = append(args, name+" "+Argument(a.Args[name]))
	}
	s.Writef(w, "     %s  %s", Paint(Quiet, a.Tool), strings.Join(args, "  "))
	if len(a.DependsOn) > 0 {
		s.Write(w, "cli.action_after", "steps", a.DependsOn)
	}
	if v != nil {
		word, reason := describeVerdict(*v)
		s.Writef(w, "     %s — %s", word, reason)
	}
}

// numeral returns an action's number, or the name that a recipe gave it.
func numeral(id string) string {
	if n, ok := strings.CutPrefix(id, "a"); ok && strings.Trim(n, "0123456789") == "" {
		return n
	}
	return id
}

func (s *Console) PrintVerdicts(all []runs.Verdict) {
	for _, v := range all {
		word, reason := describeVerdict(v)
		s.Printf("  %s  %s — %s", numeral(v.ActionID), word, reason)
	}
}

// describeVerdict returns the policy decision about an action and its reason.
func describeVerdict(v runs.Verdict) (ColoredText, message.Message) {
	switch {
	case v.Error != nil:
		return PaintMessage(Red, "cli.verdict_refused"), v.Error.Message
	case v.Decision.Verdict == policy.Allow:
		return PaintMessage(Green, "cli.verdict_allowed"), v.Decision.Reason
	case v.Decision.Verdict == policy.Ask:
		return PaintMessage(Yellow, "cli.verdict_asks"), v.Decision.Reason
	}
	return PaintMessage(Red, "cli.verdict_denied"), v.Decision.Reason
}

func (s *Console) PrintQuestions(questions []plan.Question) {
	for _, q := range questions {
		s.Sayf("%s", q.Question.MapText(message.Visible))
		printUnused(s, s.Stderr, q)
		for _, c := range q.Choices {
			s.Sayf("  - %s", c.Label.MapText(message.Visible))
		}
	}
}

// printUnused prints the goal of a question with the unused words struck through.
func printUnused(s *Console, w io.Writer, q plan.Question) {
	if u := q.Unused; u != nil {
		s.Writef(w, "  %s%s%s", u.Before, Paint(Strike, u.Words), u.After)
	}
}

// PrintSuggestions prints supported goals that are similar to an unsupported one.
func (s *Console) PrintSuggestions(in planning.Interpretation) {
	if len(in.Suggestions) == 0 {
		return
	}
	s.Sayf("%s", in.SuggestionIntro())
	for _, goal := range in.Suggestions {
		s.Sayf("  %s", goal)
	}
}
