package planner

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"errand/planner/catalogue"
	"errand/planner/plan"
)

// Merge joins goals that one action reaches together. Only the merger in this file
// merges goals (GoalPlanner contract, guarantee G1). Its rules, in the order of the
// words:
//
//   - A visit to a site, then a search that names no site or the same one, is a search
//     on that site. The nearest visit counts, and it serves one search.
//   - The start of an app that is also a searchable site counts as a visit to that
//     site, for the search that follows.
//   - The start of a browser is dropped before a visit or a search, which start it
//     anyway.
//   - A visit or a search is dropped if a later goal wants something of the same page,
//     because that goal shows the page. A goal about a search that names no site takes
//     the site of the nearest earlier search for the same query.
//   - Of equal goals the first is kept.
//
// Goals about the open page are never merged, and separate the goals before them from those
// after them.
//
// A search on another site than the one visited keeps its site and ends the effect
// of the visit. Merge renumbers the goals g1, g2, …, carries dependencies over and
// derives the kind. The catalogue says which apps are browsers. Merge is idempotent,
// keeps a goal for everything asked and never invents a platform.
func Merge(set plan.GoalSet, c *catalogue.Catalogue) plan.GoalSet {
	m := newMerger(set, c)
	m.run()
	return m.result()
}

// Prepare makes a goal set ready for [Planner.Plan]: it merges the goals, gives the
// default platform to every search that still names no site, and fills in answers to
// the questions that Plan asks about goals, by the ids of the questions. It ignores
// other answers and values that were not offered. Set [Request].Prepared for its
// result.
func (p *Planner) Prepare(set plan.GoalSet, answers map[string]string) plan.GoalSet {
	m := newMerger(set, p.catalogue)
	m.run()
	for i := range m.goals {
		if g := &m.goals[i]; g.GoalType == plan.BrowserSearch && g.Platform == "" {
			g.Platform = p.defaultPlatform()
		}
	}
	m.run()
	if len(answers) > 0 {
		m.fill(answers)
		m.run()
		m.removeRejected(answers)
		m.run()
	}
	return m.result()
}

// merger merges goals. mergedInto[i] is the goal that goal i was merged into, i
// itself while it is kept.
type merger struct {
	goals      []plan.Goal
	mergedInto []int
	isRemoved  []bool // given up by an answer
	deps       graph
	catalogue  *catalogue.Catalogue
}

func newMerger(set plan.GoalSet, c *catalogue.Catalogue) *merger {
	n := len(set.Goals)
	m := &merger{goals: slices.Clone(set.Goals), mergedInto: make([]int, n), isRemoved: make([]bool, n), deps: newGraph(n), catalogue: c}
	byID := make(map[string]int, n)
	for i, g := range set.Goals {
		m.mergedInto[i] = i
		byID[goalID(g, i)] = i
	}
	for i, g := range set.Goals {
		for _, need := range set.Deps[goalID(g, i)] {
			if j, ok := byID[need]; ok && j != i {
				m.deps.add(i, j)
			}
		}
	}
	return m
}

// run applies the rules until no goal is dropped any more.
func (m *merger) run() {
	for m.applyRules() {
	}
}

// isKept reports whether goal i is neither merged into another nor removed.
func (m *merger) isKept(i int) bool { return m.mergedInto[i] == i && !m.isRemoved[i] }

// ids maps the ids that the kept goals would get now to their indices.
func (m *merger) ids() map[string]int {
	out := map[string]int{}
	for i := range m.goals {
		if m.isKept(i) {
			out[fmt.Sprintf("g%d", len(out)+1)] = i
		}
	}
	return out
}

// goalID is the id of goal i: its own, or one made of its index.
func goalID(g plan.Goal, i int) string {
	if g.GoalID != "" {
		return g.GoalID
	}
	return fmt.Sprintf("g%d", i+1)
}

// applyRules applies every rule once, from left to right, and reports whether it
// dropped a goal. A drop can make two goals neighbours, so that the caller repeats
// it.
func (m *merger) applyRules() bool {
	const none = -1
	before := m.countMerged()
	visit := none  // the nearest visit that no search has used
	fixed := false // something is done on the page of that visit before the search
	var launches []int
	seen := map[plan.Goal]int{}
	shown := map[plan.Goal]int{} // pages, by the goals that only show them
	sites := map[string]string{} // by what was searched last: where
	for i := range m.goals {
		if !m.isKept(i) {
			continue
		}
		g := &m.goals[i]
		if g.ControlsPage() { // it is about the page that is open then, and what follows comes after it
			clear(seen)
			clear(shown)
			if fixed = true; plan.LeavesPage(g.Action + "_" + g.ObjectType) {
				visit = none
			}
			continue
		}
		if site, ok := sites[g.Query]; ok && g.GoalType == plan.BrowserSearch && g.OnPage() && g.Platform == "" {
			g.Platform = site
		}
		if page := pageOf(*g); g.OnPage() {
			if j, ok := shown[page]; ok && m.isKept(j) && !opensExternally(*g) {
				m.mergeInto(j, i)
			}
		} else {
			shown[page] = i
		}
		switch g.GoalType {
		case plan.AppLaunch:
			switch app := normalizeID(g.Target); {
			case m.catalogue.Browser(app): // it starts anyway when a page is opened
				launches = append(launches, i)
			case m.catalogue.Searchable(app):
				visit, fixed = i, false
			}
		case plan.BrowserNavigate:
			if !opensExternally(*g) {
				visit, fixed = i, false
			}
		case plan.BrowserSearch:
			if visit != none {
				if site := siteOf(m.goals[visit]); site != "" && (g.Platform == "" || normalizeID(g.Platform) == normalizeID(site)) {
					g.Platform = site
					if !m.goals[visit].OnPage() && !fixed {
						m.mergeInto(visit, i)
					}
				}
			}
			visit, fixed = none, false
			sites[g.Query] = g.Platform
		}
		if (g.GoalType == plan.BrowserNavigate || g.GoalType == plan.BrowserSearch) && !opensExternally(*g) {
			for _, l := range launches {
				m.mergeInto(l, i)
			}
			launches = nil
		}
		key := *g
		key.GoalID = ""
		if first, twice := seen[key]; twice && m.isKept(first) {
			m.mergedInto[i] = first // what the repetition waited for is not needed: the first one reaches it
		} else {
			seen[key] = i
		}
	}
	return m.countMerged() > before
}

// pageOf is the goal that only shows the page of g.
func pageOf(g plan.Goal) plan.Goal {
	g.GoalID, g.Action, g.ObjectType, g.Limit, g.SaveTo = "", "", "", 0, ""
	if g.GoalType == plan.BrowserNavigate {
		g.Query, g.Platform = "", "" // of a download the file's name; the site follows from the address
	}
	return g
}

// opensExternally reports whether a goal uses the user's own browser instead of the
// managed one.
func opensExternally(g plan.Goal) bool { return g.Action+"_"+g.ObjectType == plan.OpenExternal }

func (m *merger) countMerged() int {
	n := 0
	for i, s := range m.mergedInto {
		if s != i {
			n++
		}
	}
	return n
}

// mergeInto merges goal i into goal by, which takes over the dependencies of i.
func (m *merger) mergeInto(i, by int) {
	m.mergedInto[i] = by
	for _, need := range m.deps.out[i] {
		m.deps.add(by, need)
	}
}

// siteOf is the site of a visit. It is empty for a page deep inside a site, because
// a search would not show that page. An app that is also a site has the same id as
// the site.
func siteOf(g plan.Goal) string {
	if g.GoalType == plan.AppLaunch {
		return normalizeID(g.Target)
	}
	u, err := url.Parse(g.Target)
	if err != nil || u.RawQuery != "" || u.Fragment != "" || strings.Contains(strings.Trim(u.Path, "/"), "/") {
		return ""
	}
	return g.Platform
}

func (m *merger) representative(i int) int {
	for m.mergedInto[i] != i {
		i = m.mergedInto[i]
	}
	return i
}

// result renumbers the kept goals and carries the dependencies over. It drops a
// dependency that merging turned into a cycle, because the merged goal reaches both
// of its ends.
func (m *merger) result() plan.GoalSet {
	var goals []plan.Goal
	place := make([]int, len(m.goals))
	for i, g := range m.goals {
		if m.isKept(i) {
			place[i] = len(goals)
			g.GoalID = fmt.Sprintf("g%d", len(goals)+1)
			goals = append(goals, g)
		}
	}
	merged := len(goals) < len(m.goals)
	remaining := newGraph(len(goals))
	for i := range m.goals {
		if !m.isKept(i) {
			continue
		}
		for _, need := range m.deps.out[i] {
			by := m.representative(need)
			if m.isRemoved[by] {
				continue
			}
			from, to := place[i], place[by]
			if from != to && !(merged && remaining.hasPath(to, from)) {
				remaining.add(from, to)
			}
		}
	}
	deps := map[string][]string{}
	for i, needs := range remaining.out {
		slices.Sort(needs)
		for _, n := range needs {
			deps[goals[i].GoalID] = append(deps[goals[i].GoalID], goals[n].GoalID)
		}
	}
	return plan.NewGoalSet(goals, deps)
}
