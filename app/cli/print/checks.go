package print

import (
	"fmt"
	"slices"
	"strings"

	"errand/app/plancheck"
)

// PrintChecks prints the cases that differ and a summary, and sets the exit code.
// After an update only a case that can't be planned is a failure.
func (s *Console) PrintChecks(all []plancheck.Outcome, updated bool) {
	sum := plancheck.Summarise(all)
	broken := slices.ContainsFunc(all, func(o plancheck.Outcome) bool { return o.Err != nil })
	if sum.Failed > 0 && !updated || broken { // what can't be planned can't be updated either
		s.Code = Failed
	}
	if s.JSON {
		type failure struct {
			File  string           `json:"file"`
			Line  int              `json:"line,omitempty"`
			Name  string           `json:"name"`
			Kind  plancheck.Kind   `json:"kind"`
			Diffs []plancheck.Diff `json:"diffs"`
			Why   string           `json:"why,omitempty"`
			Error string           `json:"error,omitempty"`
		}
		failures := []failure{}
		for _, o := range all {
			if !o.Passed() {
				f := failure{o.Case.File, o.Case.Line, o.Case.Name, o.Kind(), o.Diffs, o.Why, ""}
				if o.Err != nil {
					f.Error = o.Err.Error()
				}
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
		if !o.Passed() {
			s.Print("%s %s (%s)", Paint(Red, "FAIL"), o.Case.Name, o.Case.Where())
			for line := range strings.Lines(plancheck.Text(o)) {
				s.Print("%s", strings.TrimSuffix(line, "\n"))
			}
		}
	}
	line := fmt.Sprintf("%d passed, %d failed", sum.Total-sum.Failed, sum.Failed)
	var by []string
	for _, c := range sum.ByKind {
		by = append(by, fmt.Sprintf("%s %d", c.Kind, c.Cases))
	}
	if len(by) > 0 {
		line += " (" + strings.Join(by, ", ") + ")"
	}
	s.Print("%s", line)
}
