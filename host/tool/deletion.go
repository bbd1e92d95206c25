package tool

import (
	"slices"
	"strings"

	"errand/planner/plan"
)

// Deletes reports whether calls of the tool delete something, by what it achieves, by its
// effects or by its name.
func (s Spec) Deletes() bool {
	return plan.IsDeletion(s.Name) ||
		slices.ContainsFunc(s.CanAchieve, func(key string) bool { return strings.HasPrefix(key, "delete_") }) ||
		slices.ContainsFunc(s.Effects, func(fact string) bool { return strings.HasSuffix(fact, "_deleted") })
}
