package print

import (
	"slices"

	"errand/app/plancheck"
	"errand/planner/message"
)

// PrintChecks prints the cases that differ and a summary, and sets the exit code.
// After an update only a case that can't be planned is a failure.
func (s *Console) PrintChecks(all []plancheck.Outcome, updated bool) {
	sum := plancheck.Summarise(all)
	broken := slices.ContainsFunc(all, func(o plancheck.Outcome) bool { return o.Err != nil })
	if sum.Failed > 0 && !updated || broken { // a case that can't be planned can't be updated
		s.Code = Failed
	}
	if s.JSON {
		type failure struct {
			File  string           `json:"file"`
			Line  int              `json:"line,omitempty"`
			Name  string           `json:"name"`
			Kind  plancheck.Kind   `json:"kind"`
			Diffs []plancheck.Diff `json:"diffs"`
			Why   message.Message  `json:"why,omitzero"`
			Error message.Message  `json:"error,omitzero"`
		}
		failures := []failure{}
		for _, o := range all {
			if !o.HasPassed() {
				f := failure{o.Case.File, o.Case.Line, o.Case.Name, o.Kind(), o.Diffs, o.Reason, message.FromError(o.Err)}
				failures = append(failures, f)
			}
		}
		kinds := map[plancheck.Kind]int{}
		for _, c := range sum.ByKind {
			kinds[c.Kind] = c.Cases
		}
		s.Document(map[string]any{"total": sum.Total, "failed": sum.Failed, "kinds": kinds, "failures": failures})
		return
	}
	for _, o := range all {
		if !o.HasPassed() {
			s.Print("cli.case_failed", "case", o.Case.Name, "place", o.Case.Location(), "fail", PaintMessage(Red, "cli.fail"))
			s.PrintLines(plancheck.Text(o, s.TextOf))
		}
	}
	var kinds []message.Message
	for _, c := range sum.ByKind {
		kinds = append(kinds, message.New("cli.cases_of_kind", "kind", c.Kind, "count", c.Cases))
	}
	if len(kinds) == 0 {
		s.Print("cli.cases_passed_failed", "passed", sum.Total-sum.Failed, "failed", sum.Failed)
	} else {
		s.Print("cli.cases_passed_failed_kinds", "passed", sum.Total-sum.Failed, "failed", sum.Failed, "kinds", kinds)
	}
}
