package planner

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/build/tier"
	"errand/planner/plan"
	"errand/planner/verify"
)

// drawing makes problems of one family with random parameters.
type drawing struct {
	*rand.Rand
	plan.Problem
}

func (d *drawing) tool(name string, requires []string, effects ...string) {
	add(&d.Problem, name, requires, effects)
}

func (d *drawing) between(low, high int) int { return low + d.IntN(high-low+1) }

func (d *drawing) chance(odds int) bool { return d.IntN(odds) == 0 }

// some are each of the facts with a chance of one in odds.
func (d *drawing) some(odds int, facts ...string) []string {
	out := []string{}
	for _, f := range facts {
		if d.chance(odds) {
			out = append(out, f)
		}
	}
	return out
}

func numberedFacts(format string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, f(format, i))
	}
	return out
}

// steps is a chain of n tools from one fact to another.
func (d *drawing) steps(prefix, from, to string, n int) {
	var requires []string
	if from != "" {
		requires = []string{from}
	}
	for i := 1; i <= n; i++ {
		effect := f("%s%d", prefix, i)
		if i == n {
			effect = to
		}
		d.tool(f("%s.s%d", prefix, i), requires, effect)
		requires = []string{effect}
	}
}

var drawn = map[string]func(*drawing){
	"chain with short cuts": func(d *drawing) {
		n := d.between(2, 12)
		d.steps("c", "", "end", n)
		for i := range d.between(0, 4) {
			from, to := d.between(1, n), d.between(1, n)
			d.tool(f("cut%d", i), []string{f("c%d", from)}, f("c%d", to))
		}
		d.Goal, d.World = []string{"end"}, d.some(8, numberedFacts("c%d", n)...)
	},
	"diamond": func(d *drawing) {
		layers := d.between(1, 3)
		d.tool("root", nil, "s0")
		for i := 1; i <= layers; i++ {
			var all []string
			for j := range d.between(1, 3) {
				all = append(all, f("m%d_%d", i, j))
				d.tool(f("m%d_%d", i, j), []string{f("s%d", i-1)}, all[j])
			}
			d.tool(f("join%d", i), all, f("s%d", i))
			if d.chance(3) {
				d.tool(f("skip%d", i), []string{f("s%d", i-1), f("m%d_0", i)}, f("s%d", i))
			}
		}
		d.Goal = []string{f("s%d", layers)}
	},
	"alternatives": func(d *drawing) {
		for i := range d.between(2, 4) {
			d.steps(f("a%d_", i), "", "done", d.between(1, 4))
		}
		if d.chance(2) {
			d.tool("needs_two", []string{"a0_1", "a1_1"}, "done")
		}
		d.Goal = []string{"done"}
	},
	"set cover": func(d *drawing) {
		d.Goal = numberedFacts("g%d", d.between(4, 7))
		for i := range d.between(4, 9) {
			d.tool(f("s%d", i), d.some(9, "permit"), d.some(2, d.Goal...)...)
		}
		d.tool("permit", nil, "permit")
	},
	"cyclic cover": func(d *drawing) {
		n := d.between(3, 7)
		d.Goal = numberedFacts("g%d", n)
		for i, name := range d.Perm(n) {
			d.tool(f("s.%d", name), nil, d.Goal[i], d.Goal[(i+1)%n])
		}
	},
	"shared prerequisites": func(d *drawing) {
		depth := d.between(1, 4)
		d.steps("x", "", "ready", depth)
		for i := range d.between(1, 4) {
			d.Goal = append(d.Goal, f("g%d", i))
			d.tool(f("use%d", i), []string{"ready"}, f("g%d", i))
			if d.chance(2) {
				d.steps(f("own%d_", i), "", f("g%d", i), d.between(1, 3))
			}
		}
	},
	"circles": func(d *drawing) { // mostly blocked: each requires another
		facts := numberedFacts("f%d", d.between(2, 6))
		for i, fact := range facts {
			for j := range d.between(1, 2) {
				requires := append(d.some(4, facts...), facts[d.IntN(len(facts))])
				d.tool(f("t%d_%d", i, j), append(requires, d.some(4, "key", "ticket")...), fact)
			}
		}
		d.Goal, d.World = append(d.some(4, facts...), facts[0]), d.some(12, facts...)
	},
	"missing leaves": func(d *drawing) { // several ways, each lacking something
		d.Goal = numberedFacts("g%d", d.between(1, 2))
		leaves := numberedFacts("leaf%d", 5)
		for i, g := range d.Goal {
			for j := range d.between(1, 3) {
				d.tool(f("t%d_%d", i, j), append(d.some(3, leaves...), d.some(3, "mid0", "mid1")...), g)
			}
		}
		for i := range 2 {
			d.tool(f("mid%d", i), append(d.some(2, leaves...), leaves[i]), f("mid%d", i))
		}
		d.World = d.some(6, leaves...)
	},
	"partial": func(d *drawing) {
		for i := range d.between(2, 4) {
			g := f("g%d", i)
			d.Goal = append(d.Goal, g)
			switch d.IntN(4) {
			case 0:
			case 1:
				d.tool("t"+g, []string{"nothing"}, g)
			default:
				d.steps("p"+g, "", g, d.between(1, 3))
			}
		}
	},
	"only one of them": func(d *drawing) { // goals that shut each other out
		goals := numberedFacts("g%d", d.between(2, 4))
		for i, g := range goals {
			effects := []string{g}
			for _, other := range slices.Concat(goals[:i], goals[i+1:]) {
				effects = append(effects, d.some(2, "!"+other)...)
			}
			d.tool("t"+g, d.some(4, "!"+goals[0], goals[d.IntN(len(goals))]), effects...)
		}
		d.Goal, d.World = goals, d.some(5, goals...)
	},
	"fuel": func(d *drawing) {
		d.World = []string{"fuel"}
		for i := range d.between(1, 4) {
			d.Goal = append(d.Goal, f("g%d", i))
			d.tool(f("use%d", i), []string{"fuel"}, "!fuel", f("g%d", i))
		}
		if d.chance(2) {
			d.tool("refuel", []string{"!fuel"}, "fuel")
		}
		if d.chance(2) {
			d.tool("use_all", []string{"fuel", "permit"}, append(slices.Clone(d.Goal), "!fuel")...)
			d.steps("permit", "", "permit", d.between(1, 3))
		}
	},
	"hanoi": func(d *drawing) {
		d.Problem = hanoi(d.between(1, 3))
		if d.chance(2) { // a wish about the discs on the way
			d.Goal = d.Goal[d.IntN(len(d.Goal)):]
		}
	},
	"gripper": func(d *drawing) {
		d.Problem = gripper(d.between(1, 3))
		if d.chance(2) {
			d.Goal = append(d.Goal, "rob-A")
		}
	},
	"ferry": func(d *drawing) {
		places := numberedFacts("p%d", d.between(2, 3))
		d.World = []string{"boat-p0", "empty"}
		for i, a := range places {
			for j, b := range places {
				if i != j && (len(places) < 3 || i-j == 1 || j-i == 1) {
					d.tool(f("sail-%s-%s", a, b), []string{"boat-" + a}, "!boat-"+a, "boat-"+b)
				}
			}
		}
		for c := range d.between(1, 3) {
			from, to := places[d.IntN(len(places))], places[d.IntN(len(places))]
			d.World, d.Goal = append(d.World, f("c%d-%s", c, from)), append(d.Goal, f("c%d-%s", c, to))
			for _, at := range places {
				here, on := f("c%d-%s", c, at), f("c%d-on", c)
				d.tool(f("board-c%d-%s", c, at), []string{"boat-" + at, here, "empty"}, "!"+here, "!empty", on)
				d.tool(f("land-c%d-%s", c, at), []string{"boat-" + at, on}, "!"+on, here, "empty")
			}
		}
	},
	"locks and keys": func(d *drawing) {
		rooms := d.between(2, 4)
		d.World = []string{"at-r0"}
		for i := range rooms - 1 {
			here, there, door := f("at-r%d", i), f("at-r%d", i+1), f("open-%d", i)
			d.tool(f("go-%d-%d", i, i+1), []string{here, door}, "!"+here, there)
			d.tool(f("go-%d-%d", i+1, i), []string{there, door}, "!"+there, here)
			key := f("key%d", i)
			d.tool(f("unlock-%d", i), []string{here, "have-" + key}, door)
			lies := d.between(0, rooms-1) // where no one can fetch it, at times
			d.World = append(d.World, f("%s-r%d", key, lies))
			d.tool("take-"+key, []string{f("at-r%d", lies), f("%s-r%d", key, lies)}, f("!%s-r%d", key, lies), "have-"+key)
			if d.chance(4) {
				d.tool(f("break-%d", i), []string{here}, door, "noise")
			}
		}
		d.Goal = append([]string{f("at-r%d", rooms-1)}, d.some(4, "!noise")...)
	},
	"lamps": func(d *drawing) {
		d.Problem = toggles(d.between(2, 6))
		d.World = d.some(2, numberedFacts("on%d", len(d.Goal))...)
	},
	"absent goals": func(d *drawing) {
		facts := numberedFacts("f%d", d.between(2, 5))
		for i := range d.between(2, 5) {
			var effects []string
			for _, fact := range d.some(2, facts...) {
				effects = append(effects, []string{fact, "!" + fact}[d.IntN(2)])
			}
			d.tool(f("t%d", i), d.some(4, "!f0", "f1", "!f1", "f0"), effects...)
		}
		d.World = d.some(2, facts...)
		for _, fact := range append(d.some(3, facts...), facts[0]) {
			if !slices.Contains(d.Goal, fact) && !slices.Contains(d.Goal, "!"+fact) {
				d.Goal = append(d.Goal, []string{fact, "!" + fact}[d.IntN(2)])
			}
		}
	},
	"ties": func(d *drawing) { // of equal size, with all kinds of idle effects
		d.Goal = numberedFacts("g%d", d.between(1, 3))
		idle := numberedFacts("idle%d", 3)
		d.World = d.some(2, idle...)
		for i, g := range d.Goal {
			for j := range d.between(2, 3) {
				effects := append(d.some(2, idle...), g)
				if d.chance(2) {
					effects = append(effects, d.some(2, "!gone0", "!gone1")...)
				}
				d.tool(f("t%c%d", 'z'-rune(j), i), d.some(3, "base"), effects...)
			}
		}
		d.tool("base1", nil, append(d.some(2, idle...), "base")...)
		d.tool("base2", nil, append(d.some(2, idle...), "base")...)
	},
	"anything": func(d *drawing) {
		facts := numberedFacts("f%d", d.between(3, 8))
		literals := slices.Clone(facts)
		for _, fact := range facts {
			literals = append(literals, "!"+fact)
		}
		for i := range d.between(3, 9) {
			d.tool(f("t%d", i), d.some(6, literals...), d.some(5, literals...)...)
		}
		d.Goal, d.World = append(d.some(8, literals...), facts[0]), d.some(4, facts...)
	},
}

// drawnStates bounds what the definition is asked to visit.
const drawnStates = 20_000

// TestDrawnProblems holds the planner, over problems of each family, against the
// definition: status, size, canonical choice and what is unmet.
func TestDrawnProblems(t *testing.T) {
	n := tier.Size(40, 150)
	for family, draw := range drawn {
		t.Run(family, func(t *testing.T) {
			for seed := range uint64(n) {
				d := &drawing{Rand: rand.New(rand.NewPCG(seed, 5))}
				draw(d)
				compareDrawn(t, d.Problem)
				for _, fault := range verify.CheckStable(d.Problem, solveNow) {
					t.Error(fault)
				}
				if t.Failed() {
					t.Fatalf("draw %d: %+v", seed, d.Problem)
				}
			}
		})
	}
}

func compareDrawn(t *testing.T, p plan.Problem) {
	t.Helper()
	d, small := definitionOf(p, drawnStates)
	if !small {
		t.Errorf("more than %d states", drawnStates)
		return
	}
	want, got := d.answer(), mustSolve(t, p)
	for _, fault := range verify.Check(p, got) {
		t.Error(fault)
	}
	q, _ := got.Plan()
	if got.Status() != want.status || q.Len() != want.actions {
		t.Errorf("%s with %d actions, want %s with %d", got.Status(), q.Len(), want.status, want.actions)
		return
	}
	if names := slices.Sorted(slices.Values(tools(q))); !slices.Equal(names, want.names) {
		t.Errorf("tools %v, want %v", names, want.names)
	}
	if proof, planned := got.Proof(); planned && proof.Kind == plan.Unproved {
		t.Error("not proved smallest")
	}
	switch {
	case want.status != plan.Blocked:
		if diff := cmp.Diff(want.unmet, got.Unmet(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("unmet (-want +got):\n%s", diff)
		}
	case slices.ContainsFunc(p.Goal, func(f string) bool { return slices.Contains(p.Goal, "!"+f) }): // nothing helps
	case strings.Contains(marshal(t, p), "!"):
		checkBlocker(t, d, got.Unmet())
	default:
		if diff := cmp.Diff(d.blockers(), got.Unmet(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("unmet (-want +got):\n%s", diff)
		}
	}
}

// checkBlocker: where facts end, which blocker is named is the planner's
// choice, but it has to unblock the goal and to be no larger than it must.
func checkBlocker(t *testing.T, d *definition, unmet []string) {
	t.Helper()
	if ok, sure := d.reachable(unmet, drawnStates); sure && !ok {
		t.Errorf("blocked even with %v", unmet)
	}
	for i := range unmet {
		rest := slices.Concat(unmet[:i], unmet[i+1:])
		if ok, _ := d.reachable(rest, drawnStates); ok {
			t.Errorf("unmet %v, but %v is enough", unmet, rest)
		}
	}
}
