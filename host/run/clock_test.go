package run

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy"
)

// TestHold: the time of a call stands still while its tool holds it, and not
// longer than the tool said, and never beyond the run's.
func TestHold(t *testing.T) {
	held := func(hold, most, after time.Duration) tool.Tool {
		return tool.Func(tool.Spec{
			Name: "t.hold", ArgsSchema: []byte(`{"type":"object"}`), SideEffectClass: tool.Read, Effect: tool.EffectRead, TimeoutMS: 1000,
		}, func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			limited, release := tool.Hold(ctx, most)
			select {
			case <-time.After(hold):
			case <-limited.Done():
			}
			err := limited.Err()
			release()
			if err != nil {
				return tool.Result{}, err
			}
			select {
			case <-time.After(after):
				return tool.OK("done"), nil
			case <-ctx.Done():
				return tool.Result{}, ctx.Err()
			}
		})
	}
	tests := []struct {
		name              string
		hold, most, after time.Duration
		run               time.Duration // of the whole run; 0: no bound
		want              string        // code of the error; empty: done
		took              time.Duration
	}{
		{"held for longer than the call has", time.Minute, time.Hour, 500 * time.Millisecond, 0, "", time.Minute + 500*time.Millisecond},
		{"what was left runs on", time.Minute, time.Hour, 2 * time.Second, 0, "deadline_exceeded", time.Minute + time.Second},
		{"no longer than it said", time.Hour, time.Minute, 0, 0, "deadline_exceeded", time.Minute},
		{"the run ends", time.Hour, time.Hour, 0, 10 * time.Second, "deadline_exceeded", 10 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				set, err := tool.NewSet(held(tt.hold, tt.most, tt.after))
				must.Succeed(t, err)
				d := NewDispatcher(DispatcherOptions{Tools: set, Decide: func(policy.Request) policy.Decision { return policy.Decision{Verdict: policy.Allow, Rule: "r"} }, Log: &trace.Memory{}})
				ctx := t.Context()
				if tt.run > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tt.run)
					defer cancel()
				}
				began := time.Now()
				r, step := d.Dispatch(ctx, tool.Call{RunID: "r", ActionID: "a1", Tool: "t.hold"})
				if took := time.Since(began); took.Round(100*time.Millisecond) != tt.took {
					t.Errorf("it took %s, want %s", took, tt.took)
				}
				code := ""
				if r.Error != nil {
					code = r.Error.Code
				}
				if code != tt.want {
					t.Errorf("error %v (%s), want %q", r.Error, step.Status, tt.want)
				}
				if err := d.Close(context.Background()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
