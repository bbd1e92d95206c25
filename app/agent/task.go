package agent

import (
	"context"
	"encoding/json"
	"net"
	"slices"
	"strconv"
	"time"

	"errand/app/config"
	"errand/app/i18n"
	"errand/app/runs"
	"errand/app/runs/calls"
	"errand/host/agent"
	"errand/host/llm"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// Kind is the kind of the agent's tasks.
const Kind = "agent"

// RuleNotAllowed denies a call of the agent whose tool agent.internal.allowed_tools doesn't list.
const RuleNotAllowed = "agent.not_allowed"

// Codes of errors.
const (
	CodeDisabled = "agent_disabled"
	CodeConfig   = "agent_config" // a tool that the agent can't have
)

// TaskOptions limit a task beside the configuration. They can't widen it.
type TaskOptions struct {
	Provider string   // in place of the configured ones; empty: those
	Tools    []string // some of agent.internal.allowed_tools; none: all of them
	MaxSteps int      // 0: as configured
	Plan     bool     // the model makes a whole plan in its first answer
	MaxURLs  int      // calls that open or fetch a page; 0: any number
	Domains  []string // patterns of hosts, some of those of policy.allowed_domains; none: all of them
	// NoBrowser leaves out the tools of the browser, and NoPictures those that picture pages.
	NoBrowser, NoPictures bool
}

// state is what a task's planner is made of again when its run continues.
type state struct {
	Providers []string `json:"providers"`
	Tools     []string `json:"tools"`
	// PlanActions is the most actions of the plan that the model makes at once; 0: it calls tools turn by
	// turn.
	PlanActions int      `json:"plan_actions,omitempty"`
	MaxURLs     int      `json:"max_urls,omitempty"`
	Domains     []string `json:"domains,omitempty"`
}

// newTask checks that the agent may run and makes its task. specs are all tools of the program.
func (p *Providers) newTask(ctx context.Context, specs []tool.Spec, o TaskOptions) (*runs.Task, error) {
	a := p.Config.Agent.Internal
	st := state{Providers: a.Providers, Tools: a.AllowedTools}
	if o.Provider != "" {
		st.Providers = []string{o.Provider}
	}
	if len(o.Tools) > 0 {
		st.Tools = o.Tools
	}
	if o.MaxSteps < 0 || o.MaxSteps > a.MaxSteps {
		return nil, tool.NewError(tool.ValidationError, CodeConfig, message.New("agent.too_many_steps", "limit", a.MaxSteps))
	}
	st.MaxURLs, st.Domains = o.MaxURLs, o.Domains
	for _, domain := range o.Domains {
		if !allowsHosts(p.Config, domain) {
			return nil, tool.NewError(tool.ValidationError, CodeConfig, message.New("agent.bad_domain", "domain", domain)).WithHint(message.New("agent.bad_domain_hint"))
		}
	}
	var err error
	if st.Tools, err = o.leaveOut(st.Tools, specs); err != nil {
		return nil, err
	}
	if _, _, err := p.equip(ctx, st, specs, nil); err != nil {
		return nil, err
	}
	steps := o.MaxSteps
	if steps == 0 {
		steps = a.MaxSteps
	}
	if o.Plan {
		st.PlanActions = steps
	}
	text, err := json.Marshal(st)
	if err != nil {
		return nil, err
	}
	return &runs.Task{Kind: Kind, State: text, ContinueDenied: a.OnDenied == config.OnDeniedContinue, Limits: run.Limits{
		MaxSteps: steps, MaxWallTime: time.Duration(a.MaxWallTimeMS) * time.Millisecond, MaxFailures: a.MaxFailures, MaxNoOps: a.MaxNoOps,
	}}, nil
}

// Check returns why the agent can't do a task with these limits.
func (p *Providers) Check(ctx context.Context, o TaskOptions) error {
	specs, err := p.Tools(ctx)
	if err == nil {
		_, err = p.newTask(ctx, specs, o)
	}
	return err
}

// Planner makes the planner of a task. The configuration of now applies to it, also if the task
// began with another one.
func (p *Providers) Planner(ctx context.Context, r calls.PlannerRequest) (run.Planner, error) {
	specs, err := p.Tools(ctx)
	if err != nil {
		return nil, err
	}
	var st state
	if err := json.Unmarshal(r.State, &st); err != nil || r.Kind != Kind {
		return nil, tool.NewError(tool.ToolUnavailable, runs.CodeNoPlanner, message.New("runs.no_planner", "kind", r.Kind))
	}
	tools, adapters, err := p.equip(ctx, st, specs, func(c guard.Connection) { r.Note(noteConnection(c)) })
	if err != nil {
		return nil, err
	}
	if err := p.Narrow.add(r.RunID, p.Config, st, specs, r.Steps); err != nil {
		return nil, err
	}
	chain := &llm.Chain{Adapters: adapters, Attempted: func(a llm.Attempt) { r.Note(p.noteAttempt(a)) }}
	a := p.Config.Agent.Internal
	return agent.New(agent.Options{
		Ask: chain.Complete, Task: r.Words, Tools: tools, Known: specs, Folders: p.Config.Roots(), Prompt: a.PromptExtra, MaxTokens: a.MaxTokens, Clean: r.Clean, Say: i18n.English().Text,
		Turns: r.Turns, Steps: r.Steps, AddTurn: r.AddTurn, RecordPrompts: a.RecordPrompts, Partial: r.Partial, PlanActions: st.PlanActions,
	}), nil
}

// equip returns the tools and the providers of a task.
func (p *Providers) equip(ctx context.Context, st state, specs []tool.Spec, record func(guard.Connection)) ([]tool.Spec, []llm.Adapter, error) {
	if !p.Config.Agent.Internal.Enabled {
		return nil, nil, tool.UnavailableError(CodeDisabled, message.New("agent.off")).WithHint(message.New("agent.off_hint"))
	}
	tools, err := p.callable(specs, st.Tools)
	if err != nil {
		return nil, nil, err
	}
	adapters, err := p.open(ctx, st, record)
	return tools, adapters, err
}

// open opens the providers that have their keys. One that is named alone must have its key.
func (p *Providers) open(ctx context.Context, st state, record func(guard.Connection)) ([]llm.Adapter, error) {
	var out []llm.Adapter
	var missing []string
	for _, name := range st.Providers {
		if state, _ := p.findKey(ctx, name); len(st.Providers) > 1 && state == KeyMissing {
			missing = append(missing, p.Config.LLM.Provider(name).KeySource().String())
			continue
		}
		a, err := p.Open(ctx, name, record)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	if len(out) == 0 {
		return nil, noKeys(missing...)
	}
	return out, nil
}

// callable returns the tools that the model may call: those of names that the configuration
// lists. Each of them must be there, must not sign in, and must not be for the user alone.
func (p *Providers) callable(specs []tool.Spec, names []string) ([]tool.Spec, error) {
	var out []tool.Spec
	for _, name := range names {
		fault := ""
		i := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.Name == name })
		switch {
		case !slices.Contains(p.Config.Agent.Internal.AllowedTools, name):
			fault = "unlisted"
		case i < 0:
			fault = "missing"
		case specs[i].Boundary:
			fault = "boundary"
		case specs[i].SideEffectClass == tool.Auth:
			fault = "auth"
		}
		if fault != "" {
			return nil, tool.NewError(tool.ValidationError, CodeConfig, message.New("agent.bad_tool", "tool", name, "fault", fault)).
				WithHint(message.New("agent.bad_tool_hint"))
		}
		out = append(out, specs[i])
	}
	return out, nil
}

// Decide denies the agent's calls of tools that the configuration doesn't list, and gives other
// questions to policy.
func (p *Providers) Decide(r policy.Request, decide func(policy.Request) policy.Decision) policy.Decision {
	d := decide(r)
	if r.Kind == policy.KindCall && r.Origin == plan.Agent && p.Config.Agent.Internal.Enabled && !slices.Contains(p.Config.Agent.Internal.AllowedTools, r.Tool) {
		d = d.Stricter(denyUnlisted(r.Tool))
	}
	return d
}

// toolProblems says which of the listed tools the agent can't have.
func (p *Providers) toolProblems(specs []tool.Spec) []message.Message {
	var out []message.Message
	for _, name := range p.Config.Agent.Internal.AllowedTools {
		if _, err := p.callable(specs, []string{name}); err != nil {
			out = append(out, message.FromError(err))
		}
	}
	return out
}

func (p *Providers) noteAttempt(a llm.Attempt) trace.ModelNote {
	n := trace.ModelNote{
		Provider: a.Provider, Model: a.Model, Turn: a.Turn, Attempt: a.Attempt, Status: a.Status, Failure: string(a.Reason),
		DurationMS: a.Duration.Milliseconds(), TokensIn: a.Usage.In, TokensOut: a.Usage.Out, Finish: string(a.Finish),
	}
	if a.Usage != (llm.Usage{}) {
		n.CostMicros, n.Priced = p.prices().Cost(a.Model, a.Usage)
	}
	return n
}

func noteConnection(c guard.Connection) trace.ConnectionNote {
	return trace.ConnectionNote{
		Host: net.JoinHostPort(c.Host, strconv.Itoa(c.Port)), Verdict: c.Verdict.String(), Rule: c.Rule, Reason: c.Reason,
		Address: c.Addr, Tool: c.Tool, Sent: c.Sent, Received: c.Received, Error: c.Error,
	}
}

// Ask has a language model do a task with the tools that the configuration lists. r has the
// words of the task. Errors and reports are those of [runs.Runs.Start].
func (p *Providers) Ask(ctx context.Context, r runs.Request, o TaskOptions) (runs.Report, error) {
	specs, err := p.Tools(ctx)
	if err != nil {
		return runs.Report{}, err
	}
	if r.Task, err = p.newTask(ctx, specs, o); err != nil {
		return runs.Report{}, err
	}
	r.Origin = plan.Agent
	return p.Start(ctx, r)
}

// denyUnlisted denies a tool that the configuration does not allow.
func denyUnlisted(name string) policy.Decision {
	return policy.Decision{Verdict: policy.Deny, Rule: RuleNotAllowed, Reason: message.New("agent.not_allowed", "tool", name)}
}
