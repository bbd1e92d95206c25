package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/planner/message"
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

var allow = policy.Decision{Verdict: policy.Allow, Rule: "test", Reason: message.Verbatim("tests may")}

// call is a call of the tool "t".
func call(args map[string]any) tool.Call {
	return tool.Call{RunID: "r1", ActionID: "a1", Tool: "t", Args: args, Origin: "user_goal"}
}

var hi = map[string]any{"text": "hi"}

// door is a dispatcher with a log in memory and one run begun in it.
func door(t *testing.T, o run.DispatcherOptions, tools ...tool.Tool) (*run.Dispatcher, *trace.Memory) {
	t.Helper()
	set, err := tool.NewSet(tools...)
	must.Succeed(t, err)
	log := &trace.Memory{}
	must.Succeed(t, log.Begin(t.Context(), tracetest.NewRun("r1", 0)))
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

// addSteps is the log's only step.
func recorded(t *testing.T, log trace.Reader) trace.Step {
	t.Helper()
	rec, err := log.Record(context.WithoutCancel(t.Context()), "r1")
	must.Succeed(t, err)
	if len(rec.Steps) != 1 {
		t.Fatalf("%d steps are recorded, want 1: %+v", len(rec.Steps), rec.Steps)
	}
	return rec.Steps[0]
}

func TestDispatchRecords(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(40 * time.Millisecond); return now }
	decision := policy.Decision{Verdict: policy.Allow, Rule: "rules[0]", Reason: message.Verbatim("listed"), Flags: []string{"listed_host"}}
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
		Rule: "rules[0]", Reason: message.Verbatim("listed"), Attempts: 1, Args: map[string]any{"text": "hi"},
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
	deny := policy.Decision{Verdict: policy.Deny, Rule: "floor.private_address", Reason: message.Verbatim("127.0.0.1 is private"), Hint: message.Verbatim("allow_private")}
	ask := policy.Decision{Verdict: policy.Ask, Rule: "write", Reason: message.Verbatim("it writes"), Hint: message.Verbatim("errand approve")}
	yes := func(context.Context, run.Ask) (bool, error) { return true, nil }
	no := func(context.Context, run.Ask) (bool, error) { return false, nil }
	gone := func(context.Context, run.Ask) (bool, error) { return false, errors.New("no terminal") }
	nobody := func(context.Context, run.Ask) (bool, error) { return true, run.ErrNoUser }
	refuse := func(context.Context, tool.Spec, tool.Call) *tool.Error {
		return tool.NewError(tool.ValidationError, "no_such_path", message.Verbatim("there is no such path"))
	}
	unreachable := func(context.Context, tool.Spec, tool.Call) *tool.Error {
		return tool.NewError(tool.ToolUnavailable, "name_not_resolved", message.Verbatim("no such name"))
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
		{"S3-H32 an unknown tool", run.DispatcherOptions{}, tool.Call{RunID: "r1", ActionID: "a1", Tool: "nope"}, trace.Failed, tool.ToolUnavailable, "unknown_tool", ""},
		{"the business check comes before policy", run.DispatcherOptions{Precheck: refuse, Decide: always(deny)}, call(hi), trace.Failed, tool.ValidationError, "no_such_path", ""},
		{"a check that breaks", run.DispatcherOptions{Precheck: broken}, call(hi), trace.Failed, tool.ExecutionError, "check_failed", ""},
		{"denied by policy", run.DispatcherOptions{Decide: always(deny), Approve: yes}, call(hi), trace.Denied, tool.PolicyDenied, "floor.private_address", "deny"},
		{"what is denied reaches no resolver", run.DispatcherOptions{Decide: always(deny), Reach: broken}, call(hi), trace.Denied, tool.PolicyDenied, "floor.private_address", "deny"},
		{"nobody is asked about what can't be reached", run.DispatcherOptions{Decide: always(ask), Reach: unreachable, Approve: yes}, call(hi), trace.Failed, tool.ToolUnavailable, "name_not_resolved", "ask"},
		{"policy breaks", run.DispatcherOptions{Decide: func(policy.Request) policy.Decision { panic("oh") }}, call(hi), trace.Denied, tool.PolicyDenied, "policy_failed", "deny"},
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
	must.Succeed(t, err)
	d = run.NewDispatcher(run.DispatcherOptions{Tools: set})
	result, step := d.Dispatch(t.Context(), call(hi))
	if result.OK || result.Error.Class != tool.PolicyDenied || step.Rule != "no_policy" {
		t.Errorf("result = %+v, step = %+v", result, step)
	}
}

func TestApprovedCallRuns(t *testing.T) {
	decide := always(policy.Decision{Verdict: policy.Ask, Rule: "write", Reason: message.Verbatim("it writes")})
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
		plugin string
		hosts  []string
		want   []string
	}{
		{"a built-in tool has no manifest", "builtin", "", nil, nil},
		{"a plugin without hosts reaches none", "plugin:x", "x", nil, []string{}},
		{"a plugin's hosts", "plugin:x", "x", []string{"example.com"}, []string{"example.com"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got policy.Request
			decide := func(r policy.Request) policy.Decision { got = r; return allow }
			d, _ := door(t, run.DispatcherOptions{Decide: decide}, newTool(echo, func(s *tool.Spec) { s.Source, s.Hosts = tt.source, tt.hosts }))
			d.Dispatch(t.Context(), call(hi))
			want := policy.Request{
				Kind: policy.KindCall, Origin: "user_goal", Tool: "t", Class: "read", Effect: "read",
				Args: map[string]any{"text": "hi"}, Hosts: tt.want, Run: "r1", Call: "a1", Plugin: tt.plugin,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}
