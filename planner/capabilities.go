package planner

import (
	"fmt"
	"slices"
	"strings"

	"errand/planner/plan"
)

// checkCapabilities checks capabilities and returns each name once, in the order of the
// names, so that nothing later depends on the order of the input: two of one
// name count as one if they agree and are an error if they don't. The list
// itself is not touched, and its entries are not copied: there may be thousands.
func checkCapabilities(capabilities []plan.Capability) ([]*plan.Capability, error) {
	tools := make([]*plan.Capability, len(capabilities))
	for i := range capabilities {
		tools[i] = &capabilities[i]
	}
	compare := func(a, b *plan.Capability) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(tools, compare) {
		slices.SortStableFunc(tools, compare)
	}
	out := tools[:0]
	for _, c := range tools {
		if !plan.ValidToolName(c.Name) {
			return nil, fmt.Errorf("read capabilities: tool name %q is not 1 to 64 letters, digits, dots, dashes or underscores", c.Name)
		}
		if n := len(out); n > 0 && out[n-1].Name == c.Name {
			if !sameCapability(*c, *out[n-1]) {
				return nil, fmt.Errorf("read capabilities: tool %q is defined twice and differently", c.Name)
			}
			continue
		}
		if err := validFacts(c.Requires, c.Effects); err != nil {
			return nil, fmt.Errorf("read capabilities: tool %q: %v", c.Name, err)
		}
		out = append(out, c)
	}
	return out, nil
}

func validFacts(lists ...[]string) error {
	for _, list := range lists {
		for _, f := range list {
			if f == "" || f == "!" || strings.HasPrefix(f, "!!") {
				return fmt.Errorf("%q is not a fact", f)
			}
		}
	}
	return nil
}

func sameCapability(a, b plan.Capability) bool {
	return a.ReadOnly == b.ReadOnly && a.RiskLevel == b.RiskLevel && sameSet(a.CanAchieve, b.CanAchieve) &&
		sameSet(a.Requires, b.Requires) && sameSet(a.Effects, b.Effects) && sameSet(a.Params, b.Params)
}

func sameSet(a, b []string) bool {
	set := func(s []string) []string { return slices.Compact(slices.Sorted(slices.Values(s))) }
	return slices.Equal(set(a), set(b))
}
