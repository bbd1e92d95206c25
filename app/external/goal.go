package external

import (
	"context"
	"slices"

	"errand/app/answers"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/app/runs/calls"
	"errand/app/setting"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// Goal is how a goal or a draft of an external agent stands, without secrets.
type Goal struct {
	RunID   string
	Status  trace.Status
	Answer  message.Message // zero if it has text of others, which the steps have
	Error   *tool.Error
	Actions []Action        // of the plan
	Steps   []Step          // that were made
	Asks    []plan.Question // that the user or other words have to answer
	Draft   *drafts.View    // that waits for the user; nil: none
}

// Action is an action of a plan.
type Action struct {
	ID        string
	Tool      string
	Args      map[string]any
	Summary   message.Message
	DependsOn []string
	Verdict   string // allow, ask or deny; empty: not decided
	Reason    message.Message
}

// Step is a recorded step with its result.
type Step struct {
	run.ToolResult
	Tool    string
	Summary message.Message
}

// Plan plans a goal in words, and has policy decide about it. It calls nothing.
func (s *Session) Plan(ctx context.Context, words string) (Goal, error) {
	report, err := s.agents.o.Start(ctx, runs.Request{Origin: plan.MCP, Words: words, DryRun: true})
	if err != nil {
		return Goal{}, err
	}
	return s.reported(report), nil
}

// Run runs a goal in words, as a run of its own. What needs approval becomes a draft.
func (s *Session) Run(ctx context.Context, words string, progress func(run.Event)) (Goal, error) {
	report, err := s.agents.o.Start(ctx, runs.Request{Origin: plan.MCP, Words: words, Progress: func(p runs.Progress) {
		if e, ok := p.Event.(runs.StepEvent); ok && progress != nil {
			progress(e.Event)
		}
	}})
	if err != nil {
		return Goal{}, err
	}
	rec, err := s.agents.o.Record(context.WithoutCancel(ctx), report.RunID)
	if err != nil { // an earlier run was looked at, and this one has no record
		return s.reported(report), nil
	}
	g := s.recorded(ctx, rec)
	if report.Interpretation != nil {
		g.Asks = report.Interpretation.Questions
	}
	return g, nil
}

// Show returns how a run stands. Only runs of external agents are shown.
func (s *Session) Show(ctx context.Context, runID string) (Goal, error) {
	rec, err := s.agents.o.Record(ctx, runID)
	if err == nil && !isExternal(rec) {
		err = tool.NewError(tool.ValidationError, trace.CodeRunNotFound, message.New("record.run_not_found", "id", runID))
	}
	if err != nil {
		return Goal{}, err
	}
	return s.recorded(ctx, rec), nil
}

// ShowDraft returns how a draft of an external agent stands, with the results of its run.
func (s *Session) ShowDraft(ctx context.Context, id string) (Goal, error) {
	d, err := s.agents.o.Drafts.ShowDraft(ctx, id)
	if err != nil {
		return Goal{}, err
	}
	g, err := s.Show(ctx, d.RunID)
	if err != nil {
		return g, err
	}
	g.Draft = &d
	return g, nil
}

// Drafts lists the drafts of external agents, newest first; all: those that have ended, too.
func (s *Session) Drafts(ctx context.Context, all bool) ([]drafts.View, error) {
	views, err := s.agents.o.Drafts.ListDrafts(ctx, all)
	return slices.DeleteFunc(views, func(d drafts.View) bool {
		rec, err := s.agents.o.Record(ctx, d.RunID)
		return err != nil || !isExternal(rec)
	}), err
}

// isExternal reports whether an external agent began a run.
func isExternal(rec trace.Record) bool {
	recorded, err := setting.Read(rec.Setting)
	return err == nil && recorded.Run.Origin == plan.MCP
}

// reported returns how a run without a record stands.
func (s *Session) reported(r runs.Report) Goal {
	g := Goal{Status: r.Status, Answer: r.Answer, Error: r.Error, Draft: r.Draft}
	if r.Interpretation != nil {
		g.Asks = r.Interpretation.Questions
	}
	if r.Result == nil {
		return g
	}
	p, ok := r.Result.Plan()
	if !ok {
		return g
	}
	for _, a := range p.Actions() {
		act := Action{ID: a.ActionID, Tool: a.Tool, Args: a.Args, Summary: a.Preview, DependsOn: a.DependsOn}
		for _, v := range r.Verdicts {
			if v.ActionID == a.ActionID {
				act.Verdict, act.Reason = v.Decision.Verdict.String(), v.Decision.Reason
			}
		}
		g.Actions = append(g.Actions, act)
	}
	return g
}

// recorded returns how a recorded run stands. Text of others is quarantined, and from then on counts
// as read by the session.
func (s *Session) recorded(ctx context.Context, rec trace.Record) Goal {
	g := Goal{RunID: rec.RunID, Status: rec.Status, Answer: rec.Answer, Error: rec.Error}
	last := calls.LastSteps(rec.Steps)
	isUntrusted := false
	for _, step := range rec.Steps {
		if final, ok := last[step.StepID]; !ok || !final.StartedAt.Equal(step.StartedAt) {
			continue
		}
		delete(last, step.StepID)
		g.Steps = append(g.Steps, Step{run.ResultOf(ctx, step), step.ToolName, answers.SummarizeCall(step.ToolName, step.Args)})
		isUntrusted = isUntrusted || step.Untrusted != nil
	}
	if isUntrusted { // the steps have all of it, quarantined
		g.Answer, g.Error = message.Message{}, nil
		s.hasRead(rec.RunID)
	}
	if rec.DraftID != "" && rec.Status == trace.NeedsApproval {
		if d, err := s.agents.o.Drafts.ShowDraft(ctx, rec.DraftID); err == nil {
			g.Draft = &d
		}
	}
	return g
}

// hasRead notes that the client has got text of others from a run.
func (s *Session) hasRead(runID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.follows, runID) && (s.queue == nil || s.queue.run() != runID) {
		s.follows = append(s.follows, runID)
	}
}
