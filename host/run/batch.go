package run

import (
	"context"
	"slices"
	"time"

	"errand/host/run/callscope"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// batch holds the calls of one planner answer. Only the run's goroutine uses its
// fields; the goroutines of the calls send their results to it.
type batch struct {
	e          *Engine
	rc         *RunContext
	deps       [][]string
	calls      []tool.Call
	callErrors map[string]*tool.Error // of calls that the planner could not make; see [AssistantAction]
	index      map[string]int         // index of a call by its id
	steps      []trace.Step
	done       []bool
	results    []ToolResult
	started    []bool
	readings   batchReadings
	subjects   batchSubjects
}

type callResult struct {
	result tool.Result
	step   trace.Step
}

// executeCalls dispatches the calls and adds their results to the run.
func (e *Engine) executeCalls(ctx context.Context, rc *RunContext, action AssistantAction) *tool.Error {
	calls := action.Calls
	b := &batch{e: e, rc: rc, index: map[string]int{}, callErrors: action.CallErrors}
	for i, c := range calls {
		b.index[c.ActionID] = i
		b.deps = append(b.deps, c.DependsOn)
		b.calls = append(b.calls, callOf(c, rc.RunID, rc.Origin))
	}
	if fault := b.checkOrder(calls); fault != nil {
		return fault
	}
	b.steps, b.done, b.results = make([]trace.Step, len(calls)), make([]bool, len(calls)), make([]ToolResult, len(calls))
	if approved, ok := b.approve(ctx); ok {
		b.run(ctx, approved)
	}
	rc.Steps = append(rc.Steps, b.steps...)
	rc.Results = b.results
	return nil
}

// checkOrder refuses calls whose dependencies have no valid order.
func (b *batch) checkOrder(calls []plan.Action) *tool.Error {
	if _, unnamed := b.index[""]; unnamed || len(b.index) < len(calls) {
		return tool.NewError(tool.ValidationError, "bad_calls", message.New("run.bad_calls"))
	}
	waiting := make([]int, len(calls))
	for i := range calls {
		waiting[i] = i
	}
	ended := make([]bool, len(calls))
	for len(waiting) > 0 {
		remaining := slices.DeleteFunc(slices.Clone(waiting), func(i int) bool {
			return !slices.ContainsFunc(b.deps[i], func(id string) bool {
				at, inBatch := b.index[id]
				return inBatch && !ended[at]
			})
		})
		if len(remaining) == len(waiting) {
			return tool.NewError(tool.ValidationError, "bad_calls", message.New("run.circular_calls", "id", calls[remaining[0]].ActionID))
		}
		for _, i := range waiting {
			ended[i] = !slices.Contains(remaining, i)
		}
		for _, i := range remaining {
			ended[i] = false
		}
		waiting = remaining
	}
	return nil
}

// run executes the graph of calls. Ready calls start in the planner's order, up to
// the limit of parallel calls.
func (b *batch) run(ctx context.Context, approved map[string]string) {
	type arrival struct {
		i int
		callResult
	}
	arrivals := make(chan arrival)
	beat := time.NewTicker(b.e.o.Heartbeat)
	defer beat.Stop()
	began := make([]time.Time, len(b.calls)) // zero if the call is not running
	b.started = make([]bool, len(b.calls))
	for running, remaining := 0, len(b.calls); remaining > 0; {
		for i := 0; i < len(b.calls); i++ {
			if b.started[i] || !b.isReady(i) {
				continue
			}
			if why, skip := b.skipReason(ctx, i, running); skip {
				b.started[i] = true
				remaining--
				b.finish(i, b.e.d.recordSkipped(ctx, b.calls[i], why))
				i = -1 // start over: calls that depended on it may now be ready to be skipped
				continue
			}
			if running == b.e.o.Parallel {
				break
			}
			b.started[i], began[i] = true, time.Now()
			running++
			b.checkAffected(ctx, i)
			approval := b.approvalOf(i, approved)
			b.report(StepStarted, i, Event{})
			go func() {
				ctx, release := callscope.Context(ctx, b.rc.planner, b.calls[i].ActionID)
				defer release()
				result, step := b.e.d.dispatch(ctx, b.calls[i], approval)
				arrivals <- arrival{i, callResult{result, step}}
			}()
		}
		if running == 0 {
			continue
		}
		select {
		case a := <-arrivals: // always arrives: deadline, grace and record timeout bound dispatch
			running--
			remaining--
			began[a.i] = time.Time{}
			b.finish(a.i, a.callResult)
			if s := a.step.Status; s != trace.Skipped && s != trace.NeedsApproval && s != trace.Denied {
				b.declare(a.i, a.result)
				b.updateAffected(ctx, a.i)
			}
		case now := <-beat.C:
			for i, at := range began {
				if !at.IsZero() {
					b.report(StepRunning, i, Event{ElapsedMS: now.Sub(at).Milliseconds()})
				}
			}
		}
	}
}

// approvalOf returns the approval of a call.
func (b *batch) approvalOf(i int, approved map[string]string) batchApproval {
	a := batchApproval{approvedHash: approved[b.calls[i].ActionID], readings: b.readings.forCall(i)}
	if b.subjects.subjects != nil {
		a.subject = b.subjects.subjects[i]
	}
	return a
}

// isReady reports whether all dependencies have ended, with any status, no earlier reading of
// untrusted content is pending, and no running call may change the call's files.
func (b *batch) isReady(i int) bool {
	return !b.readings.mustWait(i, b.done) && !b.isChanging(i) && !slices.ContainsFunc(b.deps[i], func(id string) bool {
		at, inBatch := b.index[id]
		return inBatch && !b.done[at]
	})
}

// skipReason returns the reason not to make a call that is ready.
func (b *batch) skipReason(ctx context.Context, i, running int) (*tool.Error, bool) {
	for _, id := range b.deps[i] {
		at, inBatch := b.index[id]
		if !inBatch {
			if before, done := b.rc.Done[id]; done && before.Status == trace.Done {
				continue
			}
			if slices.ContainsFunc(b.rc.Steps, func(s trace.Step) bool { return s.StepID == id && s.Status == trace.Done }) {
				continue
			}
			return tool.NewError(tool.PolicyDenied, "unapproved_dependency", message.New("run.unapproved_dependency", "id", id)), true
		}
		if dep := b.steps[at]; dep.Status != trace.Done {
			class := tool.ExecutionError
			if dep.Error != nil {
				class = dep.Error.Class
			}
			return tool.NewError(class, "dependency_failed", message.New("run.dependency_failed", "id", id)), true
		}
	}
	if ctx.Err() == context.Canceled {
		return tool.NewError(tool.ExecutionError, "interrupted", message.New("run.skipped_interrupted")), true
	}
	if why := b.reachedLimit(ctx, running); why != "" {
		return tool.NewError(tool.ExecutionError, string(why), message.New("run.skipped_stopped", "reason", stopError(why).Message)), true
	}
	return nil, false
}

// reachedLimit returns the run's limit that the next call would exceed.
func (b *batch) reachedLimit(ctx context.Context, running int) trace.StopReason {
	if ctx.Err() != nil {
		return trace.StopMaxWallTime
	}
	made := running
	for i, done := range b.done {
		if done && b.steps[i].Status != trace.Skipped {
			made++
		}
	}
	l := b.rc.Limits
	switch {
	case l.MaxSteps > 0 && b.rc.earlierCalls+len(b.rc.Steps)+made >= l.MaxSteps:
		return trace.StopMaxSteps
	case l.MaxFailures > 0 && b.rc.failures >= l.MaxFailures:
		return trace.StopMaxFailures
	}
	return ""
}

// recordSkipped records a call that is skipped because of other calls.
func (d *Dispatcher) recordSkipped(ctx context.Context, call tool.Call, why *tool.Error) callResult {
	v := Verdict{ActionID: call.ActionID, Tool: call.Tool}
	if args, err := tool.CopyArgs(call.Args); err == nil {
		v.ArgsHash = d.hashArgs(args)
	}
	return d.recordOnly(ctx, call, v, ending{trace.Skipped, why})
}

// finish adds the result of a call to the run.
func (b *batch) finish(i int, f callResult) {
	id := b.calls[i].ActionID
	b.steps[i], b.done[i] = f.step, true
	b.results[i] = ToolResult{ActionID: id, OK: f.result.OK, Status: f.step.Status, Payload: f.result.Payload, Error: f.result.Error, Untrusted: f.result.Untrusted, Repeated: slices.Contains(f.step.PolicyFlags, trace.FlagRepeated)}
	switch {
	case f.result.OK:
		if b.rc.payloads == nil {
			b.rc.payloads = map[string]any{}
		}
		b.rc.payloads[id] = f.result.Payload
		b.rc.World = Apply(b.rc.World, f.result)
	case f.result.Error != nil:
		b.results[i].ErrorCode, b.results[i].Retriable = f.result.Error.Code, f.result.Error.Retriable
		if f.step.Status != trace.Skipped {
			b.rc.failures++
		}
	}
	if f.result.Warning != nil {
		b.rc.warnings = append(b.rc.warnings, f.result.Warning)
	}
	step := f.step
	b.report(StepFinished, i, Event{Step: &step})
}

func (b *batch) report(kind EventKind, i int, e Event) {
	e.Kind, e.RunID, e.ActionID, e.Tool = kind, b.rc.RunID, b.calls[i].ActionID, b.calls[i].Tool
	e.Total = b.rc.total
	if e.Total == 0 {
		e.Total = len(b.calls)
	}
	b.rc.progress.send(e)
}
