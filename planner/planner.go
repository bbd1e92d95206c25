package planner

import (
	"strings"

	"errand/planner/catalogue"
	"errand/planner/installed"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/planner/solve"
)

// Planner makes plans for goals, with the sites and apps of a catalogue. It is
// immutable and safe for concurrent use.
type Planner struct {
	catalogue *catalogue.Catalogue

	// DefaultPlatform is the id of the site that a search without one is made
	// on; "google" if empty. Set it before the first plan.
	DefaultPlatform string
}

// defaultLanguage is that of a plan whose request names none.
const defaultLanguage = "en"

// New returns a planner over the sites and apps of c.
func New(c *catalogue.Catalogue) *Planner { return &Planner{catalogue: c} }

// Request is everything that a plan depends on. It is read, never changed.
type Request struct {
	Goals        plan.GoalSet
	Prepared     bool // Goals come from [Planner.Prepare] and are not merged again
	Several      bool // a goal was about many files, even if it is about one now
	World        plan.World
	Capabilities []plan.Capability
	Origin       plan.Origin // user_goal if empty
	Text         string      // the words that the goals came from
	Language     string      // of the plan; "en" if empty
	Voice        *plan.Voice // where the words were spoken

	Apps map[string]installed.App // installed apps that goals start, by their ids
}

// Plan merges the goals, and finds the fewest actions that reach them all:
// one for each goal and what those require. A goal that already holds is left
// out; where only some goals can be reached, the plan is for those. Cuts in the
// proof name tools, so that a tool that serves two goals stands in two of them.
//
// The error is a [*plan.AmbiguousError] where a goal is not decided (a file
// operation without an action, an app without a name, one thing both created
// and deleted), and otherwise says what is wrong with the request itself: one
// tool defined in two ways, dependencies in a circle.
func (p *Planner) Plan(r Request) (plan.Result, error) {
	tools, err := checkCapabilities(r.Capabilities)
	if err != nil {
		return plan.Result{}, err
	}
	if len(r.Goals.Goals) == 0 {
		return plan.Result{}, message.Error("planner.no_goals")
	}
	if err := checkDependencies(r.Goals); err != nil {
		return plan.Result{}, message.Error("planner.plan_goals", "cause", err)
	}
	set := r.Goals
	if !r.Prepared {
		set = Merge(set, p.catalogue)
	}
	a := &agenda{planner: p, request: r, tools: tools}
	if err := a.readGoals(set); err != nil {
		return plan.Result{}, err
	}
	return a.result(solve.Solve(a.problem(), solve.Budget{}))
}

// checkDependencies refuses dependencies on unknown goals and goals that wait for each
// other.
func checkDependencies(set plan.GoalSet) error {
	place := make(map[string]int, len(set.Goals))
	for i, g := range set.Goals {
		id := goalID(g, i)
		if _, twice := place[id]; twice {
			return message.Error("planner.goal_id_twice", "id", id)
		}
		place[id] = i
	}
	needs := newGraph(len(set.Goals))
	for id, list := range set.Deps {
		i, ok := place[id]
		if !ok {
			return message.Error("planner.unknown_goal", "id", id)
		}
		for _, n := range list {
			j, ok := place[n]
			if !ok {
				return message.Error("planner.unknown_dependency", "id", id, "needs", n)
			}
			needs.add(i, j)
		}
	}
	if needs.hasCycle() {
		return message.Error("planner.cycle")
	}
	return nil
}

func (p *Planner) defaultPlatform() string {
	if p.DefaultPlatform != "" {
		return p.DefaultPlatform
	}
	return "google"
}

// normalizeApp is the id of an app as the catalogue spells ids, or of an installed app as it is.
func normalizeApp(id string) string {
	if id = strings.TrimSpace(id); installed.IsID(id) {
		return id
	}
	return normalizeID(id)
}

// normalizeID is an id as the catalogue spells ids.
func normalizeID(id string) string { return strings.ToLower(strings.TrimSpace(id)) }
