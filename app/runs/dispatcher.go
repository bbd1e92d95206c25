package runs

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"errand/host/files"
	"errand/host/filestate"
	"errand/host/run"
	"errand/host/tool"
	"errand/planner/message"
)

// withoutReach makes a dispatcher resolve no names.
func withoutReach(o *run.DispatcherOptions) { o.Reach = nil }

// dispatcher makes the dispatcher of the attempt's calls. Without a record it calls nothing and
// resolves no name, so that a plan can be checked offline.
func (x *attempt) dispatcher(change ...func(*run.DispatcherOptions)) *run.Dispatcher {
	o := &x.runs.o
	d := run.DispatcherOptions{
		Tools: x.tools, Decide: x.gate.Decide, Precheck: files.CheckRoots, Locate: filestate.Locate, Inspect: filestate.Inspect, Entries: filestate.Entries, BeforeCall: permission{x}.beforeCall, Approve: x.gate.Approve,
		EarlierSteps: slices.Concat(x.readBefore, x.earlierSteps), Log: x.log, Now: o.Now,
		Redact: func(v any) any { return x.clean().Value(v) }, Seal: x.seal,
		Reveal: func(spec tool.Spec, args map[string]any) (map[string]any, *tool.Error) {
			return o.Vault.PlanSecrets(x.id).Reveal(spec, args)
		},
		Learn:       func(secrets []string) { o.Vault.AddLearned(x.id, secrets) },
		Flags:       x.rec.flags,
		StepTimeout: time.Duration(o.Config.Run.StepTimeoutMS) * time.Millisecond,
		Jitter:      func() time.Duration { return rand.N(250 * time.Millisecond) },
	}
	if x.log != nil {
		d.Reach = x.gate.CheckReach
	}
	if x.gate.IsBound() { // it covers all that is done under it
		d.Granted = x.gate.CheckGrant
	}
	if o.Replay != nil {
		o.Replay.Dispatch(&d)
	}
	for _, f := range change {
		f(&d)
	}
	return run.NewDispatcher(d)
}

// engine makes the engine that runs an attempt's plan or task.
func (rs *Runs) engine(d *run.Dispatcher, progress func(run.Event)) *run.Engine {
	return run.NewEngine(d, run.EngineOptions{Parallel: rs.o.Config.Run.Parallel, Progress: progress})
}

// endCalls waits for tools that were still running at their deadline.
func endCalls(ctx context.Context, d *run.Dispatcher) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if err := d.Close(ctx); err != nil {
		return message.Error("runs.end_calls", "cause", err)
	}
	return nil
}
