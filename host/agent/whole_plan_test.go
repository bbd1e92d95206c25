package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/agent"
	"errand/host/llm"
	"errand/host/run"
	"errand/host/tool"
	"errand/planner/plan"
)

// planTools are those of the plans: one opens a page, one closes it, and others need it.
var planTools = []tool.Spec{
	{Name: "page.open", ArgsSchema: json.RawMessage(`{"type":"object","properties":{"url":{"type":"string"}},"required":["url"],"additionalProperties":false}`), Effects: []string{"page_open"}},
	{Name: "page.read", ArgsSchema: json.RawMessage(`{"type":"object"}`), Requires: []string{"page_open"}},
	{Name: "page.close", ArgsSchema: json.RawMessage(`{"type":"object"}`), Effects: []string{"!page_open"}},
	{Name: "desk.tidy", ArgsSchema: json.RawMessage(`{"type":"object"}`), Requires: []string{"!page_open"}},
}

// submits is a call with a plan. Each action is "id tool after,after".
func submits(actions ...string) llm.Call {
	list := []any{}
	for _, a := range actions {
		parts := append(strings.Fields(a), "", "")
		args, after := map[string]any{}, []any{}
		if parts[1] == "page.open" {
			args["url"] = "https://a.example/"
		}
		for _, d := range strings.FieldsFunc(parts[2], func(r rune) bool { return r == ',' }) {
			after = append(after, d)
		}
		list = append(list, map[string]any{"id": parts[0], "tool": parts[1], "args": args, "depends_on": after})
	}
	return llm.Call{ID: "x", Name: "submit_plan", Args: map[string]any{"actions": list}}
}

// TestWholePlan checks which plans of a model are taken, what the others are handed back with, and that a
// second bad plan is refused with its faults.
func TestWholePlan(t *testing.T) {
	good := submits("a page.open", "b page.read a")
	with := func(c llm.Call, change func(action map[string]any)) llm.Call {
		change(c.Args["actions"].([]any)[0].(map[string]any))
		return c
	}
	for name, tt := range map[string]struct {
		first llm.Turn
		world plan.World
		want  string // the calls; or a part of the fault after "fault: "
	}{
		"a plan":                        {llm.Turn{Calls: []llm.Call{good}}, plan.World{}, "t1.1 page.open , t1.2 page.read t1.1"},
		"an open page":                  {llm.Turn{Calls: []llm.Call{submits("a page.read")}}, plan.World{RecentFacts: []string{"page_open"}}, "t1.1 page.read "},
		"indirect":                      {llm.Turn{Calls: []llm.Call{submits("a page.open", "b page.read a", "c page.read b")}}, plan.World{}, "t1.1 page.open , t1.2 page.read t1.1, t1.3 page.read t1.2"},
		"a page is missing":             {llm.Turn{Calls: []llm.Call{submits("a page.read")}}, plan.World{}, "fault: plan_requires"},
		"it may not be open yet":        {llm.Turn{Calls: []llm.Call{submits("a page.open", "b page.read")}}, plan.World{}, "fault: plan_requires"},
		"closed before":                 {llm.Turn{Calls: []llm.Call{submits("a page.open", "b page.close a", "c page.read b")}}, plan.World{}, "fault: plan_requires"},
		"it may be closed meanwhile":    {llm.Turn{Calls: []llm.Call{submits("a page.open", "b page.close a", "c page.read a")}}, plan.World{}, "fault: plan_requires"},
		"it may be opened meanwhile":    {llm.Turn{Calls: []llm.Call{submits("a page.open", "b desk.tidy")}}, plan.World{}, "fault: plan_requires"},
		"a later dependency":            {llm.Turn{Calls: []llm.Call{submits("a page.read b", "b page.open")}}, plan.World{}, "fault: plan_dependency"},
		"a circle":                      {llm.Turn{Calls: []llm.Call{submits("a page.open a")}}, plan.World{}, "fault: plan_dependency"},
		"an id twice":                   {llm.Turn{Calls: []llm.Call{submits("a page.open", "a page.open")}}, plan.World{}, "fault: plan_same_id"},
		"another tool":                  {llm.Turn{Calls: []llm.Call{submits("a files.delete_file")}}, plan.World{}, "fault: plan_args"},
		"no actions":                    {llm.Turn{Calls: []llm.Call{submits()}}, plan.World{}, "fault: plan_args"},
		"too many actions":              {llm.Turn{Calls: []llm.Call{submits("a page.open", "b page.open", "c page.open", "d page.open")}}, plan.World{}, "fault: plan_args"},
		"arguments of another kind":     {llm.Turn{Calls: []llm.Call{with(submits("a page.open"), func(a map[string]any) { a["args"] = map[string]any{"url": 7.0} })}}, plan.World{}, "fault: plan_args"},
		"a field that is not in a plan": {llm.Turn{Calls: []llm.Call{with(submits("a page.open"), func(a map[string]any) { a["approved"] = true })}}, plan.World{}, "fault: plan_args"},
		"cut":                           {llm.Turn{Calls: []llm.Call{{ID: "x", Name: "submit_plan", Malformed: `{"actions":[`}}}, plan.World{}, "fault: malformed_args"},
		"two plans":                     {llm.Turn{Calls: []llm.Call{good, good}}, plan.World{}, "fault: plan_one_call"},
		"a call in place of a plan":     {llm.Turn{Calls: []llm.Call{call("page.open", nil)}}, plan.World{}, "fault: plan_one_call"},
		"nothing":                       {llm.Turn{}, plan.World{}, "fault: plan_one_call"},
	} {
		t.Run(name, func(t *testing.T) {
			fault, isBad := strings.CutPrefix(tt.want, "fault: ")
			open := func(second llm.Turn) (run.AssistantAction, *model, error) {
				m := &model{turns: []llm.Turn{tt.first, second}}
				p := agent.New(agent.Options{Ask: m.ask, Task: "x", Tools: planTools, Known: planTools, PlanActions: 3})
				got, err := p.Plan(t.Context(), &run.RunContext{World: tt.world})
				return got, m, err
			}
			got, m, err := open(llm.Turn{Calls: []llm.Call{good}})
			must.Succeed(t, err)
			want := tt.want
			if isBad {
				want = "t1.1 page.open , t1.2 page.read t1.1"
				if len(m.asked) != 2 || !strings.Contains(fmt.Sprint(m.asked[1].Messages), fault) {
					t.Errorf("the plan was not handed back with %q: %+v", fault, m.asked)
				}
			} else if len(m.asked) != 1 {
				t.Errorf("a good plan was handed back: %v", m.asked[1].Messages)
			}
			var lines []string
			for _, c := range got.Calls {
				lines = append(lines, c.ActionID+" "+c.Tool+" "+strings.Join(c.DependsOn, " "))
			}
			if text := strings.Join(lines, ", "); text != want {
				t.Errorf("calls = %s, want %s", text, want)
			}
			if !isBad {
				return
			}
			_, m, err = open(tt.first)
			if e := tool.AsError(err); err == nil || e.Code != agent.CodeBadPlan || len(e.Details) == 0 || !strings.Contains(e.Details[0], fault) || len(m.asked) != 2 {
				t.Errorf("the second bad plan: %v", err)
			}
		})
	}
}

// TestAfterPlan checks that the model sums up the results of its plan, and that it can't call more.
func TestAfterPlan(t *testing.T) {
	m := &model{turns: []llm.Turn{{Calls: []llm.Call{submits("a page.open")}}, {Text: "It is open.", Calls: []llm.Call{call("page.close", nil)}}}}
	p := agent.New(agent.Options{Ask: m.ask, Task: "x", Tools: planTools, Known: planTools, PlanActions: 3})
	_, err := p.Plan(t.Context(), &run.RunContext{})
	must.Succeed(t, err)
	got, err := p.Plan(t.Context(), &run.RunContext{Results: []run.ToolResult{{ActionID: "t1.1", OK: true, Payload: "opened"}}})
	must.Succeed(t, err)
	if got.Respond == nil || *got.Respond != "It is open." || !strings.Contains(fmt.Sprint(m.asked[1].Messages), "opened") {
		t.Errorf("after the plan: %+v", got)
	}
	m = &model{turns: []llm.Turn{{Text: "No tool can do that."}}}
	p = agent.New(agent.Options{Ask: m.ask, Task: "x", Tools: planTools, Known: planTools, PlanActions: 3})
	if got, err := p.Plan(t.Context(), &run.RunContext{}); err != nil || got.Respond == nil || *got.Respond != "No tool can do that." {
		t.Errorf("without a plan: %+v, %v", got, err)
	}
}
