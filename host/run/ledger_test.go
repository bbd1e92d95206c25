package run_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// looker is a tool that can find out afterwards what it did.
type looker struct {
	tool.Tool
	found tool.EffectState
}

func (l looker) Reconcile(context.Context, tool.Call) (tool.Reconciled, error) {
	if l.found == "" {
		return tool.Reconciled{}, errors.New("it can't look")
	}
	return tool.Reconciled{Effect: l.found, Result: tool.OK("found")}, nil
}

// TestLedger calls twice by one key: what the first call came to decides
// whether the tool is called again.
func TestLedger(t *testing.T) {
	broken := errors.New("broken")
	typed := func(class tool.Class) error { return tool.NewError(class, "no", message.Verbatim("no")) }
	tests := []struct {
		name   string
		first  func(context.Context, tool.Call) (tool.Result, error)
		found  tool.EffectState // by a reconciler; "-": the tool has none
		effect tool.EffectState // of the first call
		calls  int              // in all
		status trace.Status     // of the second step
		flag   string
	}{
		{"S2-T9 the effect is there", echo, "-", tool.Committed, 1, trace.Done, trace.FlagRepeated},
		{"the tool said no", func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Fail(tool.ExecutionError, "no", message.Verbatim("no")), nil
		}, "-", tool.Released, 2, trace.Done, ""},
		{"S2-H19 what it needs was not there", func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{}, typed(tool.ToolUnavailable)
		}, "-", tool.Released, 2, trace.Done, ""},
		{"the tool broke", func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, broken }, "-", tool.Unknown, 1, trace.Failed, ""},
		{"a typed break", func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{}, typed(tool.ExecutionError)
		}, "-", tool.Unknown, 1, trace.Failed, ""},
		{"it panicked", func(context.Context, tool.Call) (tool.Result, error) { panic("oh") }, "-", tool.Unknown, 1, trace.Failed, ""},
		{"it did not answer in time", untilDone, "-", tool.Unknown, 1, trace.Failed, ""},
		{"it says that it ran out of time", func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Fail(tool.ToolTimeout, "late", message.Verbatim("late")), nil
		}, "-", tool.Unknown, 1, trace.Failed, ""},
		{"an answer that is no JSON", func(context.Context, tool.Call) (tool.Result, error) { return tool.OK(make(chan int)), nil }, "-", tool.Unknown, 1, trace.Failed, ""},
		{"S2-H18 unknown, and found to be there", func(context.Context, tool.Call) (tool.Result, error) { panic("oh") }, tool.Committed, tool.Unknown, 1, trace.Done, trace.FlagReconciled},
		{"unknown, and found not to be there", func(context.Context, tool.Call) (tool.Result, error) { panic("oh") }, tool.Released, tool.Unknown, 2, trace.Done, ""},
		{"unknown, and not to be found out", func(context.Context, tool.Call) (tool.Result, error) { panic("oh") }, tool.Unknown, tool.Unknown, 1, trace.Failed, ""},
		{"unknown, and looking fails", func(context.Context, tool.Call) (tool.Result, error) { panic("oh") }, "", tool.Unknown, 1, trace.Failed, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				var made tool.Tool = newTool(func(ctx context.Context, c tool.Call) (tool.Result, error) {
					if n++; n == 1 {
						return tt.first(ctx, c)
					}
					return echo(ctx, c)
				}, writes)
				if tt.found != "-" {
					made = looker{made, tt.found}
				}
				d, _ := door(t, run.DispatcherOptions{}, made)
				c := call(hi)
				c.Key = "linear:create_issue:d1:kickoff_brief"
				first, before := d.Dispatch(t.Context(), c)
				if before.Effect != tt.effect || before.EffectKey != c.Key {
					t.Errorf("after the first call the effect is %s of %q, want %s", before.Effect, before.EffectKey, tt.effect)
				}
				second, step := d.Dispatch(t.Context(), c)
				if n != tt.calls || step.Status != tt.status {
					t.Errorf("%d calls, then %s (%v); want %d, then %s", n, step.Status, step.Error, tt.calls, tt.status)
				}
				if got := fmt.Sprint(step.PolicyFlags); tt.flag != "" && got != fmt.Sprintf("[%s]", tt.flag) {
					t.Errorf("flags %s, want %s", got, tt.flag)
				}
				if tt.flag == trace.FlagRepeated && fmt.Sprint(second.Payload) != fmt.Sprint(first.Payload) {
					t.Errorf("answered %v, and before %v", second.Payload, first.Payload)
				}
				if tt.status == trace.Failed && step.ErrorCode != trace.CodeOutcomeUnknown {
					t.Errorf("failed with %s, want %s", step.ErrorCode, trace.CodeOutcomeUnknown)
				}
			})
		})
	}
}

// TestGranted: a yes that ended before its call no longer counts.
func TestGranted(t *testing.T) {
	for verdict, want := range map[policy.Verdict]trace.Status{policy.Allow: trace.Done, policy.Ask: trace.NeedsApproval, policy.Deny: trace.Denied} {
		t.Run(verdict.String(), func(t *testing.T) {
			n := 0
			d, _ := door(t, run.DispatcherOptions{
				Decide:  always(policy.Decision{Verdict: policy.Ask, Rule: "r", Reason: message.Verbatim("ask")}),
				Approve: func(context.Context, run.Ask) (bool, error) { return true, nil },
				Granted: func(a run.Ask) policy.Decision {
					if tool.HashArgs(a.Call.Args) != tool.HashArgs(hi) || a.Spec.Name != "t" {
						t.Errorf("asked about %+v", a)
					}
					return policy.Decision{Verdict: verdict, Reason: message.Verbatim("it has ended")}
				},
			}, newTool(func(ctx context.Context, c tool.Call) (tool.Result, error) { n++; return echo(ctx, c) }, writes))
			if _, step := d.Dispatch(t.Context(), call(hi)); step.Status != want || (n == 1) != (want == trace.Done) {
				t.Errorf("%s after %d calls, want %s", step.Status, n, want)
			}
		})
	}
}

// foretelling is a tool that says what it would do.
type foretelling struct {
	tool.Tool
	fault error
}

func (f foretelling) Forecast(context.Context, tool.Call) (tool.Forecast, error) {
	return tool.Forecast{Destroys: []string{"x"}, Count: 1}, f.fault
}

// TestForecast: what a call would do is known before anybody is asked, and one
// that can't work is not asked about.
func TestForecast(t *testing.T) {
	asked := 0
	o := run.DispatcherOptions{
		Decide:  always(policy.Decision{Verdict: policy.Ask, Rule: "r", Reason: message.Verbatim("ask")}),
		Approve: func(context.Context, run.Ask) (bool, error) { asked++; return true, nil },
	}
	d, _ := door(t, o, foretelling{newTool(echo, writes, named("a")), nil})
	if v := d.Prepare(t.Context(), "r1", planOf(t, act("a"))).Verdicts; v[0].Forecast == nil || v[0].Forecast.Destroys[0] != "x" {
		t.Errorf("forecast %+v", v[0].Forecast)
	}
	d, _ = door(t, o, foretelling{newTool(echo, writes), tool.NewError(tool.ValidationError, "folder_not_empty", message.Verbatim("it is not empty"))})
	if _, step := d.Dispatch(t.Context(), call(hi)); step.ErrorCode != "folder_not_empty" || asked != 0 {
		t.Errorf("%s after %d questions", step.ErrorCode, asked)
	}
}

// TestEffectsHappenOnce breaks calls at random, in every way that a call can
// break, and tries again until each is done or nobody knows: no effect is
// there twice, and none that is reported done is missing.
func TestEffectsHappenOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	synctest.Test(t, func(t *testing.T) {
		effects := map[string]int{}
		d, log := door(t, run.DispatcherOptions{Grace: time.Millisecond}, newTool(func(ctx context.Context, c tool.Call) (tool.Result, error) {
			how := r.IntN(6)
			if how < 4 { // the effect, and then perhaps a break
				effects[c.Key]++
			}
			switch how {
			case 0:
				return echo(ctx, c)
			case 1:
				panic("after the effect")
			case 2:
				return tool.Result{}, errors.New("after the effect")
			case 3:
				return untilDone(ctx, c)
			case 4:
				return tool.Fail(tool.ExecutionError, "no", message.Verbatim("it did nothing")), nil
			}
			panic("before the effect")
		}, writes))
		done, unknown := 0, 0
		for i := range 300 {
			c := call(hi)
			c.Key = fmt.Sprintf("test:key:%d", i)
			for range 5 {
				_, step := d.Dispatch(t.Context(), c)
				switch {
				case step.Status == trace.Done:
					if effects[c.Key] != 1 {
						t.Fatalf("%s is done and happened %d times", c.Key, effects[c.Key])
					}
				case step.Effect == tool.Unknown && r.IntN(2) == 0: // a person looks
					to := tool.Released
					if effects[c.Key] > 0 {
						to = tool.Committed
					}
					must.Succeed(t, log.Settle(t.Context(), c.Key, to))
				}
			}
			if effects[c.Key] > 1 {
				t.Fatalf("%s happened %d times", c.Key, effects[c.Key])
			}
			if effects[c.Key] == 1 {
				done++
			} else {
				unknown++
			}
		}
		if done < 100 || unknown == 300 {
			t.Errorf("%d done: the test looks at little", done)
		}
	})
}
