package planner

import (
	"slices"
	"strings"

	"errand/planner/message"
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
			return nil, message.Error("planner.tool_name", "tool", c.Name)
		}
		if n := len(out); n > 0 && out[n-1].Name == c.Name {
			if !sameCapability(*c, *out[n-1]) {
				return nil, message.Error("planner.tool_defined_twice", "tool", c.Name)
			}
			continue
		}
		if err := validFacts(c.Requires, c.Effects); err != nil {
			return nil, message.Error("planner.tool_facts", "tool", c.Name, "cause", err)
		}
		out = append(out, c)
	}
	return out, nil
}

// keepPreferred returns the tools of the highest preference. The list is not touched.
func keepPreferred(tools []*plan.Capability) []*plan.Capability {
	if len(tools) < 2 {
		return tools
	}
	best := slices.MaxFunc(tools, func(a, b *plan.Capability) int { return a.Preference - b.Preference }).Preference
	return slices.Collect(func(yield func(*plan.Capability) bool) {
		for _, c := range tools {
			if c.Preference == best && !yield(c) {
				return
			}
		}
	})
}

func validFacts(lists ...[]string) error {
	for _, list := range lists {
		for _, f := range list {
			if f == "" || f == "!" || strings.HasPrefix(f, "!!") {
				return message.Error("planner.not_a_fact", "fact", f)
			}
		}
	}
	return nil
}

func sameCapability(a, b plan.Capability) bool {
	return a.ReadOnly == b.ReadOnly && a.RiskLevel == b.RiskLevel && a.Preference == b.Preference && sameSet(a.CanAchieve, b.CanAchieve) &&
		sameSet(a.Requires, b.Requires) && sameSet(a.Effects, b.Effects) && sameSet(a.Params, b.Params)
}

func sameSet(a, b []string) bool {
	set := func(s []string) []string { return slices.Compact(slices.Sorted(slices.Values(s))) }
	return slices.Equal(set(a), set(b))
}
