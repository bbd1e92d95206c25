package run_test

import (
	"context"
	"testing"

	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/policy"
)

// interrupting is a log that ends a context when a call is claimed.
type interrupting struct {
	trace.Memory
	end func()
}

func (l *interrupting) Claim(ctx context.Context, s trace.Step) (trace.Claim, error) {
	l.end()
	return l.Memory.Claim(ctx, s)
}

// TestInterruptedBeforeCall: a run that is interrupted at any moment before a call has no
// further effect, and the record says so.
func TestInterruptedBeforeCall(t *testing.T) {
	for _, tt := range []struct {
		name string
		at   func(end func()) (run.DispatcherOptions, func())
	}{
		{"policy", func(end func()) (run.DispatcherOptions, func()) {
			return run.DispatcherOptions{Decide: func(policy.Request) policy.Decision { end(); return allow }}, nil
		}},
		{"approval", func(end func()) (run.DispatcherOptions, func()) {
			return run.DispatcherOptions{Granted: func(run.Ask) policy.Decision { end(); return allow }}, nil
		}},
		{"claim", func(end func()) (run.DispatcherOptions, func()) { return run.DispatcherOptions{}, end }},
		{"before the call", func(end func()) (run.DispatcherOptions, func()) {
			return run.DispatcherOptions{BeforeCall: func(context.Context, tool.Spec, tool.Call) *tool.Error { end(); return nil }}, nil
		}},
		{"before the call, which fails", func(end func()) (run.DispatcherOptions, func()) {
			return run.DispatcherOptions{BeforeCall: func(ctx context.Context, _ tool.Spec, _ tool.Call) *tool.Error {
				end()
				return tool.AsError(ctx.Err())
			}}, nil
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			defer end()
			o, claimed := tt.at(end)
			if claimed == nil {
				claimed = func() {}
			}
			log := &interrupting{end: claimed}
			must.Succeed(t, log.Begin(t.Context(), tracetest.NewRun("r1", 0)))
			o.Log = log
			calls := 0
			d, _ := door(t, o, newTool(func(ctx context.Context, c tool.Call) (tool.Result, error) {
				calls++
				return echo(ctx, c)
			}, writes))
			r, step := d.Dispatch(ctx, call(hi))
			if calls != 0 || step.Status != trace.Interrupted || codeOf(r.Error) != "interrupted" {
				t.Errorf("%d calls, %s, %v", calls, step.Status, r.Error)
			}
			if step.Effect != "" && step.Effect != tool.Released {
				t.Errorf("the effect is %s", step.Effect)
			}
			if called, _ := r.Error.Message.Params["called"].(bool); called {
				t.Error("the error says that the tool was called")
			}
		})
	}
}
