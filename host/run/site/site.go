// Package site finds out on which site each step of a plan acts: that of the page which an
// earlier step opens. A page can move to another site by itself, so the user approves a step
// for its site.
package site

import (
	"slices"

	"errand/host/tool"
	"errand/policy/website"
)

// Step is a call of a plan.
type Step struct {
	ID        string
	Spec      tool.Spec
	Effect    tool.Effect // by the arguments alone
	Args      map[string]any
	DependsOn []string
}

// Name is the site on which a step acts.
type Name struct {
	Site string // as [website.Of] returns it; "" for a step that may act on any page
	// Unknown reports that the step acts on a page, and that no step before it names the
	// page's site.
	Unknown bool
}

// Find returns the names of steps, in their order. The earlier steps are done. A step acts on
// the page that the steps before it open, of those on which it depends. If none of these
// opens a page, all steps before it count.
func Find(earlier, steps []Step) []Name {
	names := make([]Name, len(steps))
	var numbers map[string]int
	for i, s := range steps {
		if !s.isBound() {
			continue
		}
		if numbers == nil {
			numbers = numberTabs(slices.Concat(earlier, steps))
		}
		before := slices.Concat(earlier, ancestors(steps, i))
		if !slices.ContainsFunc(before, Step.opens) {
			before = slices.Concat(earlier, steps[:i])
		}
		names[i] = s.name(before, numbers)
	}
	return names
}

// isBound reports whether a step gives something to its page, changes it, or takes a file
// from it. Reading and following a link is possible on each page that policy allows.
func (s Step) isBound() bool {
	use := s.use()
	return (use == tool.UsesPage || use == tool.LeavesPage) && s.Effect.Rank() > tool.EffectNavigate.Rank()
}

func (s Step) use() tool.PageUse { return s.Spec.PageUse(s.Args) }

func (s Step) opens() bool { return s.use() == tool.OpensPage }

// site is the site that the arguments of a step name.
func (s Step) site() string { return website.Of(s.Spec.PageURL(s.Args)) }

func (s Step) name(before []Step, numbers map[string]int) Name {
	var open tabs
	for _, b := range before {
		open.follow(b, numbers[b.ID])
	}
	site := open.site()
	if named := s.site(); named != "" && !website.IsSame(named, site) { // of its element's document
		site = named
	}
	return Name{Site: site, Unknown: site == "" && s.use() == tool.UsesPage && slices.ContainsFunc(before, Step.opens)}
}

// numberTabs numbers the tabs that steps open, from 1.
func numberTabs(steps []Step) map[string]int {
	numbers := map[string]int{}
	for _, s := range steps {
		if s.opens() {
			numbers[s.ID] = len(numbers) + 1
		}
	}
	return numbers
}

// ancestors are the steps on which a step depends, in their order.
func ancestors(steps []Step, i int) []Step {
	needs := map[string]bool{}
	for _, id := range steps[i].DependsOn {
		needs[id] = true
	}
	var out []Step
	for _, s := range slices.Backward(steps[:i]) {
		if !needs[s.ID] {
			continue
		}
		out = append(out, s)
		for _, id := range s.DependsOn {
			needs[id] = true
		}
	}
	slices.Reverse(out)
	return out
}
