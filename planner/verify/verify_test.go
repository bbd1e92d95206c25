package verify

import (
	"slices"
	"testing"

	"errand/planner/message"
	"errand/planner/plan"
)

func tool(name string, requires, effects []string) plan.Capability {
	return plan.Capability{Name: name, Requires: requires, Effects: effects}
}

// kettle: tea needs hot water, the kettle gives it; a fire gives it too.
var kettle = plan.Problem{
	World: []string{"water"}, Goal: []string{"tea"},
	Capabilities: []plan.Capability{
		tool("boil", []string{"water"}, []string{"hot"}),
		tool("brew", []string{"hot"}, []string{"tea"}),
		tool("sing", nil, []string{"song"}),
	},
}

func act(id, tool string, needs ...string) plan.Action {
	return plan.Action{ActionID: id, Tool: tool, DependsOn: needs}
}

func made(t *testing.T, actions ...plan.Action) plan.Plan {
	t.Helper()
	p, err := plan.New(plan.Content{Origin: plan.UserGoal, Actions: actions, GoalAchievedBy: actions[len(actions)-1].ActionID})
	if err != nil {
		t.Fatalf("plan.New: %v", err)
	}
	return p
}

func cuts(c ...[]string) plan.Proof { return plan.Proof{Kind: plan.ByCuts, Cuts: c} }

var searched = plan.Proof{Kind: plan.BySearch}

func TestCheck(t *testing.T) {
	boil, brew := act("a1", "boil"), act("a2", "brew", "a1")
	good := made(t, boil, brew)
	toggles := plan.Problem{
		World: []string{"fuel"}, Goal: []string{"a", "b"},
		Capabilities: []plan.Capability{
			tool("useA", []string{"fuel"}, []string{"a", "!fuel"}), tool("useB", []string{"fuel"}, []string{"b", "!fuel"}),
			tool("refuel", []string{"!fuel"}, []string{"fuel"}),
		},
	}
	brewing := kettle
	brewing.Goal = []string{"drunk"}
	brewing.Capabilities = append(slices.Clone(kettle.Capabilities), tool("drink", []string{"hot", "tea"}, []string{"drunk"}))
	with := func(p plan.Problem, goal ...string) plan.Problem { p.Goal = goal; return p }
	tests := []struct {
		name string
		p    plan.Problem
		r    plan.Result
		want []string // rules broken
	}{
		{"a good plan", kettle, plan.NewSuccess(good, cuts([]string{"boil"}, []string{"brew"})), nil},
		{"proof by search is believed", kettle, plan.NewSuccess(good, searched), nil},
		{"tool from nowhere", kettle, plan.NewSuccess(made(t, act("a1", "magic")), searched), []string{"tools"}},
		{"ids out of order", kettle, plan.NewSuccess(made(t, act("b1", "boil"), act("a2", "brew", "b1")), searched), []string{"ids"}},
		{"needs what comes later", kettle, plan.NewSuccess(made(t, act("a1", "brew", "a2"), act("a2", "boil")), searched), []string{"order"}},
		{"missing dependency", kettle, plan.NewSuccess(made(t, boil, act("a2", "brew")), searched), []string{"order"}},
		{"requirement nobody supplies", kettle, plan.NewSuccess(made(t, act("a1", "brew")), searched), []string{"order"}},
		{"goal not reached", kettle, plan.NewSuccess(made(t, boil), searched), []string{"goal"}},
		{"an action too many", kettle, plan.NewSuccess(made(t, boil, brew, act("a3", "sing")), searched), []string{"redundant"}},
		{"a cut too few", kettle, plan.NewSuccess(good, cuts([]string{"boil"})), []string{"cuts"}},
		{"a cut that is none", kettle, plan.NewSuccess(good, cuts([]string{"boil"}, []string{"sing"})), []string{"cuts"}},
		{"cuts that overlap", kettle, plan.NewSuccess(good, cuts([]string{"boil"}, []string{"boil", "brew"})), []string{"cuts"}},
		{"a cut of strangers", kettle, plan.NewSuccess(good, cuts([]string{"boil"}, []string{"brew", "magic"})), []string{"cuts"}},
		{"success that leaves something", kettle, plan.PartlySucceeded(good, message.Message{}, []string{"tea"}, searched), []string{"unmet"}},
		{"partial for the rest", with(kettle, "tea", "cake"), plan.PartlySucceeded(good, message.Message{}, []string{"cake"}, searched), nil},
		{"partial that leaves nothing", kettle, plan.PartlySucceeded(good, message.Message{}, nil, searched), []string{"unmet"}},
		{"partial that leaves a stranger", kettle, plan.PartlySucceeded(good, message.Message{}, []string{"moon"}, searched), []string{"unmet"}},

		{
			"one ends what the other requires", toggles,
			plan.NewSuccess(made(t, act("a1", "useA"), act("a2", "refuel", "a1"), act("a3", "useB", "a2")), searched), nil,
		},
		{
			"an order in which it fails", toggles,
			plan.NewSuccess(made(t, act("a1", "useA"), act("a2", "refuel", "a1"), act("a3", "useB")), searched),
			[]string{"order"},
		},

		{
			"a dependency that follows from another", brewing,
			plan.NewSuccess(made(t, boil, brew, act("a3", "drink", "a1", "a2")), searched),
			[]string{"canonical"},
		},
		{
			"a dependency named twice", brewing,
			plan.NewSuccess(made(t, boil, brew, act("a3", "drink", "a2", "a2")), searched),
			[]string{"canonical"},
		},
		{
			"another order is the canonical one", with(kettle, "tea", "song"),
			plan.NewSuccess(made(t, act("a1", "sing"), act("a2", "boil"), act("a3", "brew", "a2")), searched),
			[]string{"canonical"},
		},
		{
			"the canonical order", with(kettle, "tea", "song"),
			plan.NewSuccess(made(t, boil, brew, act("a3", "sing")), searched), nil,
		},

		{"holds", with(kettle, "water", "!tea"), plan.NewSatisfied(message.Message{}), nil},
		{"does not hold", kettle, plan.NewSatisfied(message.Message{}), []string{"status"}},
		{"no tool", with(kettle, "cake"), plan.Incapable(message.Message{}, []string{"cake"}), nil},
		{"there is a tool", kettle, plan.Incapable(message.Message{}, []string{"tea"}), []string{"unmet"}},
		{"no tool for what holds", with(kettle, "water"), plan.Incapable(message.Message{}, []string{"water"}), []string{"unmet"}},
		{"no tool and no effect named", with(kettle, "cake"), plan.Incapable(message.Message{}, nil), []string{"unmet"}},
		{"blocked", plan.Problem{Goal: kettle.Goal, Capabilities: kettle.Capabilities}, plan.BlockedBy(message.Message{}, []string{"water"}), nil},
		{"blocked, but not by that", plan.Problem{Goal: kettle.Goal, Capabilities: kettle.Capabilities}, plan.BlockedBy(message.Message{}, []string{"song"}), []string{"unmet"}},
		{"not blocked at all", kettle, plan.BlockedBy(message.Message{}, []string{"hot"}), []string{"status"}},
		{"blocked by nothing", plan.Problem{Goal: kettle.Goal, Capabilities: kettle.Capabilities}, plan.BlockedBy(message.Message{}, nil), []string{"unmet"}},
		{"blocked, but it holds", with(kettle, "water"), plan.BlockedBy(message.Message{}, []string{"hot"}), []string{"status"}},
		{"blocked by more than it takes", plan.Problem{Goal: kettle.Goal, Capabilities: kettle.Capabilities}, plan.BlockedBy(message.Message{}, []string{"hot", "water"}), []string{"unmet"}},
		{"blocked, but a part can be reached", plan.Problem{Goal: []string{"tea", "song"}, Capabilities: kettle.Capabilities}, plan.BlockedBy(message.Message{}, []string{"water"}), []string{"status"}},
		{"blocked, but a tool is missing", plan.Problem{Goal: []string{"tea", "cake"}, Capabilities: kettle.Capabilities[:2]}, plan.BlockedBy(message.Message{}, []string{"cake", "water"}), []string{"status"}},
		{"no tool, and one more that is not named", with(kettle, "cake", "pie"), plan.Incapable(message.Message{}, []string{"cake"}), []string{"unmet"}},
		{"no tool, but a part can be reached", with(kettle, "cake", "tea"), plan.Incapable(message.Message{}, []string{"cake"}), []string{"status"}},
		{"no result", kettle, plan.Result{}, []string{"status"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults := Check(tt.p, tt.r)
			var rules []string
			for _, f := range faults {
				if !slices.Contains(rules, f.Rule) {
					rules = append(rules, f.Rule)
				}
			}
			for _, rule := range tt.want {
				if !slices.Contains(rules, rule) {
					t.Errorf("faults = %v, want one about %s", faults, rule)
				}
			}
			if len(tt.want) == 0 && len(faults) > 0 {
				t.Errorf("faults = %v, want none", faults)
			}
		})
	}
}

func TestCheckPlan(t *testing.T) {
	full := func(a plan.Action) plan.Action {
		a.ExpectedEffect, a.Reason, a.Preview, a.IdempotencyScope = "e", message.Verbatim("r"), message.Verbatim("p"), "s"+a.ActionID
		return a
	}
	caps := []plan.Capability{
		{Name: "system.apps.launch.shell", Effects: []string{"page_open"}}, {Name: "browser.read", Requires: []string{"page_open"}, ReadOnly: true}, {Name: "system.query", ReadOnly: true},
	}
	read := full(act("a2", "browser.read", "a1"))
	read.ReadOnly = true
	forged := full(act("a1", "system.apps.launch.shell"))
	forged.ReadOnly = true
	query := full(act("a1", "system.query"))
	query.ReadOnly = true
	alone := read
	alone.ActionID, alone.DependsOn = "a1", nil
	tests := []struct {
		name  string
		world plan.World
		r     plan.Result
		want  string
	}{
		{"the launcher supplies a page", plan.World{}, plan.NewSuccess(made(t, full(act("a1", "system.apps.launch.shell")), read), searched), ""},
		{"no page", plan.World{}, plan.NewSuccess(made(t, alone), searched), "order"},
		{"a page is open", plan.World{BrowserRunning: true, BrowserLastURL: "https://example.com/"}, plan.NewSuccess(made(t, alone), searched), ""},
		{"a write that says it reads", plan.World{}, plan.NewSuccess(made(t, forged), searched), "read_only"},
		{"no words", plan.World{}, plan.NewSuccess(made(t, plan.Action{ActionID: "a1", Tool: "system.query", ReadOnly: true}), searched), "words"},
		{"too many cuts", plan.World{}, plan.NewSuccess(made(t, query), cuts([]string{"system.query"}, []string{"browser.read"})), "cuts"},
		{"a tool from nowhere", plan.World{}, plan.NewSuccess(made(t, full(act("a1", "magic"))), searched), "tools"},
		{"no plan, nothing to check", plan.World{}, plan.NewSatisfied(message.Message{}), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults := CheckPlan(caps, tt.world, tt.r)
			if tt.want == "" && len(faults) > 0 || tt.want != "" && !slices.ContainsFunc(faults, func(f Violation) bool { return f.Rule == tt.want }) {
				t.Errorf("faults = %v, want %q", faults, tt.want)
			}
		})
	}
}
