package run_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// TestToolFailures goes through everything that a tool can do wrong.
func TestToolFailures(t *testing.T) {
	var none *tool.Error
	tests := []struct {
		name      string
		call      func(context.Context, tool.Call) (tool.Result, error)
		wantClass tool.Class
		wantCode  string
		wantText  string
	}{
		{"a Go error", func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, errors.New("boom") }, tool.ExecutionError, "failed", "boom"},
		{"a typed error, wrapped", func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{}, fmt.Errorf("open: %w", tool.NewError(tool.ToolUnavailable, "no_browser", message.Verbatim("no browser")))
		}, tool.ToolUnavailable, "no_browser", "no browser"},
		{"a nil typed error", func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, none }, tool.ExecutionError, "failed", "no reason"},
		{"no without a reason", func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, nil }, tool.ExecutionError, "failed", "no reason"},
		{"yes and an error", func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{OK: true, Error: tool.NewError(tool.ExecutionError, "torn", message.Verbatim("torn"))}, nil
		}, tool.ExecutionError, "torn", "torn"},
		{"a panic", func(context.Context, tool.Call) (tool.Result, error) { panic("out of cheese") }, tool.ExecutionError, "panic", "out of cheese"},
		{"a nil map", func(context.Context, tool.Call) (tool.Result, error) {
			var m map[string]int
			m["x"] = 1 //lint:ignore SA5000 the panic is what is tested
			return tool.OK(nil), nil
		}, tool.ExecutionError, "panic", "nil map"},
		{"the end of its goroutine", func(context.Context, tool.Call) (tool.Result, error) { runtime.Goexit(); return tool.OK(nil), nil }, tool.ExecutionError, "panic", "without an answer"},
		{"a payload that is not JSON", func(context.Context, tool.Call) (tool.Result, error) { return tool.OK(func() {}), nil }, tool.ExecutionError, "bad_payload", "not JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, log := door(t, run.DispatcherOptions{}, newTool(tt.call))
			result, _ := d.Dispatch(t.Context(), call(hi))
			if result.OK || result.Error == nil || result.Error.Class != tt.wantClass || result.Error.Code != tt.wantCode ||
				!strings.Contains(i18n.English().Text(result.Error.Message), tt.wantText) {
				t.Errorf("error = %+v, want %s %s with %q", result.Error, tt.wantClass, tt.wantCode, tt.wantText)
			}
			if step := recorded(t, log); step.Status != trace.Failed || step.ErrorCode != tt.wantCode || step.Attempts != 1 {
				t.Errorf("step = %+v", step)
			}
		})
	}
}

func TestDeadlines(t *testing.T) {
	tests := []struct {
		name        string
		o           run.DispatcherOptions
		tool        tool.Tool
		cancelAfter time.Duration // 0: never
		wantTook    time.Duration
		wantStatus  trace.Status
		wantClass   tool.Class
		wantCode    string
		wantFlags   []string
		wantRetry   bool
	}{
		{
			"a tool that ends with its deadline",
			run.DispatcherOptions{},
			newTool(untilDone), 0,
			time.Second, trace.Failed, tool.ToolTimeout, "deadline_exceeded",
			[]string{},
			true,
		},
		{
			"the person's limit is shorter",
			run.DispatcherOptions{StepTimeout: 300 * time.Millisecond},
			newTool(untilDone), 0,
			300 * time.Millisecond, trace.Failed, tool.ToolTimeout, "deadline_exceeded",
			[]string{},
			true,
		},
		{
			"the tool's own limit is shorter",
			run.DispatcherOptions{StepTimeout: time.Hour},
			newTool(untilDone), 0,
			time.Second, trace.Failed, tool.ToolTimeout, "deadline_exceeded",
			[]string{},
			true,
		},
		{
			"a tool that ignores its deadline",
			run.DispatcherOptions{},
			newTool(deaf), 0,
			3 * time.Second, trace.Failed, tool.ToolTimeout, "deadline_exceeded",
			[]string{trace.FlagAbandoned},
			true,
		},
		{
			"a result within the grace counts",
			run.DispatcherOptions{},
			newTool(late), 0,
			1500 * time.Millisecond, trace.Done, "", "",
			[]string{},
			false,
		},
		{
			"S3-H13 a write that times out may have had its effect",
			run.DispatcherOptions{},
			newTool(untilDone, writes), 0,
			time.Second, trace.Failed, tool.ToolTimeout, "deadline_exceeded",
			[]string{},
			false,
		},
		{
			"interrupted by the person",
			run.DispatcherOptions{},
			newTool(untilDone), 200 * time.Millisecond,
			200 * time.Millisecond, trace.Interrupted, tool.ExecutionError, "interrupted",
			[]string{},
			false,
		},
		{
			"interrupted, and the tool is deaf",
			run.DispatcherOptions{Grace: 100 * time.Millisecond},
			newTool(deaf), 200 * time.Millisecond,
			300 * time.Millisecond, trace.Interrupted, tool.ExecutionError, "interrupted",
			[]string{trace.FlagAbandoned},
			false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, log := door(t, tt.o, tt.tool)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.cancelAfter > 0 {
					time.AfterFunc(tt.cancelAfter, cancel)
				}
				start := time.Now()
				result, step := d.Dispatch(ctx, call(hi))
				if took := time.Since(start); took != tt.wantTook || step.DurationMS != took.Milliseconds() {
					t.Errorf("took %v (recorded %d ms), want %v", took, step.DurationMS, tt.wantTook)
				}
				if step.Status != tt.wantStatus || !cmp.Equal(step.PolicyFlags, tt.wantFlags) {
					t.Errorf("step = %s %v, want %s %v", step.Status, step.PolicyFlags, tt.wantStatus, tt.wantFlags)
				}
				if tt.wantClass == "" {
					if !result.OK {
						t.Error(result.Error)
					}
				} else if e := result.Error; e == nil || e.Class != tt.wantClass || e.Code != tt.wantCode || e.Retriable != tt.wantRetry {
					t.Errorf("error = %+v, want %s %s, retriable %v", e, tt.wantClass, tt.wantCode, tt.wantRetry)
				}
				if kept := recorded(t, log); kept.Status != tt.wantStatus {
					t.Errorf("recorded %s, want %s", kept.Status, tt.wantStatus)
				}
			})
		})
	}
}

func untilDone(ctx context.Context, _ tool.Call) (tool.Result, error) {
	<-ctx.Done()
	return tool.Result{}, fmt.Errorf("stopped: %w", ctx.Err())
}

func deaf(context.Context, tool.Call) (tool.Result, error) {
	time.Sleep(5 * time.Second)
	return tool.OK("late"), nil
}

func late(context.Context, tool.Call) (tool.Result, error) {
	time.Sleep(1500 * time.Millisecond)
	return tool.OK("just"), nil
}

func rateLimited(s *tool.Spec) { s.RetryProfile = tool.RetryRateLimited }

func TestRetries(t *testing.T) {
	passing := func(after int) *tool.Error {
		e := tool.NewError(tool.ToolUnavailable, "busy", message.Verbatim("try later"))
		e.RetryAfterMS = int64(after)
		return e
	}
	lasting := tool.NewError(tool.ExecutionError, "broken", message.Verbatim("broken"))
	jitter := func() time.Duration { return 20 * time.Millisecond }
	tests := []struct {
		name         string
		change       []func(*tool.Spec)
		answers      []*tool.Error // nil: yes
		wantAttempts int
		wantTook     time.Duration
		wantOK       bool
	}{
		{"S3-H14 a transient read is tried again", []func(*tool.Spec){transient}, []*tool.Error{passing(0), nil}, 2, 270 * time.Millisecond, true},
		{"it waits as long as it is asked to", []func(*tool.Spec){transient}, []*tool.Error{passing(600), nil}, 2, 620 * time.Millisecond, true},
		{"twice, with twice the wait", []func(*tool.Spec){transient}, []*tool.Error{passing(0), passing(0), nil}, 3, 790 * time.Millisecond, true},
		{"not for ever", []func(*tool.Spec){transient}, []*tool.Error{passing(0), passing(0), passing(0), nil}, 3, 790 * time.Millisecond, false},
		{"a write that its tool refused, where it allows it", []func(*tool.Spec){writes, rateLimited}, []*tool.Error{passing(600), nil}, 2, 620 * time.Millisecond, true},
		{"not a write whose tool says nothing of when", []func(*tool.Spec){writes, rateLimited}, []*tool.Error{passing(0), nil}, 1, 0, false},
		{"not after a wait that no clock can hold", []func(*tool.Spec){transient}, []*tool.Error{passing(1 << 62), nil}, 1, 0, false},
		{"not beyond its deadline", []func(*tool.Spec){transient}, []*tool.Error{passing(2000), nil}, 1, 0, false},
		{"not where the fault stays", []func(*tool.Spec){transient}, []*tool.Error{lasting, nil}, 1, 0, false},
		{"not where the tool doesn't allow it", nil, []*tool.Error{passing(0), nil}, 1, 0, false},
		{"S3-H13 never a write", []func(*tool.Spec){writes}, []*tool.Error{passing(0), nil}, 1, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				d, log := door(t, run.DispatcherOptions{Jitter: jitter}, newTool(func(context.Context, tool.Call) (tool.Result, error) {
					e := tt.answers[n]
					n++
					return tool.Result{OK: e == nil, Error: e}, nil
				}, tt.change...))
				start := time.Now()
				result, _ := d.Dispatch(t.Context(), call(hi))
				step := recorded(t, log)
				if took := time.Since(start); n != tt.wantAttempts || step.Attempts != n || took != tt.wantTook || result.OK != tt.wantOK {
					t.Errorf("%d attempts (recorded %d) in %v, ok %v; want %d in %v, ok %v",
						n, step.Attempts, took, result.OK, tt.wantAttempts, tt.wantTook, tt.wantOK)
				}
				if retried := cmp.Equal(step.PolicyFlags, []string{trace.FlagRetried}); retried != (tt.wantAttempts > 1) {
					t.Errorf("flags = %v", step.PolicyFlags)
				}
			})
		})
	}
}

func TestRetryIsInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, log := door(t, run.DispatcherOptions{}, newTool(func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Fail(tool.ToolUnavailable, "busy", message.Verbatim("try later")), nil
		}, transient))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		time.AfterFunc(100*time.Millisecond, cancel)
		d.Dispatch(ctx, call(hi))
		if step := recorded(t, log); step.Status != trace.Interrupted || step.Attempts != 1 {
			t.Errorf("step = %+v, want it interrupted after one attempt", step)
		}
	})
}

func TestCloseWaitsForAbandonedCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set, err := tool.NewSet(newTool(deaf)) // 1 s deadline, 2 s grace, ends after 5 s
		must.Succeed(t, err)
		d := run.NewDispatcher(run.DispatcherOptions{Tools: set, Decide: always(allow)})
		start := time.Now()
		d.Dispatch(t.Context(), call(hi))
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var e *tool.Error
		if err := d.Close(soon); !errors.As(err, &e) || e.Code != "still_running" || !strings.Contains(i18n.English().Text(e.Message), "t") {
			t.Errorf("Close after 1 s = %v, want the tool's name", err)
		}
		if err := d.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("closed after %v, want 5 s", took)
		}
		if result, _ := d.Dispatch(t.Context(), call(hi)); result.OK || result.Error.Code != "closed" {
			t.Errorf("a call after Close: %+v", result)
		}
	})
}

// TestDeniedWhileRunning: what policy denies is denied, though only the call
// itself could find out.
func TestDeniedWhileRunning(t *testing.T) {
	refusal := tool.NewError(tool.PolicyDenied, "navigation_denied", message.Verbatim("the page led to a host that is not allowed"))
	tests := []struct {
		name string
		call func(context.Context, tool.Call) (tool.Result, error)
	}{
		{"as a result", func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{Error: refusal}, nil }},
		{"as a Go error, wrapped", func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{}, fmt.Errorf("navigate: %w", refusal)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for class, change := range map[string]func(*tool.Spec){"read": transient, "write": writes} {
				d, log := door(t, run.DispatcherOptions{}, newTool(tt.call, change))
				result, step := d.Dispatch(t.Context(), call(hi))
				if step.Status != trace.Denied || recorded(t, log).Status != trace.Denied || result.Error == nil || result.Error.Code != "navigation_denied" {
					t.Errorf("%s: step %s, error %+v; want denied", class, step.Status, result.Error)
				}
			}
		})
	}
	t.Run("the run is denied too", func(t *testing.T) {
		e, _, _ := engine(t, run.DispatcherOptions{}, run.EngineOptions{}, script{"a": tests[0].call})
		o := e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", planOf(t, act("a"), act("b", "a")))})
		if got, want := statuses(o.Steps), "a denied, b skipped"; got != want || o.Status != trace.Denied || o.Error.Code != "navigation_denied" {
			t.Errorf("%s: %s, %+v; want denied: %s", o.Status, got, o.Error, want)
		}
	})
}
