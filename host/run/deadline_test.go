package run_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// telling is a tool whose forecast, preparation and looking back are functions.
type telling struct {
	tool.Tool
	forecast func(context.Context) (tool.Forecast, error)
	prepare  func(context.Context) error
	look     func(context.Context) (tool.Reconciled, error)
}

func (t telling) Forecast(ctx context.Context, _ tool.Call) (tool.Forecast, error) {
	if t.forecast == nil {
		return tool.Forecast{}, nil
	}
	return t.forecast(ctx)
}

func (t telling) Prepare(ctx context.Context) error {
	if t.prepare == nil {
		return nil
	}
	return t.prepare(ctx)
}

func (t telling) Reconcile(ctx context.Context, _ tool.Call) (tool.Reconciled, error) {
	if t.look == nil {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	return t.look(ctx)
}

// sleeps ignores its context.
func sleeps(d time.Duration) func(context.Context) error {
	return func(context.Context) error { time.Sleep(d); return nil }
}

// TestForecastsThatFail: a forecast that says no, breaks or does not end is a
// fault of its action within the tool's deadline, and nobody is asked.
func TestForecastsThatFail(t *testing.T) {
	tests := []struct {
		name     string
		forecast func(context.Context) (tool.Forecast, error)
		code     string
		took     time.Duration
	}{
		{"it says no", func(context.Context) (tool.Forecast, error) {
			return tool.Forecast{}, tool.NewError(tool.ValidationError, "not_there", message.Verbatim("it is not there"))
		}, "not_there", 0},
		{"it breaks", func(context.Context) (tool.Forecast, error) { panic("oh") }, "forecast_failed", 0},
		{"it ends with its deadline", func(ctx context.Context) (tool.Forecast, error) {
			<-ctx.Done()
			return tool.Forecast{}, ctx.Err()
		}, "deadline_exceeded", time.Second},
		{"it ignores its deadline", func(ctx context.Context) (tool.Forecast, error) {
			return tool.Forecast{}, sleeps(5 * time.Second)(ctx)
		}, "deadline_exceeded", 3 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				d, log := door(t, run.DispatcherOptions{
					Decide:  always(policy.Decision{Verdict: policy.Ask, Rule: "r", Reason: message.Verbatim("ask")}),
					Approve: func(context.Context, run.Ask) (bool, error) { asked++; return true, nil },
				}, telling{Tool: newTool(echo, writes), forecast: tt.forecast})
				start := time.Now()
				_, step := d.Dispatch(t.Context(), call(hi))
				if took := time.Since(start); step.ErrorCode != tt.code || step.Attempts != 0 || asked != 0 || took != tt.took {
					t.Errorf("%s after %v, %d calls and %d questions; want %s after %v", step.ErrorCode, took, step.Attempts, asked, tt.code, tt.took)
				}
				if effects, err := log.Effects(t.Context(), "r1"); len(effects) != 0 || err != nil {
					t.Errorf("it consumed its key: %+v (%v)", effects, err)
				}
			})
		})
	}
}

// TestProblemOfForecast: an action that would fail now is refused before anybody is asked,
// unless an earlier action may solve its problem.
func TestProblemOfForecast(t *testing.T) {
	missing := func(context.Context) (tool.Forecast, error) {
		return tool.Forecast{Problem: tool.NewError(tool.ExecutionError, "no_archive", message.Verbatim("there is no archive"))}, nil
	}
	lasting := func(context.Context) (tool.Forecast, error) {
		f, err := missing(t.Context())
		f.Unsolvable = true
		return f, err
	}
	act := func(id, tool string, after ...string) plan.Action {
		return plan.Action{ActionID: id, Tool: tool, Args: hi, DependsOn: after}
	}
	for _, tt := range []struct {
		name    string
		actions []plan.Action
		refused []string
	}{
		{"alone", []plan.Action{act("a", "unpack")}, []string{"a"}},
		{"after a read", []plan.Action{act("a", "look"), act("b", "unpack", "a")}, []string{"b"}},
		{"before a write", []plan.Action{act("a", "unpack"), act("b", "pack")}, []string{"a"}},
		{"after a write that it depends on", []plan.Action{act("a", "pack"), act("b", "unpack", "a")}, nil},
		{"after another write", []plan.Action{act("a", "pack"), act("b", "unpack")}, nil},
		{"what no other solves, after a write", []plan.Action{act("a", "pack"), act("b", "gone", "a")}, []string{"b"}},
		{"twice", []plan.Action{act("a", "unpack"), act("b", "unpack")}, []string{"a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := door(t, run.DispatcherOptions{Decide: always(policy.Decision{Verdict: policy.Ask, Rule: "r", Reason: message.Verbatim("ask")})},
				telling{Tool: newTool(echo, writes, named("unpack")), forecast: missing}, telling{Tool: newTool(echo, writes, named("gone")), forecast: lasting}, newTool(echo, writes, named("pack")), newTool(echo, named("look")))
			var refused []string
			for _, v := range d.Prepare(t.Context(), "r1", planOf(t, tt.actions...)).Verdicts {
				if v.Error != nil && v.Error.Code == "no_archive" {
					refused = append(refused, v.ActionID)
				}
			}
			if !slices.Equal(refused, tt.refused) {
				t.Errorf("refused %q, want %q", refused, tt.refused)
			}
		})
	}
}

// TestPreparingComesFirst: what a tool does before its first call is no part of
// the call. It claims nothing, and the yes is looked at after it.
func TestPreparingComesFirst(t *testing.T) {
	ask := always(policy.Decision{Verdict: policy.Ask, Rule: "r", Reason: message.Verbatim("ask")})
	yes := func(context.Context, run.Ask) (bool, error) { return true, nil }
	tests := []struct {
		name    string
		prepare func(context.Context) error
		holds   time.Duration // of the approval
		status  trace.Status
		code    string
		took    time.Duration
	}{
		{"it is quick", sleeps(time.Second), time.Minute, trace.Done, "", time.Second},
		{"the approval ends meanwhile", sleeps(20 * time.Second), 10 * time.Second, trace.NeedsApproval, "needs_approval", 20 * time.Second},
		{"it fails", func(context.Context) error {
			return tool.NewError(tool.ToolUnavailable, "no_module", message.Verbatim("no module"))
		}, time.Minute, trace.Failed, "no_module", 0},
		{"it breaks", func(context.Context) error { panic("oh") }, time.Minute, trace.Failed, "failed", 0},
		{"it does not end", sleeps(3 * time.Minute), time.Hour, trace.Failed, "deadline_exceeded", 2*time.Minute + 2*time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				d, log := door(t, run.DispatcherOptions{Decide: ask, Approve: yes, Granted: func(run.Ask) policy.Decision {
					if time.Since(start) > tt.holds {
						return policy.Decision{Verdict: policy.Ask, Reason: message.Verbatim("it has ended")}
					}
					return allow
				}}, telling{Tool: newTool(echo, writes), prepare: tt.prepare})
				_, step := d.Dispatch(t.Context(), call(hi))
				if took := time.Since(start); step.Status != tt.status || step.ErrorCode != tt.code || took != tt.took {
					t.Errorf("%s %s after %v, want %s %s after %v", step.Status, step.ErrorCode, took, tt.status, tt.code, tt.took)
				}
				if effects, err := log.Effects(t.Context(), "r1"); len(effects) > 0 != (tt.status == trace.Done) || err != nil {
					t.Errorf("claims: %+v (%v)", effects, err)
				}
				time.Sleep(time.Hour) // what was left behind ends
			})
		})
	}
}

// TestRetryOfAbandonedCall: a call that was left behind may have its effect
// yet. As long as it runs, that it is not there says nothing.
func TestRetryOfAbandonedCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		effects := 0
		look := func(context.Context) (tool.Reconciled, error) {
			if effects == 0 {
				return tool.Reconciled{Effect: tool.Released}, nil
			}
			return tool.Reconciled{Effect: tool.Committed}, nil
		}
		d, _ := door(t, run.DispatcherOptions{}, telling{look: look, Tool: newTool(func(context.Context, tool.Call) (tool.Result, error) {
			time.Sleep(10 * time.Second) // its deadline is 1 s, the grace 2 s
			effects++
			return tool.OK("at last"), nil
		}, writes)})
		got := ""
		for range 3 {
			_, step := d.Dispatch(t.Context(), call(hi))
			got += fmt.Sprintf("%s %s; ", step.Status, step.ErrorCode)
			time.Sleep(5 * time.Second)
		}
		if want := "failed deadline_exceeded; failed effect_under_way; done ; "; got != want || effects != 1 {
			t.Errorf("%swith %d effects; want %swith one", got, effects, want)
		}
	})
}

// TestCutShort: a tool that says no because its time is up has not said that it
// did nothing.
func TestCutShort(t *testing.T) {
	stops := func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		<-ctx.Done()
		return tool.Fail(tool.ExecutionError, "stopped", message.Verbatim("stopped half-way")), nil
	}
	for name, limited := range map[string]time.Duration{"by its deadline": time.Hour, "by the person": 100 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, _ := door(t, run.DispatcherOptions{}, newTool(stops, writes))
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(limited, cancel)
				if _, step := d.Dispatch(ctx, call(hi)); step.Effect != tool.Unknown {
					t.Errorf("its effect is %s, want UNKNOWN", step.Effect)
				}
			})
		})
	}
}

// TestWallTimeLimit: a run ends within a second of its wall time, whoever
// does not listen: tool, planner or listener.
func TestWallTimeLimit(t *testing.T) {
	ignores := func(context.Context, tool.Call) (tool.Result, error) {
		time.Sleep(time.Hour)
		return tool.OK(nil), nil
	}
	acts := model(func(rc *run.RunContext) (run.AssistantAction, error) { return callTracker(rc, "a"), nil })
	sleeper := model(func(rc *run.RunContext) (run.AssistantAction, error) {
		time.Sleep(time.Hour)
		return callTracker(rc, "a"), nil
	})
	late := model(func(rc *run.RunContext) (run.AssistantAction, error) {
		time.Sleep(900 * time.Millisecond)
		return callTracker(rc, "a"), nil
	})
	tests := []struct {
		name    string
		planner run.Planner
		script  script
		listen  func(run.Event)
		steps   string
	}{
		{"S3-T02 a tool that never ends", acts, script{"a": ignores}, nil, "t1.1 failed"},
		{"S3-T02 a tool that never ends and a listener that lags", acts, script{"a": ignores}, func(run.Event) { time.Sleep(time.Minute) }, "t1.1 failed"},
		{"a planner that never ends", sleeper, nil, nil, ""},
		{"a planner that has more to do too late", late, nil, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tools := []tool.Tool{newTool((&journal{}).wrap("a", tt.script["a"]), named("a"), writes, func(s *tool.Spec) { s.TimeoutMS = 60_000 })}
				d, log := door(t, run.DispatcherOptions{}, tools...)
				start := time.Now()
				o := run.NewEngine(d, run.EngineOptions{Progress: tt.listen}).RunTask(t.Context(), run.Task{
					RunID: "r1", Origin: plan.Agent, Planner: tt.planner, Limits: run.Limits{MaxWallTime: 850 * time.Millisecond},
				})
				if took := time.Since(start); took < 850*time.Millisecond || took > 850*time.Millisecond+time.Second {
					t.Errorf("it took %v", took)
				}
				if o.StopReason != trace.StopMaxWallTime || o.Status != trace.Failed || statuses(o.Steps) != tt.steps || codeOf(o.Error) == "" {
					t.Errorf("%s, %s: %s (%v)", o.StopReason, o.Status, statuses(o.Steps), o.Error)
				}
				if effects, _ := log.Effects(t.Context(), "r1"); len(effects) > 0 && effects[0].Effect != tool.Unknown {
					t.Errorf("the effect of what was left behind is %s", effects[0].Effect)
				}
				time.Sleep(2 * time.Hour)
			})
		})
	}
}
