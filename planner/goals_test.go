package planner

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/planner/plan"
)

// TestDrawnGoals holds planning for goals against the definition as well: the
// same request, written down as a problem between facts in which each tool
// occurs once for each goal that it can achieve and once by itself, has the
// same status, size and rest.
func TestDrawnGoals(t *testing.T) {
	statuses := map[plan.Status]int{}
	for seed := range uint64(3000) {
		d := &drawing{Rand: rand.New(rand.NewPCG(seed, 23))}
		r, p := d.request()
		def, small := definitionOf(p, drawnStates)
		if !small {
			t.Fatalf("request %d has more than %d states", seed, drawnStates)
		}
		want, got := def.answer(), planFor(t, r)
		statuses[want.status]++
		q, _ := got.Plan()
		if got.Status() != want.status || q.Len() != want.actions {
			t.Errorf("%s with %d actions, want %s with %d", got.Status(), q.Len(), want.status, want.actions)
		}
		if want.status != plan.Blocked { // which facts unblock is compared between facts
			if diff := cmp.Diff(want.unmet, got.Unmet(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("unmet (-want +got):\n%s", diff)
			}
		}
		if t.Failed() {
			t.Fatalf("request %d: %+v", seed, r)
		}
	}
	for _, s := range []plan.Status{plan.Success, plan.Partial, plan.Blocked, plan.NoCapability} {
		if statuses[s] < 100 {
			t.Errorf("%s came up %d times: the test shows little about it", s, statuses[s])
		}
	}
}

// request draws goals and tools, and writes them down as a problem too, in which
// a goal is its expected effect.
func (d *drawing) request() (Request, plan.Problem) {
	goals := []plan.Goal{ask("time"), launch("notepad"), search("youtube", "q")}
	keys := []string{"system_query", "app_launch", "browser_search"}
	said := []string{"time_known", "notepad_running", "youtube_search_visible"}
	first := d.IntN(len(goals))
	n := d.between(1, len(goals)-first)
	goals, keys, said = goals[first:first+n], keys[first:first+n], said[first:first+n]
	deps := needs{}
	p := plan.Problem{Goal: said}
	for i := range goals {
		if i > 0 && d.chance(4) {
			deps[f("g%d", i+1)] = []string{f("g%d", i)}
		}
	}
	facts := []string{"a", "b", "c"}
	p.World = d.some(4, facts...)
	var capabilities []plan.Capability
	for i := range d.between(1, 5) {
		c := plan.Capability{
			Name: f("tool%d", i), CanAchieve: d.some(3, keys...),
			Requires: d.some(3, "a", "b", "c", "!c"), Effects: d.some(3, "a", "b", "c", "!a", "!b"),
		}
		capabilities = append(capabilities, c)
		add(&p, c.Name, c.Requires, c.Effects)
		for j, key := range keys {
			if !slices.Contains(c.CanAchieve, key) {
				continue
			}
			requires := slices.Clone(c.Requires)
			if len(deps[f("g%d", j+1)]) > 0 {
				requires = append(requires, said[j-1])
			}
			add(&p, f("%s.%d", c.Name, j+1), requires, append(slices.Clone(c.Effects), said[j]))
		}
	}
	r := withTools(request(), capabilities...)
	r.Goals, r.World = numbered(deps, goals...), plan.World{RecentFacts: p.World}
	return r, p
}
