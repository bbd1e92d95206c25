package planner

import (
	"fmt"
	"testing"

	"errand/planner/plan"
	"errand/planner/verify"
)

// add appends a tool to a problem that is being built.
func add(p *plan.Problem, name string, requires, effects []string) {
	p.Capabilities = append(p.Capabilities, tool(name, requires, effects))
}

// hanoi moves n discs from peg p1 to p3.
func hanoi(n int) plan.Problem {
	p := plan.Problem{World: []string{"clear-d1", "clear-p2", "clear-p3"}}
	places := []string{"p1", "p2", "p3"}
	for d := n; d >= 1; d-- {
		disc := f("d%d", d)
		for _, from := range places {
			for _, to := range places {
				if from != to {
					add(&p, f("mv-%s-%s-%s", disc, from, to), []string{"clear-" + disc, "clear-" + to, f("on-%s-%s", disc, from)},
						[]string{"!clear-" + to, f("!on-%s-%s", disc, from), "clear-" + from, f("on-%s-%s", disc, to)})
				}
			}
		}
		places = append(places, disc)
		start, end := f("d%d", d+1), f("d%d", d+1)
		if d == n {
			start, end = "p1", "p3"
		}
		p.World, p.Goal = append(p.World, f("on-%s-%s", disc, start)), append(p.Goal, f("on-%s-%s", disc, end))
	}
	return p
}

// gripper carries n balls from room A to room B with two hands.
func gripper(n int) plan.Problem {
	p := plan.Problem{World: []string{"free-l", "free-r", "rob-A"}}
	add(&p, "move-A-B", []string{"rob-A"}, []string{"!rob-A", "rob-B"})
	add(&p, "move-B-A", []string{"rob-B"}, []string{"!rob-B", "rob-A"})
	for b := range n {
		p.World, p.Goal = append(p.World, f("at-b%d-A", b)), append(p.Goal, f("at-b%d-B", b))
		for _, hand := range []string{"l", "r"} {
			for _, room := range []string{"A", "B"} {
				at, carry, free := f("at-b%d-%s", b, room), f("carry-b%d-%s", b, hand), "free-"+hand
				add(&p, f("pick-b%d-%s-%s", b, hand, room), []string{at, free, "rob-" + room}, []string{"!" + at, "!" + free, carry})
				add(&p, f("drop-b%d-%s-%s", b, hand, room), []string{carry, "rob-" + room}, []string{"!" + carry, at, free})
			}
		}
	}
	return p
}

// grid visits every place of a w by h grid.
func grid(w, h int) plan.Problem {
	p := plan.Problem{World: []string{"at-00", "seen-00"}}
	for x := range w {
		for y := range h {
			p.Goal = append(p.Goal, f("seen-%d%d", x, y))
			for _, d := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
				if a, b := x+d[0], y+d[1]; a >= 0 && b >= 0 && a < w && b < h {
					here, there := f("at-%d%d", x, y), f("at-%d%d", a, b)
					add(&p, f("mv-%d%d-%d%d", x, y, a, b), []string{here}, []string{"!" + here, there, f("seen-%d%d", a, b)})
				}
			}
		}
	}
	return p
}

// toggles switches off a row of n lamps, of which the outer two are on and two
// neighbours are always switched together.
func toggles(n int) plan.Problem {
	p := plan.Problem{World: []string{"on0", f("on%d", n-1)}}
	state := func(lamp int, on bool) string {
		if on {
			return f("on%d", lamp)
		}
		return f("!on%d", lamp)
	}
	for i := range n {
		p.Goal = append(p.Goal, state(i, false))
		for v := range 4 {
			if a, b := v&1 == 1, v&2 == 2; i+1 < n {
				add(&p, f("tog%d-%d", i, v), []string{state(i, a), state(i+1, b)}, []string{state(i, !a), state(i+1, !b)})
			}
		}
	}
	return p
}

// triangles: k goals of three facts, where each tool gives two. With join, all
// of them are required by one last tool.
func triangles(k int, join bool) plan.Problem {
	var p plan.Problem
	for i := range k {
		for _, pair := range [][2]int{{1, 2}, {2, 3}, {1, 3}} {
			add(&p, f("s%d.%d%d", i, pair[0], pair[1]), nil, []string{f("g%d_%d", pair[0], i), f("g%d_%d", pair[1], i)})
		}
		p.Goal = append(p.Goal, f("g1_%d", i), f("g2_%d", i), f("g3_%d", i))
	}
	if join {
		add(&p, "join", p.Goal, []string{"end"})
		p.Goal = []string{"end"}
	}
	return p
}

// crowd has k one-step goals beside a pair in which x has to come before y.
func crowd(k int) plan.Problem {
	p := generator{Kind: "wide", K: k}.problem()
	add(&p, "tx", []string{"!y"}, []string{"x"})
	add(&p, "ty", nil, []string{"y"})
	p.Goal = append(p.Goal, "x", "y")
	return p
}

// quarrel is a crowd in which x and y shut each other out.
func quarrel(k int) plan.Problem {
	p := crowd(k)
	p.Capabilities[k+1].Requires = []string{"!x"}
	return p
}

var families = []struct {
	name    string
	problem plan.Problem
	status  plan.Status
	actions int
}{
	{"hanoi 4", hanoi(4), plan.Success, 15},
	{"hanoi 5", hanoi(5), plan.Success, 31},
	{"gripper 6", gripper(6), plan.Success, 17},
	{"gripper 7", gripper(7), plan.Success, 21},
	{"grid 3x4", grid(3, 4), plan.Success, 11},
	{"grid 4x4", grid(4, 4), plan.Success, 15},
	{"toggles 8", toggles(8), plan.Success, 7},
	{"toggles 12", toggles(12), plan.Success, 11},
	{"triangles 12", triangles(12, false), plan.Success, 24},
	{"joined triangles 12", triangles(12, true), plan.Success, 25},
	{"crowd 300", crowd(300), plan.Success, 302},
	{"quarrel 60", quarrel(60), plan.Partial, 61},
}

// TestFamilies: problems whose least number of actions is known.
func TestFamilies(t *testing.T) {
	for _, tt := range families {
		t.Run(tt.name, func(t *testing.T) {
			got := mustSolve(t, tt.problem)
			p, _ := got.Plan()
			if got.Status() != tt.status || p.Len() != tt.actions {
				t.Errorf("%s with %d actions, want %s with %d", got.Status(), p.Len(), tt.status, tt.actions)
			}
			if proof, _ := got.Proof(); proof.Kind == plan.Unproved {
				t.Error("not proved smallest")
			}
			for _, fault := range verify.Check(tt.problem, got) {
				t.Error(fault)
			}
		})
	}
}

func BenchmarkFamilies(b *testing.B) {
	for _, tt := range families {
		b.Run(fmt.Sprint(tt.name), func(b *testing.B) {
			for b.Loop() {
				mustSolve(b, tt.problem)
			}
		})
	}
}
