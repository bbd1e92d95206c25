package planner

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"errand/planner/catalogue"
	"errand/planner/plan"
)

// Merge joins goals that one action reaches together. It is the only place
// where goals are merged (GoalPlanner contract, guarantee G1). In order of the
// words:
//
//   - a visit to a site, then a search that names no site: a search on that
//     site. The nearest visit counts, and it serves one search;
//   - a visit to a site, then a search that names the same site: the search;
//   - an app started that is a searchable site too counts as a visit to that
//     site, for the search that follows;
//   - a browser started, then a visit or a search: the browser starts anyway,
//     the start is dropped;
//   - a visit or a search, then something wanted of that very page: the page is
//     shown for it anyway, the visit is dropped. What is wanted of a search that
//     names no site is wanted of the nearest search for the same before it;
//   - equal goals: one of them.
//
// A search on another site than the one visited keeps its own site and ends
// the reach of the visit. Goals are numbered g1, g2, … anew, dependencies
// follow their goals, and the kind is derived. The catalogue says which apps
// are browsers. Merge is idempotent, keeps a goal for everything asked and
// never makes up a platform.
func Merge(set plan.GoalSet, c *catalogue.Catalogue) plan.GoalSet {
	m := newMerger(set, c)
	m.run()
	return m.result()
}

// Prepare makes a goal set ready for [Planner.Plan], which need not merge it
// again (see [Request]): it merges the goals, gives the default platform to
// every search that still names no site, and puts in the answers to the questions
// that Plan asks about the goals, by the ids of the questions. It ignores answers
// to anything else and values that were not offered.
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
		m.settle(answers)
		m.run()
	}
	return m.result()
}

// merger holds the goals that are left. stands[i] is the original goal that
// now stands for original goal i, itself while it is kept.
type merger struct {
	goals      []plan.Goal
	mergedInto []int
	removed    []bool // given up by an answer
	deps       graph
	catalogue  *catalogue.Catalogue
}

func newMerger(set plan.GoalSet, c *catalogue.Catalogue) *merger {
	n := len(set.Goals)
	m := &merger{goals: slices.Clone(set.Goals), mergedInto: make([]int, n), removed: make([]bool, n), deps: newGraph(n), catalogue: c}
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
func (m *merger) isKept(i int) bool { return m.mergedInto[i] == i && !m.removed[i] }

// ids maps the ids that the kept goals would get now to their places.
func (m *merger) ids() map[string]int {
	out := map[string]int{}
	for i := range m.goals {
		if m.isKept(i) {
			out[fmt.Sprintf("g%d", len(out)+1)] = i
		}
	}
	return out
}

// goalID is a goal's id, or the one that its place gives it.
func goalID(g plan.Goal, i int) string {
	if g.GoalID != "" {
		return g.GoalID
	}
	return fmt.Sprintf("g%d", i+1)
}

// applyRules applies every rule once from left to right and reports whether a goal
// was dropped. One drop can bring two goals together, so that passes repeat.
func (m *merger) applyRules() bool {
	const none = -1
	before := m.countMerged()
	visit := none // the nearest visit that no search has used
	var launches []int
	seen := map[plan.Goal]int{}
	shown := map[plan.Goal]int{} // pages, by the goals that only show them
	sites := map[string]string{} // by what was searched last: where
	for i := range m.goals {
		if !m.isKept(i) {
			continue
		}
		g := &m.goals[i]
		if site, ok := sites[g.Query]; ok && g.GoalType == plan.BrowserSearch && g.OnPage() && g.Platform == "" {
			g.Platform = site
		}
		if page := pageOf(*g); g.OnPage() {
			if j, ok := shown[page]; ok && m.isKept(j) && !opensExternally(*g) {
				m.absorb(j, i)
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
				visit = i
			}
		case plan.BrowserNavigate:
			if !opensExternally(*g) {
				visit = i
			}
		case plan.BrowserSearch:
			if visit != none {
				if site := siteOf(m.goals[visit]); site != "" && (g.Platform == "" || normalizeID(g.Platform) == normalizeID(site)) {
					g.Platform = site
					if !m.goals[visit].OnPage() {
						m.absorb(visit, i)
					}
				}
			}
			visit = none
			sites[g.Query] = g.Platform
		}
		if (g.GoalType == plan.BrowserNavigate || g.GoalType == plan.BrowserSearch) && !opensExternally(*g) {
			for _, l := range launches {
				m.absorb(l, i)
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

// pageOf is the goal that only shows the page which a goal is about.
func pageOf(g plan.Goal) plan.Goal {
	g.GoalID, g.Action, g.ObjectType, g.Limit, g.SaveTo = "", "", "", 0, ""
	if g.GoalType == plan.BrowserNavigate {
		g.Query, g.Platform = "", "" // of a download the file's name; the site follows from the address
	}
	return g
}

// opensExternally reports whether a goal is reached without the page in the managed
// browser.
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

// absorb drops goal i, for which goal by stands from now on; by waits for what
// i waited for.
func (m *merger) absorb(i, by int) {
	m.mergedInto[i] = by
	for _, need := range m.deps.out[i] {
		m.deps.add(by, need)
	}
}

// siteOf is the site that a visit means, none if it is to a page deep inside
// it, which a search would not show. An app that is a site too goes by one id.
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

// result numbers the goals that are left and carries the dependencies over. A
// dependency that merging turned into a circle falls away: both of its ends
// are now reached by the goals that stand for them.
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
	kept := newGraph(len(goals))
	for i := range m.goals {
		if !m.isKept(i) {
			continue
		}
		for _, need := range m.deps.out[i] {
			by := m.representative(need)
			if m.removed[by] {
				continue
			}
			from, to := place[i], place[by]
			if from != to && !(merged && kept.reaches(to, from)) {
				kept.add(from, to)
			}
		}
	}
	deps := map[string][]string{}
	for i, needs := range kept.out {
		slices.Sort(needs)
		for _, n := range needs {
			deps[goals[i].GoalID] = append(deps[goals[i].GoalID], goals[n].GoalID)
		}
	}
	return plan.NewGoalSet(goals, deps)
}
