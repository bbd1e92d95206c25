package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/policy"
)

const textSchema = `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}`

// newTool is a read tool named "t" that takes a text; change what differs.
func newTool(call func(context.Context, tool.Call) (tool.Result, error), change ...func(*tool.Spec)) tool.Tool {
	spec := tool.Spec{
		Name: "t", ArgsSchema: json.RawMessage(textSchema), SideEffectClass: tool.Read, Effect: tool.EffectRead,
		TimeoutMS: 1000, Source: "builtin",
	}
	for _, c := range change {
		c(&spec)
	}
	return tool.Func(spec, call)
}

func writes(s *tool.Spec)    { s.SideEffectClass, s.Effect = tool.Write, tool.EffectFile }
func transient(s *tool.Spec) { s.RetryProfile = tool.RetryTransient }
func named(n string) func(*tool.Spec) {
	return func(s *tool.Spec) { s.Name = n }
}

func echo(_ context.Context, c tool.Call) (tool.Result, error) {
	return tool.OK(map[string]any{"text": c.Args["text"]}), nil
}

func always(d policy.Decision) func(policy.Request) policy.Decision {
	return func(policy.Request) policy.Decision { return d }
}

var allow = policy.Decision{Verdict: policy.Allow, Rule: "test", Reason: "tests may"}

// call is a call of the tool "t".
func call(args map[string]any) tool.Call {
	return tool.Call{RunID: "r1", CallID: "a1", Tool: "t", Args: args, Origin: "user_goal"}
}

var hi = map[string]any{"text": "hi"}

// door is a dispatcher with a log in memory and one run begun in it.
func door(t *testing.T, o run.DispatcherOptions, tools ...tool.Tool) (*run.Dispatcher, *trace.Memory) {
	t.Helper()
	set, err := tool.NewSet(tools...)
	if err != nil {
		t.Fatal(err)
	}
	log := &trace.Memory{}
	if err := log.Begin(t.Context(), tracetest.NewRun("r1", 0)); err != nil {
		t.Fatal(err)
	}
	o.Tools = set
	if o.Log == nil {
		o.Log = log
	}
	if o.Decide == nil {
		o.Decide = always(allow)
	}
	d := run.NewDispatcher(o)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 10*time.Second)
		defer cancel()
		if err := d.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return d, log
}

// recorded is the log's only step.
func recorded(t *testing.T, log trace.Reader) trace.Step {
	t.Helper()
	rec, err := log.Record(context.WithoutCancel(t.Context()), "r1")
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Steps) != 1 {
		t.Fatalf("%d steps are recorded, want 1: %+v", len(rec.Steps), rec.Steps)
	}
	return rec.Steps[0]
}

func TestDispatchRecords(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(40 * time.Millisecond); return now }
	decision := policy.Decision{Verdict: policy.Allow, Rule: "rules[0]", Reason: "listed", Flags: []string{"listed_host"}}
	d, log := door(t, run.DispatcherOptions{Now: clock, Decide: always(decision)},
		newTool(func(_ context.Context, c tool.Call) (tool.Result, error) {
			return tool.Result{
				OK: true, Payload: struct{ N int }{7}, Facts: []string{"page_open"},
				Artifacts: []tool.Artifact{{Name: "a.png", MediaType: "image/png", Data: []byte("abc")}},
			}, nil
		}))
	result, step := d.Dispatch(t.Context(), call(hi))

	want := trace.Step{
		RunID: "r1", StepID: "a1", ToolName: "t", ArgsHash: tool.HashArgs(hi), DurationMS: 40, Status: trace.Done,
		Artifacts: []tool.Artifact{{
			Name: "a.png", MediaType: "image/png", Size: 3,
			SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		}},
		PolicyFlags: []string{"listed_host"}, StartedAt: now.Add(-40 * time.Millisecond), Verdict: "allow",
		Rule: "rules[0]", Reason: "listed", Attempts: 1, Args: map[string]any{"text": "hi"},
		Payload: map[string]any{"N": 7.0}, Facts: []string{"page_open"},
	}
	if diff := cmp.Diff(want, step); diff != "" {
		t.Errorf("step (-want +got):\n%s", diff)
	}
	kept := recorded(t, log)
	kept.Artifacts[0].Data = nil
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Errorf("recorded step (-want +got):\n%s", diff)
	}
	if !result.OK || result.DurationMS != 40 || !cmp.Equal(result.Payload, want.Payload) || result.Artifacts[0].SHA256 == "" {
		t.Errorf("result = %+v", result)
	}
}

// TestRefusals goes through everything that stops a call before its tool is
// called. The names of seed acceptance lines stand where they are covered.
func TestRefusals(t *testing.T) {
	deny := policy.Decision{Verdict: policy.Deny, Rule: "floor.private_address", Reason: "127.0.0.1 is private", Hint: "allow_private"}
	ask := policy.Decision{Verdict: policy.Ask, Rule: "write", Reason: "it writes", Hint: "errand approve"}
	yes := func(context.Context, run.Ask) (bool, error) { return true, nil }
	no := func(context.Context, run.Ask) (bool, error) { return false, nil }
	gone := func(context.Context, run.Ask) (bool, error) { return false, errors.New("no terminal") }
	nobody := func(context.Context, run.Ask) (bool, error) { return true, run.ErrNobody }
	refuse := func(context.Context, tool.Spec, tool.Call) *tool.Error {
		return tool.Errorf(tool.ValidationError, "no_such_path", "there is no such path")
	}
	unreachable := func(context.Context, tool.Spec, tool.Call) *tool.Error {
		return tool.Errorf(tool.ToolUnavailable, "name_not_resolved", "no such name")
	}
	broken := func(context.Context, tool.Spec, tool.Call) *tool.Error { panic("oh") }
	tests := []struct {
		name        string
		o           run.DispatcherOptions
		call        tool.Call
		wantStatus  trace.Status
		wantClass   tool.Class
		wantCode    string
		wantVerdict string
	}{
		{"S3-T15 arguments that don't fit the schema", run.DispatcherOptions{}, call(map[string]any{"text": 1}), trace.Failed, tool.ValidationError, "invalid_args", ""},
		{"the schema comes before policy", run.DispatcherOptions{Decide: always(deny)}, call(nil), trace.Failed, tool.ValidationError, "invalid_args", ""},
		{"arguments that are not JSON", run.DispatcherOptions{}, call(map[string]any{"text": make(chan int)}), trace.Failed, tool.ValidationError, "invalid_args", ""},
		{"S3-H32 an unknown tool", run.DispatcherOptions{}, tool.Call{RunID: "r1", CallID: "a1", Tool: "nope"}, trace.Failed, tool.ToolUnavailable, "unknown_tool", ""},
		{"the business check comes before policy", run.DispatcherOptions{Precheck: refuse, Decide: always(deny)}, call(hi), trace.Failed, tool.ValidationError, "no_such_path", ""},
		{"a check that breaks", run.DispatcherOptions{Precheck: broken}, call(hi), trace.Failed, tool.ExecutionError, "check_failed", ""},
		{"denied by policy", run.DispatcherOptions{Decide: always(deny), Approve: yes}, call(hi), trace.Denied, tool.PolicyDenied, "denied", "deny"},
		{"what is denied reaches no resolver", run.DispatcherOptions{Decide: always(deny), Reach: broken}, call(hi), trace.Denied, tool.PolicyDenied, "denied", "deny"},
		{"nobody is asked about what can't be reached", run.DispatcherOptions{Decide: always(ask), Reach: unreachable, Approve: yes}, call(hi), trace.Failed, tool.ToolUnavailable, "name_not_resolved", "ask"},
		{"policy breaks", run.DispatcherOptions{Decide: func(policy.Request) policy.Decision { panic("oh") }}, call(hi), trace.Denied, tool.PolicyDenied, "denied", "deny"},
		{"nobody to ask", run.DispatcherOptions{Decide: always(ask)}, call(hi), trace.NeedsApproval, tool.PolicyDenied, "needs_approval", "ask"},
		{"an asker that has nobody to ask", run.DispatcherOptions{Decide: always(ask), Approve: nobody}, call(hi), trace.NeedsApproval, tool.PolicyDenied, "needs_approval", "ask"},
		{"asking fails", run.DispatcherOptions{Decide: always(ask), Approve: gone}, call(hi), trace.NeedsApproval, tool.PolicyDenied, "needs_approval", "ask"},
		{"a person says no", run.DispatcherOptions{Decide: always(ask), Approve: no}, call(hi), trace.Denied, tool.PolicyDenied, "rejected", "ask"},
		{"a verdict that is none", run.DispatcherOptions{Decide: always(policy.Decision{Verdict: 7})}, call(hi), trace.Denied, tool.PolicyDenied, "denied", "deny"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			called := false
			d, log := door(t, tt.o, newTool(func(ctx context.Context, c tool.Call) (tool.Result, error) {
				called = true
				return echo(ctx, c)
			}))
			result, step := d.Dispatch(t.Context(), tt.call)
			if called {
				t.Error("the tool was called")
			}
			if result.OK || result.Error == nil {
				t.Fatalf("result = %+v, want a failure", result)
			}
			got := fmt.Sprint(step.Status, result.Error.Class, result.Error.Code, step.Verdict)
			if want := fmt.Sprint(tt.wantStatus, tt.wantClass, tt.wantCode, tt.wantVerdict); got != want {
				t.Errorf("got %s, want %s (%v)", got, want, result.Error)
			}
			if kept := recorded(t, log); kept.ErrorCode != tt.wantCode || kept.Attempts != 0 {
				t.Errorf("recorded step = %+v", kept)
			}
			if result.Error.Class == tool.ValidationError && result.Error.Retriable {
				t.Error("a validation error is retriable")
			}
		})
	}
}

func TestZeroDispatcherRefuses(t *testing.T) {
	d := run.NewDispatcher(run.DispatcherOptions{})
	if result, _ := d.Dispatch(t.Context(), call(hi)); result.OK || result.Error.Code != "unknown_tool" {
		t.Errorf("result = %+v", result)
	}
	set, err := tool.NewSet(newTool(echo))
	if err != nil {
		t.Fatal(err)
	}
	d = run.NewDispatcher(run.DispatcherOptions{Tools: set})
	result, step := d.Dispatch(t.Context(), call(hi))
	if result.OK || result.Error.Class != tool.PolicyDenied || step.Rule != "no_policy" {
		t.Errorf("result = %+v, step = %+v", result, step)
	}
}

func TestApprovedCallRuns(t *testing.T) {
	decide := always(policy.Decision{Verdict: policy.Ask, Rule: "write", Reason: "it writes"})
	var asked run.Ask
	approve := func(_ context.Context, a run.Ask) (bool, error) { asked = a; return true, nil }
	d, log := door(t, run.DispatcherOptions{Decide: decide, Approve: approve}, newTool(echo, writes))
	if result, _ := d.Dispatch(t.Context(), call(hi)); !result.OK {
		t.Fatal(result.Error)
	}
	if asked.Spec.Name != "t" || asked.Call.Args["text"] != "hi" || asked.Decision.Rule != "write" {
		t.Errorf("asked = %+v", asked)
	}
	if step := recorded(t, log); !cmp.Equal(step.PolicyFlags, []string{trace.FlagApproved}) {
		t.Errorf("flags = %v, want approved", step.PolicyFlags)
	}
}

// TestArgumentsAreFrozen: what was judged is what is called, even where a hook
// or a tool changes the arguments that it sees.
func TestArgumentsAreFrozen(t *testing.T) {
	decide := always(policy.Decision{Verdict: policy.Ask})
	approve := func(_ context.Context, a run.Ask) (bool, error) { a.Call.Args["text"] = "other"; return true, nil }
	d, _ := door(t, run.DispatcherOptions{Decide: decide, Approve: approve}, newTool(echo))
	if result, _ := d.Dispatch(t.Context(), call(hi)); result.OK || result.Error.Code != "args_changed" {
		t.Errorf("result = %+v, want args_changed", result)
	}

	d, log := door(t, run.DispatcherOptions{}, newTool(func(_ context.Context, c tool.Call) (tool.Result, error) {
		c.Args["text"] = "other"
		return tool.OK(nil), nil
	}))
	mine := map[string]any{"text": "hi"}
	d.Dispatch(t.Context(), call(mine))
	if step := recorded(t, log); step.Args["text"] != "hi" || mine["text"] != "hi" {
		t.Errorf("recorded %v, caller's %v, want hi", step.Args, mine)
	}
}

func TestRequestToPolicy(t *testing.T) {
	tests := []struct {
		name   string
		source string
		hosts  []string
		want   []string
	}{
		{"a built-in tool has no manifest", "builtin", nil, nil},
		{"a plugin without hosts reaches none", "plugin:x", nil, []string{}},
		{"a plugin's hosts", "plugin:x", []string{"example.com"}, []string{"example.com"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got policy.Request
			decide := func(r policy.Request) policy.Decision { got = r; return allow }
			d, _ := door(t, run.DispatcherOptions{Decide: decide}, newTool(echo, func(s *tool.Spec) { s.Source, s.Hosts = tt.source, tt.hosts }))
			d.Dispatch(t.Context(), call(hi))
			want := policy.Request{
				Kind: policy.KindCall, Origin: "user_goal", Tool: "t", Class: "read", Effect: "read",
				Args: map[string]any{"text": "hi"}, Hosts: tt.want,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

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
			return tool.Result{}, fmt.Errorf("open: %w", tool.Errorf(tool.ToolUnavailable, "no_browser", "no browser"))
		}, tool.ToolUnavailable, "no_browser", "no browser"},
		{"a nil typed error", func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, none }, tool.ExecutionError, "failed", "no reason"},
		{"no without a reason", func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, nil }, tool.ExecutionError, "failed", "no reason"},
		{"yes and an error", func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{OK: true, Error: tool.Errorf(tool.ExecutionError, "torn", "torn")}, nil
		}, tool.ExecutionError, "torn", "torn"},
		{"a panic", func(context.Context, tool.Call) (tool.Result, error) { panic("out of cheese") }, tool.ExecutionError, "panic", "out of cheese"},
		{"a nil map", func(context.Context, tool.Call) (tool.Result, error) {
			var m map[string]int
			m["x"] = 1
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
				!strings.Contains(result.Error.Message, tt.wantText) {
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
			"a tool that ends with its deadline", run.DispatcherOptions{}, newTool(untilDone), 0,
			time.Second, trace.Failed, tool.ToolTimeout, "deadline_exceeded", []string{}, true,
		},
		{
			"the person's limit is shorter", run.DispatcherOptions{StepTimeout: 300 * time.Millisecond}, newTool(untilDone), 0,
			300 * time.Millisecond, trace.Failed, tool.ToolTimeout, "deadline_exceeded", []string{}, true,
		},
		{
			"the tool's own limit is shorter", run.DispatcherOptions{StepTimeout: time.Hour}, newTool(untilDone), 0,
			time.Second, trace.Failed, tool.ToolTimeout, "deadline_exceeded", []string{}, true,
		},
		{
			"a tool that ignores its deadline", run.DispatcherOptions{}, newTool(deaf), 0,
			3 * time.Second, trace.Failed, tool.ToolTimeout, "deadline_exceeded", []string{trace.FlagAbandoned}, true,
		},
		{
			"a result within the grace counts", run.DispatcherOptions{}, newTool(late), 0,
			1500 * time.Millisecond, trace.Done, "", "", []string{}, false,
		},
		{
			"S3-H13 a write that times out may have had its effect", run.DispatcherOptions{}, newTool(untilDone, writes), 0,
			time.Second, trace.Failed, tool.ToolTimeout, "deadline_exceeded", []string{}, false,
		},
		{
			"interrupted by the person", run.DispatcherOptions{}, newTool(untilDone), 200 * time.Millisecond,
			200 * time.Millisecond, trace.Interrupted, tool.ExecutionError, "interrupted", []string{}, false,
		},
		{
			"interrupted, and the tool is deaf", run.DispatcherOptions{Grace: 100 * time.Millisecond}, newTool(deaf), 200 * time.Millisecond,
			300 * time.Millisecond, trace.Interrupted, tool.ExecutionError, "interrupted", []string{trace.FlagAbandoned}, false,
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

func TestRetries(t *testing.T) {
	passing := func(after int) *tool.Error {
		e := tool.Errorf(tool.ToolUnavailable, "busy", "try later")
		e.RetryAfterMS = int64(after)
		return e
	}
	lasting := tool.Errorf(tool.ExecutionError, "broken", "broken")
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
		{"once, not for ever", []func(*tool.Spec){transient}, []*tool.Error{passing(0), passing(0), nil}, 2, 270 * time.Millisecond, false},
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
				if retried := cmp.Equal(step.PolicyFlags, []string{trace.FlagRetried}); retried != (tt.wantAttempts == 2) {
					t.Errorf("flags = %v", step.PolicyFlags)
				}
			})
		})
	}
}

func TestRetryIsInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, log := door(t, run.DispatcherOptions{}, newTool(func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Fail(tool.ToolUnavailable, "busy", "try later"), nil
		}, transient))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		time.AfterFunc(100*time.Millisecond, cancel)
		d.Dispatch(ctx, call(hi))
		if step := recorded(t, log); step.Status != trace.Interrupted || step.Attempts != 1 {
			t.Errorf("step = %+v, want it interrupted after one attempt", step)
		}
	})
}

func TestCloseWaitsForWhatWasLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set, err := tool.NewSet(newTool(deaf)) // 1 s deadline, 2 s grace, ends after 5 s
		if err != nil {
			t.Fatal(err)
		}
		d := run.NewDispatcher(run.DispatcherOptions{Tools: set, Decide: always(allow)})
		start := time.Now()
		d.Dispatch(t.Context(), call(hi))
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var e *tool.Error
		if err := d.Close(soon); !errors.As(err, &e) || e.Code != "still_running" || !strings.Contains(e.Message, "t") {
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
