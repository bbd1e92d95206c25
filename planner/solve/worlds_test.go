package solve

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"errand/build/tier"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/planner/verify"
)

// manyWorlds is how many random worlds are compared with a brute-force search:
// a sample, or with ERRAND_TEST=long a million, which take about 25 seconds of
// one processor.
func manyWorlds() int { return tier.Size(60_000, 1_000_000) }

// most is the largest number of facts in a small world.
const most = 8

// oracle answers a problem of facts f0…f7 by visiting every state, breadth
// first. A state is a set of facts as bits.
type oracle struct {
	facts int
	world uint8
	goal  []string
	names []string
	pos   []uint8 // required to hold
	neg   []uint8 // required not to hold
	add   []uint8
	del   []uint8

	seen  []uint8 // states in the order in which they were met
	depth [1 << most]int16
}

var factNames = [2][most]string{
	{"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"},
	{"!f0", "!f1", "!f2", "!f3", "!f4", "!f5", "!f6", "!f7"},
}

func factList(pos, neg uint8) []string {
	out := make([]string, 0, bits.OnesCount8(pos)+bits.OnesCount8(neg))
	for i := range most {
		if pos>>i&1 == 1 {
			out = append(out, factNames[0][i])
		}
		if neg>>i&1 == 1 {
			out = append(out, factNames[1][i])
		}
	}
	return out
}

func (o *oracle) problem() plan.Problem {
	p := plan.Problem{World: factList(o.world, 0), Goal: o.goal}
	for i, n := range o.names {
		p.Capabilities = append(p.Capabilities, plan.Capability{
			Name: n, Requires: factList(o.pos[i], o.neg[i]), Effects: factList(o.add[i], o.del[i]),
		})
	}
	return p
}

var toolNames = [most]string{"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"}

// randomOracle draws a problem. Without negation nothing is ever ended.
func randomOracle(r *rand.Rand, tools, facts int, negation bool) *oracle {
	o := &oracle{facts: facts, names: toolNames[:tools]}
	few := func(odds int) uint8 {
		var s uint8
		for i := range facts {
			if r.IntN(odds) == 0 {
				s |= 1 << i
			}
		}
		return s
	}
	o.world = few(4)
	pos, neg := few(2), uint8(0)
	if negation {
		neg = few(6) &^ pos
	}
	o.goal = factList(pos, neg)
	for range tools {
		req, not, add, del := few(3), uint8(0), few(2), uint8(0)
		if negation {
			not, del = few(6)&^req, few(4)&^add
		}
		o.pos, o.neg, o.add, o.del = append(o.pos, req), append(o.neg, not), append(o.add, add), append(o.del, del)
	}
	return o
}

func (o *oracle) apply(s uint8, t int) (uint8, bool) {
	if s&o.pos[t] != o.pos[t] || s&o.neg[t] != 0 {
		return 0, false
	}
	return s&^o.del[t] | o.add[t], true
}

func (o *oracle) search() {
	for s := range o.depth {
		o.depth[s] = -1
	}
	o.depth[o.world], o.seen = 0, []uint8{o.world}
	for i := 0; i < len(o.seen); i++ {
		s := o.seen[i]
		for t := range o.names {
			if n, ok := o.apply(s, t); ok && o.depth[n] < 0 {
				o.depth[n] = o.depth[s] + 1
				o.seen = append(o.seen, n)
			}
		}
	}
}

func held(s uint8, f string) bool {
	if f[0] == '!' {
		return s>>(f[2]-'0')&1 == 0
	}
	return s>>(f[1]-'0')&1 == 1
}

func (o *oracle) kept(s uint8) []string {
	var out []string
	for _, f := range o.goal {
		if held(s, f) {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}

// answer is what the contract says about the problem: the status, the number of
// actions and the goals that hold at the end.
func (o *oracle) answer() (status plan.Status, actions int, kept []string) {
	o.search()
	kept = o.kept(o.world)
	if len(kept) == len(o.goal) {
		return plan.AlreadySatisfied, 0, kept
	}
	for _, s := range o.seen {
		k, d := o.kept(s), int(o.depth[s])
		if cmp.Or(cmp.Compare(len(kept), len(k)), cmp.Compare(d, actions), slices.Compare(k, kept)) < 0 {
			actions, kept = d, k
		}
	}
	switch {
	case len(kept) == len(o.goal):
		return plan.Success, actions, kept
	case actions > 0:
		return plan.Partial, actions, kept
	}
	for _, f := range o.goal {
		made := held(o.world, f)
		for t := range o.names {
			made = made || slices.Contains(factList(o.add[t], o.del[t]), f)
		}
		if !made {
			return plan.NoCapability, 0, nil
		}
	}
	return plan.Blocked, 0, nil
}

// ranks calls visit with the rank of each shortest plan that ends with kept.
func (o *oracle) ranks(actions int, kept []string, visit func(rank)) {
	tools := make([]int32, actions)
	var back func(s uint8, left int)
	back = func(s uint8, left int) {
		if left == 0 {
			visit(o.rank(tools, kept))
			return
		}
		for _, before := range o.seen {
			if int(o.depth[before]) != left-1 {
				continue
			}
			for t := range o.names {
				if n, ok := o.apply(before, t); ok && n == s {
					tools[left-1] = int32(t)
					back(before, left-1)
				}
			}
		}
	}
	for _, s := range o.seen {
		if int(o.depth[s]) == actions && slices.Equal(o.kept(s), kept) {
			back(s, actions)
		}
	}
}

func (o *oracle) rank(tools []int32, kept []string) rank {
	r := rank{ops: slices.Sorted(slices.Values(tools))}
	var support uint8
	for _, t := range tools {
		support |= o.pos[t]
	}
	for _, f := range kept {
		if f[0] != '!' {
			support |= 1 << (f[1] - '0')
		}
	}
	for _, t := range tools {
		for i := range o.facts {
			r.deletes += int(o.del[t] >> i & 1)
			r.sides += int((o.add[t] &^ support) >> i & 1)
		}
	}
	return r
}

// TestSmallWorlds compares with the oracle: status, size, what is left over,
// and the canonical choice. Half of the worlds have 4 tools and 4 facts and
// nothing negated, a quarter 4 and 4 with negation, the rest up to 8 and 7.
func TestSmallWorlds(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1000)) // hardly anything lives longer than one world
	n, workers := manyWorlds(), runtime.GOMAXPROCS(0)
	var counts sync.Map // status → how often it came up
	var wg sync.WaitGroup
	for first := range workers {
		wg.Go(func() {
			for seed := first; seed < n && !t.Failed(); seed += workers {
				o := smallWorld(seed)
				status := compare(t, o, seed%16 == 0)
				count, _ := counts.LoadOrStore(status, new(atomic.Int64))
				count.(*atomic.Int64).Add(1)
				if t.Failed() {
					t.Errorf("world %d: %+v", seed, o.problem())
				}
			}
		})
	}
	wg.Wait()
	for _, s := range []plan.Status{plan.Success, plan.Partial, plan.AlreadySatisfied, plan.Blocked, plan.NoCapability} {
		count, ok := counts.Load(s)
		if !ok || count.(*atomic.Int64).Load() < int64(n/200) {
			t.Errorf("%s hardly came up in %d worlds: the test shows little about it", s, n)
		}
	}
}

func smallWorld(seed int) *oracle {
	r := rand.New(rand.NewPCG(uint64(seed), 7))
	tools, facts := 4, 4
	if seed%4 == 3 {
		tools, facts = 2+r.IntN(7), 3+r.IntN(5)
	}
	return randomOracle(r, tools, facts, seed%2 == 1)
}

func operatorsOf(p plan.Problem) []Operator {
	var out []Operator
	for i, c := range p.Capabilities {
		out = append(out, Operator{Tool: &p.Capabilities[i], Goal: Bare, Requires: c.Requires, Effects: c.Effects})
	}
	return out
}

// resultOf gives an outcome the form that package verify checks.
func resultOf(t *testing.T, p plan.Problem, o Outcome) plan.Result {
	t.Helper()
	unmet := slices.Sorted(slices.Values(o.Unmet))
	switch o.Status {
	case plan.AlreadySatisfied:
		return plan.NewSatisfied(message.Verbatim("satisfied"))
	case plan.NoCapability:
		return plan.Incapable(message.Verbatim("incapable"), unmet)
	case plan.Blocked:
		return plan.BlockedBy(message.Verbatim("blocked"), unmet)
	}
	id := func(step int) string { return fmt.Sprintf("a%d", step+1) }
	c := plan.Content{Origin: plan.UserGoal, Domain: "unknown", Language: "en", Summary: message.Verbatim("plan"), Inputs: plan.Inputs{RawText: "goal"}}
	for i, s := range o.Steps {
		effect := append(s.Reaches, s.Supplies...)[0]
		a := plan.Action{
			ActionID: id(i), Tool: s.Tool.Name, Args: map[string]any{}, DependsOn: []string{}, ExpectedEffect: effect, Reason: message.Verbatim("reason"),
			Preview: message.Verbatim("preview"), Confidence: 1, RiskLevel: plan.Medium, IdempotencyScope: fmt.Sprintf("%s:%d", s.Tool.Name, i),
		}
		for _, n := range s.Needs {
			a.DependsOn = append(a.DependsOn, id(n))
		}
		c.Actions = append(c.Actions, a)
		c.GoalAchievedBy = a.ActionID
	}
	made, err := plan.New(c)
	if err != nil {
		t.Fatalf("plan of %+v: %v", p, err)
	}
	if o.Status == plan.Partial {
		return plan.PartlySucceeded(made, message.Verbatim("partial"), unmet, o.Proof)
	}
	return plan.NewSuccess(made, o.Proof)
}

func compare(t *testing.T, o *oracle, whole bool) plan.Status {
	t.Helper()
	status, actions, kept := o.answer()
	p := o.problem()
	task := newTask(p.World, p.Goal, operatorsOf(p))
	got := task.solve(Budget{}.withDefaults())
	if got.status != status || len(got.schedule.ops) != actions {
		t.Errorf("%s with %d actions, want %s with %d", got.status, len(got.schedule.ops), status, actions)
		return status
	}
	if actions > 0 {
		if names := slices.Sorted(slices.Values(task.spell(got.goal))); !slices.Equal(names, kept) {
			t.Errorf("reaches %v, want %v", names, kept)
		}
		if got.proof.Kind == plan.Unproved {
			t.Error("not proved smallest")
		}
		checkRank(t, o, got, actions, kept)
	}
	if whole {
		for _, f := range verify.Check(p, resultOf(t, p, Solve(Problem{p.World, p.Goal, operatorsOf(p)}, Budget{}))) {
			t.Error(f)
		}
	}
	return status
}

// checkRank: no other shortest plan ranks before the chosen one.
func checkRank(t *testing.T, o *oracle, got outcome, actions int, kept []string) {
	t.Helper()
	have := o.rank(got.schedule.ops, kept)
	o.ranks(actions, kept, func(r rank) {
		if r.compare(have) < 0 {
			t.Errorf("rank %+v, but %+v is possible", have, r)
		}
	})
}

// FuzzSmallWorlds goes on where the test stops.
func FuzzSmallWorlds(f *testing.F) {
	f.Add(uint64(1), uint8(4), uint8(4), false)
	f.Add(uint64(2), uint8(6), uint8(5), true)
	f.Fuzz(func(t *testing.T, seed uint64, tools, facts uint8, negation bool) {
		o := randomOracle(rand.New(rand.NewPCG(seed, 3)), 1+int(tools%8), 1+int(facts%7), negation)
		compare(t, o, true)
	})
}
