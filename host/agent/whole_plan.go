package agent

import (
	"context"
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"errand/host/llm"
	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/planner/message"
	"errand/planner/plan"
)

// CodeBadPlan is the code of an error about a plan that has faults, also after they were shown to the
// model.
const CodeBadPlan = "bad_plan"

// submitTool is the tool by which a model answers with a plan.
const submitTool = "submit_plan"

//go:embed plan_prompt.md
var planPrompt string

// makePlan has the model answer with the whole plan of the task, and returns the plan as the calls of one
// answer. A plan with faults is handed back to the model once, with the faults. The calls have tools of
// the options, arguments that fit their schemas, and requirements that hold when they run. Errors are
// *[tool.Error], or that of ctx.
func (p *Planner) makePlan(ctx context.Context, world plan.World) (llm.Turn, error) {
	submit := tool.Spec{Name: submitTool, Description: "Submits the plan.", ArgsSchema: p.submitSchema()}
	r := llm.Request{System: p.planSystem(), Messages: slices.Clone(p.messages), Tools: []tool.Spec{submit}}
	var faults []message.Message
	var used llm.Usage
	for range 2 {
		answer, err := p.o.Ask(ctx, p.turn+1, r)
		if err != nil {
			return llm.Turn{}, err
		}
		used.In, used.Out = used.In+answer.Usage.In, used.Out+answer.Usage.Out
		answer.Usage = used
		if len(answer.Calls) == 0 && answer.Text != "" {
			return answer, nil // there is no plan, and the text says why
		}
		var calls []llm.Call
		if calls, faults = p.readPlan(answer, submit, world); len(faults) == 0 {
			answer.Calls = calls
			return answer, nil
		}
		r.Messages = append(r.Messages, answer.Message(), p.handBack(answer, faults))
	}
	e := tool.NewError(tool.ExecutionError, CodeBadPlan, message.New("agent.bad_plan")).WithHint(message.New("agent.bad_plan_hint"))
	for _, f := range faults {
		e.Details = append(e.Details, p.clean(p.o.Say(f)))
	}
	return llm.Turn{}, e
}

// planSystem returns the instructions for a whole plan.
func (p *Planner) planSystem() string {
	about := map[string]any{"tools": describeTools(p.o.Tools)}
	if len(p.o.Folders) > 0 {
		about["folders"] = p.o.Folders
	}
	text := planPrompt
	if p.o.Prompt != "" {
		text += "\n" + p.clean(p.o.Prompt) + "\n"
	}
	return text + "\n" + string(llm.Marshal(about))
}

// handBack shows the faults of a plan to the model: as the result of its calls, if it made any.
func (p *Planner) handBack(answer llm.Turn, faults []message.Message) llm.Message {
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = p.clean(p.o.Say(f))
	}
	text := string(llm.Marshal(map[string]any{"ok": false, "faults": lines}))
	if len(answer.Calls) == 0 {
		return llm.Message{Role: llm.User, Text: text}
	}
	m := llm.Message{Role: llm.Tool}
	for _, c := range answer.Calls {
		m.Results = append(m.Results, llm.Result{CallID: c.ID, Name: c.Name, Content: text, IsError: true})
	}
	return m
}

// describeTools returns what a model has to know of tools.
func describeTools(specs []tool.Spec) (out []map[string]any) {
	for _, s := range specs {
		description, parameters := llm.Parameters(s)
		out = append(out, map[string]any{"name": s.Name, "description": description, "args": parameters, "requires": s.Requires, "effects": s.Effects})
	}
	return out
}

// submitSchema is the schema of a plan. It allows only the listed tools.
func (p *Planner) submitSchema() json.RawMessage {
	var names []string
	for _, s := range p.o.Tools {
		names = append(names, s.Name)
	}
	object := func(required []string, properties map[string]any) map[string]any {
		return map[string]any{"type": "object", "required": required, "properties": properties, "additionalProperties": false}
	}
	id := map[string]any{"type": "string", "minLength": 1, "maxLength": 32}
	action := object([]string{"id", "tool", "args", "depends_on"}, map[string]any{
		"id": id, "tool": map[string]any{"type": "string", "enum": names}, "args": map[string]any{"type": "object"},
		"depends_on": map[string]any{"type": "array", "items": id, "uniqueItems": true, "maxItems": p.o.PlanActions},
	})
	return llm.Marshal(object([]string{"actions"}, map[string]any{
		"actions": map[string]any{"type": "array", "items": action, "minItems": 1, "maxItems": p.o.PlanActions},
	}))
}

// readPlan reads the plan in an answer. Without faults the calls are complete.
func (p *Planner) readPlan(answer llm.Turn, submit tool.Spec, world plan.World) (calls []llm.Call, faults []message.Message) {
	switch {
	case len(answer.Calls) != 1 || answer.Calls[0].Name != submitTool:
		return nil, []message.Message{message.New("agent.plan_one_call", "tool", submitTool)}
	case answer.Calls[0].Malformed != "":
		return nil, []message.Message{message.New("agent.malformed_args", "tool", submitTool)}
	}
	var checker schema.Checker
	if e := checker.Check(submit, answer.Calls[0].Args); e != nil {
		return nil, problemsOf("", e)
	}
	var submitted struct {
		Actions []struct {
			ID        string         `json:"id"`
			Tool      string         `json:"tool"`
			Args      map[string]any `json:"args"`
			DependsOn []string       `json:"depends_on"`
		} `json:"actions"`
	}
	if err := json.Unmarshal(llm.Marshal(answer.Calls[0].Args), &submitted); err != nil { // the schema allows nothing else
		return nil, []message.Message{message.FromError(err)}
	}
	numbers := map[string]int{} // of the actions before, from 1
	for i, a := range submitted.Actions {
		c := llm.Call{Name: a.Tool, Args: a.Args}
		for _, d := range a.DependsOn {
			if numbers[d] == 0 {
				faults = append(faults, message.New("agent.plan_dependency", "action", a.ID, "on", d))
			}
			c.After = append(c.After, numbers[d])
		}
		if numbers[a.ID] != 0 {
			faults = append(faults, message.New("agent.plan_same_id", "action", a.ID))
		}
		numbers[a.ID] = i + 1
		if e := checker.Check(p.specOf(a.Tool), c.Args); e != nil {
			faults = append(faults, problemsOf(a.ID, e)...)
		}
		calls = append(calls, c)
	}
	if len(faults) == 0 {
		faults = p.checkRequirements(calls, world)
	}
	return calls, faults
}

// specOf returns a tool of the options. The schema of a plan allows no other.
func (p *Planner) specOf(name string) tool.Spec {
	return p.o.Tools[slices.IndexFunc(p.o.Tools, func(s tool.Spec) bool { return s.Name == name })]
}

// problemsOf lists the faults of arguments, by the id of their action; "" for those of the plan.
func problemsOf(id string, e *tool.Error) (out []message.Message) {
	for _, p := range schema.Problems(e) {
		out = append(out, message.New("agent.plan_args", "action", id, "problem", p.Message))
	}
	if len(out) == 0 {
		out = append(out, e.Message)
	}
	return out
}

// checkRequirements proves that what each call requires holds when it runs: by the calls that have to
// end before it, or by the world before the plan. Calls that may run at the same time count only where
// they would end such a fact.
func (p *Planner) checkRequirements(calls []llm.Call, world plan.World) (faults []message.Message) {
	start := world.Facts()
	before := make([]map[int]bool, len(calls)) // numbers of all calls that end before a call begins
	for i, c := range calls {
		before[i] = map[int]bool{}
		for _, d := range c.After {
			before[i][d] = true
			maps.Copy(before[i], before[d-1])
		}
		for _, fact := range p.specOf(c.Name).Requires {
			name, negated := strings.CutPrefix(fact, "!")
			holds := slices.Contains(start, name)
			for j, b := range calls[:i] {
				for _, effect := range p.specOf(b.Name).Effects {
					caused, ends := strings.CutPrefix(effect, "!")
					if caused == name && (before[i][j+1] || ends != negated) {
						holds = !ends
					}
				}
			}
			if holds == negated {
				faults = append(faults, message.New("agent.plan_requires", "number", i+1, "tool", c.Name, "fact", fact))
			}
		}
	}
	return faults
}
