package planner

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/planner/plan"
	"errand/planner/verify"
)

//go:embed testdata/cases.jsonl
var casesFile []byte

// problemCase is one line of testdata/cases.jsonl.
type problemCase struct {
	ID           string
	Family       string
	Negation     bool `json:"uses_negation"`
	World, Goal  []string
	Capabilities []plan.Capability
	Generator    *generator
	Note         string
	Expect       struct {
		Status    plan.Status
		Actions   *int
		Unmet     []string
		DependsOn *[][2]string `json:"depends_on"`
		Sets      int          `json:"optimal_sets"`
		Example   []string     `json:"example_plan"`
	}
}

func (c problemCase) problem() plan.Problem {
	if c.Generator != nil {
		return c.Generator.problem()
	}
	return plan.Problem{World: c.World, Goal: c.Goal, Capabilities: c.Capabilities}
}

func readCases(t testing.TB) []problemCase {
	t.Helper()
	var out []problemCase
	for line := range bytes.Lines(casesFile) {
		var c problemCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("read case %d: %v", len(out)+1, err)
		}
		out = append(out, c)
	}
	return out
}

// generator describes a problem that is too large to write down.
type generator struct {
	Kind                          string
	N, M, K, D, Par, Noise, Width int
}

func tool(name string, requires, effects []string) plan.Capability {
	return plan.Capability{Name: name, CanAchieve: effects, Requires: requires, Effects: effects}
}

func f(format string, a ...any) string { return fmt.Sprintf(format, a...) }

func chain(n int, first ...string) []plan.Capability {
	var out []plan.Capability
	requires := first
	for i := 1; i <= n; i++ {
		out = append(out, tool(f("c.step%05d", i), requires, []string{f("f%d", i)}))
		requires = []string{f("f%d", i)}
	}
	return out
}

func (g generator) problem() plan.Problem {
	var p plan.Problem
	add := func(name string, requires []string, effects ...string) {
		p.Capabilities = append(p.Capabilities, tool(name, requires, effects))
	}
	switch g.Kind {
	case "chain":
		p.Goal, p.Capabilities = []string{f("f%d", g.N)}, chain(g.N)
	case "chain_noise":
		p.Goal, p.Capabilities = []string{f("f%d", g.N)}, chain(g.N)
		for i := range g.Noise {
			add(f("noise%05d", i), []string{f("n%d", i)}, f("n%d", i+1))
		}
	case "alternatives":
		p.Goal = []string{"g"}
		for i := range g.M {
			add(f("alt%05d", i), nil, "g")
		}
	case "wide":
		for i := range g.K {
			add(f("w%05d", i), nil, f("g%d", i))
			p.Goal = append(p.Goal, f("g%d", i))
		}
	case "diamonds":
		add("d.root", nil, "s0")
		for i := 1; i <= g.K; i++ {
			var all []string
			for j := range g.Par {
				add(f("d.m%05d_%d", i, j), []string{f("s%d", i-1)}, f("m%d_%d", i, j))
				all = append(all, f("m%d_%d", i, j))
			}
			add(f("d.join%05d", i), all, f("s%d", i))
		}
		p.Goal = []string{f("s%d", g.K)}
	case "shared":
		p.Capabilities = chain(g.D)
		for i := range g.K {
			add(f("use%05d", i), []string{f("f%d", g.D)}, f("g%d", i))
			p.Goal = append(p.Goal, f("g%d", i))
		}
	case "blocked_deep":
		p.Goal, p.Capabilities = []string{f("f%d", g.N)}, chain(g.N, "f0")
	case "setcover_pairs":
		for i := range g.K {
			add(f("pair%05d", i), nil, f("g%d", 2*i), f("g%d", 2*i+1))
		}
		for i := range 2 * g.K {
			add(f("single%05d", i), nil, f("g%d", i))
			p.Goal = append(p.Goal, f("g%d", i))
		}
	case "decoys":
		p.Goal, p.Capabilities = []string{f("f%d", g.N)}, chain(g.N)
		for i := 1; i <= g.N; i++ {
			for j := range g.Width {
				add(f("decoy%05d_%d", i, j), []string{f("f%d", i)}, f("d%d_%d", i, j))
			}
		}
	default:
		panic("no generator of kind " + g.Kind)
	}
	return p
}

var tieBreak = regexp.MustCompile(`→ (\S+)$`)

func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			p := c.problem()
			r := mustSolve(t, p)
			if r.Status() != c.Expect.Status {
				t.Fatalf("%s: status = %s (%s), want %s", c.Note, r.Status(), r.Reason(), c.Expect.Status)
			}
			if diff := cmp.Diff(c.Expect.Unmet, r.Unmet(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("unmet (-want +got):\n%s", diff)
			}
			for _, f := range verify.Check(p, r) {
				t.Error(f)
			}
			for _, f := range verify.CheckStable(p, solveNow) {
				t.Error(f)
			}
			got, planned := r.Plan()
			if planned != (c.Expect.Actions != nil) {
				t.Fatalf("plan = %v, want actions %v", planned, c.Expect.Actions)
			}
			if !planned {
				return
			}
			if got.Len() != *c.Expect.Actions {
				t.Errorf("%d actions, want %d: %v", got.Len(), *c.Expect.Actions, tools(got))
			}
			if c.Expect.Sets == 1 && c.Expect.DependsOn != nil {
				if diff := cmp.Diff(*c.Expect.DependsOn, dependencies(got), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("depends_on (-want +got):\n%s", diff)
				}
			}
			if m := tieBreak.FindStringSubmatch(c.Note); m != nil && c.Generator == nil && !slices.Contains(tools(got), m[1]) {
				t.Errorf("tools = %v, want %s: %s", tools(got), m[1], c.Note)
			}
			if proof, _ := r.Proof(); proof.Kind == plan.Unproved {
				t.Error("the plan is not proved smallest")
			}
		})
	}
}

func solveNow(p plan.Problem) (plan.Result, error) { return Solve(p, nil) }

func mustSolve(t testing.TB, p plan.Problem) plan.Result {
	t.Helper()
	r, err := Solve(p, nil)
	if err != nil {
		t.Fatalf("Solve: %v", err)
	}
	return r
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	b, err := plan.Canonical(v)
	if err != nil {
		t.Fatalf("marshal: %v", err)
	}
	return string(b)
}

func tools(p plan.Plan) []string {
	var out []string
	for _, a := range p.Actions() {
		out = append(out, a.Tool)
	}
	return out
}

// dependencies lists [needed tool, tool] pairs, sorted.
func dependencies(p plan.Plan) [][2]string {
	byID := map[string]string{}
	for _, a := range p.Actions() {
		byID[a.ActionID] = a.Tool
	}
	var out [][2]string
	for _, a := range p.Actions() {
		for _, d := range a.DependsOn {
			out = append(out, [2]string{byID[d], a.Tool})
		}
	}
	slices.SortFunc(out, func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) })
	return out
}
