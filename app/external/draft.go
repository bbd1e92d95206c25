package external

import (
	"context"

	"errand/app/answers"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/app/runs/calls"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// propose makes a call a draft, which waits for the user. It is a run of its own, which follows the
// session's: what that has read counts.
func (s *Session) propose(ctx context.Context, key string, a plan.Action, set *tool.Set, follows []string) Result {
	s.proposing.Lock()
	defer s.proposing.Unlock()
	if r, found := s.recall(ctx, key); found { // the same call made it meanwhile
		return r
	}
	words := s.client + ": " + a.Tool
	p, err := calls.Plan(plan.Content{
		Origin: plan.MCP, Language: "en", Summary: answers.SummarizeCall(a.Tool, a.Args), Inputs: plan.Inputs{RawText: words},
	}, []plan.Action{a}, set)
	if err != nil {
		return failed(tool.AsError(err))
	}
	report, err := s.agents.o.Start(ctx, runs.Request{
		Origin: plan.MCP, Plan: &runs.Plan{Plan: p, Words: words, Proposal: &drafts.Proposal{Follows: follows}},
	})
	switch {
	case err != nil:
		return failed(tool.AsError(err))
	case report.Draft == nil && report.Error != nil:
		return failed(report.Error)
	case report.Draft == nil:
		return failed(tool.NewError(tool.ExecutionError, "no_draft", message.New("external.no_draft")))
	case report.Draft.Withheld || report.Draft.NeedsSecrets(): // it could not be approved later
		_, _ = s.agents.o.Drafts.Reject(ctx, report.DraftID)
		return failed(tool.NewError(tool.PolicyDenied, drafts.CodeDraftWithheld, message.New("external.secret_in_call")))
	}
	s.mu.Lock()
	s.drafts[key] = draftCall{report.DraftID, report.RunID, a.ActionID}
	s.mu.Unlock()
	return waiting(a.ActionID, *report.Draft)
}

// waiting is the result of a call whose draft waits for the user.
func waiting(id string, d drafts.View) Result {
	e := tool.NewError(tool.PolicyDenied, CodeNeedsApproval, message.New("external.waits", "draft", d.DraftID)).
		WithHint(message.New("external.waits_hint", "command", d.ApproveCommand()))
	if len(d.Questions) > 0 {
		e = e.WithHint(message.New("external.waits_answer_hint", "draft", d.DraftID))
	}
	e.Recoverable = true
	return Result{
		ToolResult: run.ToolResult{ActionID: id, Status: trace.NeedsApproval, Error: e, ErrorCode: e.Code}, RunID: d.RunID, Draft: &d,
	}
}

// recall returns the result of a call that became a draft before. A draft that expired, or of which
// the client has heard that it was rejected, is proposed again: found is false.
func (s *Session) recall(ctx context.Context, key string) (r Result, found bool) {
	s.mu.Lock()
	c, ok := s.drafts[key]
	s.mu.Unlock()
	if !ok {
		return r, false
	}
	d, err := s.agents.o.Drafts.ShowDraft(ctx, c.draftID)
	if err != nil {
		return failed(tool.AsError(err)), true
	}
	switch d.State {
	case approval.StateExpired:
		s.forget(key)
		return r, false
	case approval.StateCancelled:
		s.forget(key)
		return failed(tool.NewError(tool.PolicyDenied, "rejected", message.New("external.rejected", "draft", d.DraftID))), true
	case approval.StateApplied, approval.StateFailed:
		r, err = s.applied(ctx, c)
		if len(d.EarlierRevisions) == 0 { // the user did not change the call
			r.Args = nil
		}
		if err != nil {
			return failed(tool.AsError(err)), true
		}
		if !r.OK {
			s.forget(key)
		}
		return r, true
	case approval.StateApplying:
		e := tool.NewError(tool.ToolUnavailable, drafts.CodeDraftApplying, message.New("external.applying", "draft", d.DraftID)).
			WithHint(message.New("external.applying_hint", "run", c.runID))
		e.Recoverable, e.Retriable, e.RetryAfterMS = true, true, 1000
		r = failed(e)
		r.RunID, r.Draft = c.runID, &d
		return r, true
	}
	return waiting(c.actionID, d), true
}

// applied returns the result of a call whose draft was applied.
func (s *Session) applied(ctx context.Context, c draftCall) (Result, error) {
	rec, err := s.agents.o.Record(ctx, c.runID)
	if err != nil {
		return Result{}, err
	}
	step, ok := calls.LastSteps(rec.Steps)[c.actionID]
	switch {
	case ok:
	case rec.Error != nil:
		return Result{}, rec.Error
	default:
		return Result{}, tool.NewError(tool.ExecutionError, "no_draft", message.New("external.no_draft"))
	}
	r := Result{ToolResult: run.ResultOf(ctx, step), RunID: c.runID}
	r.Repeated = true
	return r, nil
}

func (s *Session) forget(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.drafts, key)
}
