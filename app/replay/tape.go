package replay

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"errand/app/runs/calls"
	"errand/app/secrets"
	"errand/host/files"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/approval"
)

// tape answers for tools, people, names and interruptions, each as the record
// says. Nothing of it reaches beyond the program's memory.
type tape struct {
	r        *replayRun
	plan     plan.Plan             // zero before [tape.load]
	steps    map[string]trace.Step // by action id, the last of each
	redacted map[string]bool       // actions whose arguments redaction changed, in a plan that is not made again
	byArg    map[string]string     // tool and arguments' hash → action id
	cut      bool                  // the record ends before the plan does: the run was interrupted
	partial  bool                  // only some of the actions were ever tried

	task   *taskReplay               // nil: a plan is repeated
	edited map[string]map[string]any // arguments of a task's calls that the user changed, by their ids

	passed bool // some action was called, or about to be: the plan as a whole was let through
	split  bool // some action was tried again, or only some were tried
	end    *cutoff

	mu        sync.Mutex
	forecasts map[string]int // how often an action's reach was asked
}

func newTape(r *replayRun) *tape {
	t := &tape{
		r: r, steps: map[string]trace.Step{}, redacted: map[string]bool{}, byArg: map[string]string{}, edited: map[string]map[string]any{}, forecasts: map[string]int{},
		cut: r.rec.Status == trace.Interrupted || r.rec.Status == trace.Running, end: &cutoff{},
	}
	for _, s := range r.rec.Steps {
		_, repeated := t.steps[s.StepID]
		t.steps[s.StepID] = s
		t.split = t.split || repeated
		late := s.Status == trace.NeedsApproval && s.Verdict == policy.Allow.String() // what it ran under had ended
		t.passed = t.passed || wasCalled(s) || late
	}
	return t
}

// load takes the plan whose calls the tape answers.
func (t *tape) load(p plan.Plan) {
	r := t.r
	t.plan = p
	t.split = t.split || len(t.steps) < p.Len()
	t.partial = !t.cut && len(t.steps) < p.Len() && (r.rec.Status != trace.Done || r.rec.DraftID != "")
	t.end.load(p, t.steps)
	planCompared := r.out.Compared.Plan
	for _, a := range p.Actions() {
		t.redacted[a.ActionID] = !planCompared && secrets.IsMarked(map[string]any(a.Args))
		t.byArg[a.Tool+"\x00"+tool.HashArgs(a.Args)] = a.ActionID
	}
}

// dispatch has the record decide about calls, and reveals no secrets: the tools are
// the record.
func (t *tape) dispatch(o *run.DispatcherOptions) {
	o.Decide, o.Precheck, o.Reach, o.Approve, o.Granted = t.decide, t.precheck, t.checkReach, t.approve, t.checkGrant
	o.Reveal = func(_ tool.Spec, args map[string]any) (map[string]any, *tool.Error) { return args, nil }
	if t.task != nil {
		o.Approve = t.task.approve
	}
	o.Locate, o.Inspect, o.Learn, o.StepTimeout = nil, nil, nil, 0
}

// triedActions are the ids of the actions that were tried, in a run of which others
// were never approved; none where all of them are.
func (t *tape) triedActions() []string {
	if !t.partial {
		return nil
	}
	return slices.Sorted(maps.Keys(t.steps))
}

// tools are the recorded ones, which answer from the record.
func (t *tape) tools() (*tool.Set, error) {
	var tools []tool.Tool
	for _, spec := range t.r.setting.Specs() {
		for id, lost := range t.redacted {
			if lost && t.steps[id].ToolName == spec.Name {
				spec.ArgsSchema = json.RawMessage(`{"type":"object"}`) // what redaction left may fit no schema
			}
		}
		spec.RetryProfile = tool.RetryNone // a second attempt is part of the one answer
		answers := tool.Func(spec, t.call)
		if t.isClassified(spec.Name) {
			answers = recordedClass{answers, t}
		}
		tools = append(tools, answers)
	}
	return tool.NewSet(tools...)
}

// call answers one call from its step.
func (t *tape) call(ctx context.Context, call tool.Call) (tool.Result, error) {
	s, ok := t.steps[call.ActionID]
	if !ok || s.Status == trace.Interrupted || s.Status == trace.Running {
		return t.interruptRun(ctx, call.ActionID, s)
	}
	result := tool.Result{OK: s.Status == trace.Done, Payload: s.Payload, Facts: s.Facts, Undo: s.Undo, Error: s.Error, UserOnlyKeys: s.Aside}
	for _, a := range s.Artifacts {
		a.Data = nil
		result.Artifacts = append(result.Artifacts, a)
	}
	if result.OK {
		result.Error = nil
	} else if s.Error != nil {
		e := *s.Error
		e.RetryAfterMS = 0
		result.Error = &e
	}
	return result, nil
}

// interruptRun ends the run as it was ended then.
func (t *tape) interruptRun(ctx context.Context, id string, s trace.Step) (tool.Result, error) {
	t.end.markPast(id)
	t.end.wait(ctx)
	if s.Error == nil {
		return tool.Fail(tool.ExecutionError, "interrupted", message.New("replay.interrupted")), nil
	}
	e := *s.Error
	return tool.Result{Error: &e}, nil
}

// decide asks the recorded policy, as of the time of the call. Of a call whose
// arguments redaction changed nothing can be asked: the record decides, as it does about the limits of
// a task.
func (t *tape) decide(q policy.Request) policy.Decision {
	id := t.byArg[q.Tool+"\x00"+tool.HashArgs(q.Args)]
	s := t.steps[id]
	if t.redacted[id] || calls.IsTaskRule(s.Rule) {
		d := policy.Decision{Rule: s.Rule, Reason: s.Reason}
		switch s.Verdict {
		case policy.Allow.String():
			d.Verdict = policy.Allow
		case policy.Ask.String():
			d.Verdict = policy.Ask
		}
		return d
	}
	q.At, q.Voice, q.Run = t.r.app.now(), t.r.setting.Run.Voice != nil, t.r.rec.RunID
	if !s.StartedAt.IsZero() {
		q.At = s.StartedAt
	}
	for _, u := range t.r.setting.Run.ReadBefore {
		q.Readings = append(q.Readings, run.Readings([]trace.Step{{Untrusted: &u}})...)
	}
	q.Readings = append(q.Readings, t.readBefore(id)...)
	if rests := (policy.Decision{Flags: s.PolicyFlags}).Grants(); len(rests) > 0 { // others came or went meanwhile
		grants := slices.DeleteFunc(slices.Clone(t.r.app.grants), func(g policy.Grant) bool { return !slices.Contains(rests, g.ID) })
		return t.r.app.gate.WithGrants(grants...).Decide(q)
	}
	return t.r.app.decide(q)
}

// readBefore is what the run had read that others wrote when the step of an
// action that counts was recorded: in a run of several stretches more than the
// plan alone tells.
func (t *tape) readBefore(id string) []policy.UntrustedRead {
	last := 0
	for i, s := range t.r.rec.Steps {
		if s.StepID == id {
			last = i
		}
	}
	return run.Readings(t.r.rec.Steps[:last])
}

// precheck is the program's own; it looks at spellings alone.
func (t *tape) precheck(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if t.redacted[call.ActionID] {
		if s := t.steps[call.ActionID]; s.Verdict == "" && s.Status != trace.Skipped {
			return s.Error
		}
		return nil
	}
	return files.CheckRoots(ctx, spec, call)
}

// checkReach answers what the network, and the tool's look at what it would do,
// answered: a fault of a call that policy had let through and that was not made.
// Where others were called, the fault came to light after the gate.
func (t *tape) checkReach(_ context.Context, _ tool.Spec, call tool.Call) *tool.Error {
	s := t.steps[call.ActionID]
	if s.Attempts > 0 || s.Error == nil || s.Status != trace.Failed && s.Status != trace.Denied {
		return nil
	}
	if s.Verdict == "" || s.Verdict == policy.Deny.String() || slices.Contains(afterReach, s.ErrorCode) {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forecasts[call.ActionID]++
	if t.passed && t.forecasts[call.ActionID] == 1 {
		return nil
	}
	return s.Error
}

// afterReach are codes of calls that were not made for a reason that came later.
var afterReach = []string{
	"rejected", "key_taken", "store_unavailable", trace.CodeOutcomeUnknown, trace.CodeEffectUnderWay,
}

// approve gives the user's answer again.
func (t *tape) approve(_ context.Context, ask run.Ask) (bool, error) {
	s, ok := t.steps[ask.Call.ActionID]
	switch {
	case ok && slices.Contains(s.PolicyFlags, trace.FlagApproved):
		return true, nil
	case s.ErrorCode == "rejected":
		return false, nil
	case t.passed && (!ok || s.Status == trace.NeedsApproval || lookFailed(s)): // nothing was called before everything that would be was approved
		return true, nil
	case s.Status == trace.Interrupted, !ok && t.cut:
		t.end.interrupt()
		return false, context.Canceled
	case s.Status == trace.Skipped: // another action was the one that was not approved
		return true, nil
	}
	return false, run.ErrNoUser
}

// checkGrant decides about an approved call: Ask if its approval had expired, else Allow.
func (t *tape) checkGrant(ask run.Ask) policy.Decision {
	s, ok := t.steps[ask.Call.ActionID]
	if ok && t.passed && s.Status == trace.NeedsApproval && s.Error != nil {
		return policy.Decision{Verdict: policy.Ask, Rule: approval.RuleExpired, Reason: s.Error.Message, Hint: s.Error.Hint}
	}
	return policy.Decision{Verdict: policy.Allow, Rule: approval.RuleGranted}
}
