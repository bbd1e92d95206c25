package run_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// act is an action: its id, what it depends on, and the tool of the same name.
func act(id string, deps ...string) plan.Action {
	return plan.Action{ActionID: id, Tool: id, Args: map[string]any{"text": id}, DependsOn: deps, Confidence: 1}
}

func planOf(t *testing.T, actions ...plan.Action) plan.Plan {
	t.Helper()
	p, err := plan.New(plan.Content{
		Origin: plan.UserGoal, Actions: actions, GoalAchievedBy: actions[len(actions)-1].ActionID,
		Inputs: plan.Inputs{RawText: "go"}, Language: "en",
	})
	must.Succeed(t, err)
	return p
}

// script is what the tools of a test do, by name; "" works at once.
type script map[string]func(context.Context, tool.Call) (tool.Result, error)

// journal notes the order in which tools start and end.
type journal struct {
	mu      sync.Mutex
	entries []string
	most    int // how many ran at once
	running int
}

func (j *journal) wrap(name string, f func(context.Context, tool.Call) (tool.Result, error)) func(context.Context, tool.Call) (tool.Result, error) {
	return func(ctx context.Context, c tool.Call) (tool.Result, error) {
		j.mu.Lock()
		j.running++
		j.most = max(j.most, j.running)
		j.entries = append(j.entries, name)
		j.mu.Unlock()
		defer func() {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.running--
		}()
		if f == nil {
			return echo(ctx, c)
		}
		return f(ctx, c)
	}
}

// engine is an engine over tools a, b, c, d with a script.
func engine(t *testing.T, o run.DispatcherOptions, eo run.EngineOptions, s script) (*run.Engine, *trace.Memory, *journal) {
	t.Helper()
	j := &journal{}
	var tools []tool.Tool
	for _, name := range []string{"a", "b", "c", "d"} {
		tools = append(tools, newTool(j.wrap(name, s[name]), named(name), writes))
	}
	d, log := door(t, o, tools...)
	return run.NewEngine(d, eo), log, j
}

// statuses spells the steps' ends: "a done, b skipped".
func statuses(steps []trace.Step) string {
	out := ""
	for i, s := range steps {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("%s %s", s.StepID, s.Status)
	}
	return out
}

func fails(context.Context, tool.Call) (tool.Result, error) {
	return tool.Fail(tool.ExecutionError, "broken", message.Verbatim("it broke")), nil
}

func takes(d time.Duration) func(context.Context, tool.Call) (tool.Result, error) {
	return func(ctx context.Context, c tool.Call) (tool.Result, error) {
		time.Sleep(d)
		return echo(ctx, c)
	}
}

// verdicts decides by the tool's name; the others are allowed.
func verdicts(by map[string]policy.Verdict) func(policy.Request) policy.Decision {
	return func(r policy.Request) policy.Decision {
		v, ok := by[r.Tool]
		if !ok {
			v = policy.Allow
		}
		return policy.Decision{Verdict: v, Rule: "by name", Reason: message.Verbatim("because it is " + r.Tool)}
	}
}

func TestEngineGraph(t *testing.T) {
	diamond := []plan.Action{act("a"), act("b", "a"), act("c", "a"), act("d", "b", "c")}
	tests := []struct {
		name       string
		actions    []plan.Action
		parallel   int
		script     script
		wantStatus trace.Status
		wantCode   string
		want       string
		wantMost   int
	}{
		{"one action", []plan.Action{act("a")}, 4, nil, trace.Done, "", "a done", 1},
		{"a diamond", diamond, 4, script{"b": takes(time.Millisecond), "c": takes(time.Millisecond)}, trace.Done, "", "a done, b done, c done, d done", 2},
		{"a diamond, one at a time", diamond, 0, nil, trace.Done, "", "a done, b done, c done, d done", 1},
		{"a failed dependency", diamond, 4, script{"b": fails}, trace.Failed, "broken", "a done, b failed, c done, d skipped", 2},
		{"the first one fails", diamond, 4, script{"a": fails}, trace.Failed, "broken", "a failed, b skipped, c skipped, d skipped", 1},
		{"independent actions go on", []plan.Action{act("a"), act("b"), act("c", "b")}, 1, script{"a": fails}, trace.Failed, "broken", "a failed, b done, c done", 1},
		{"dependencies stand behind in the plan", []plan.Action{act("c", "b"), act("b", "a"), act("a")}, 4, nil, trace.Done, "", "c done, b done, a done", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, log, j := engine(t, run.DispatcherOptions{}, run.EngineOptions{Parallel: tt.parallel}, tt.script)
				o := e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", planOf(t, tt.actions...))})
				if got := statuses(o.Steps); o.Status != tt.wantStatus || got != tt.want {
					t.Errorf("%s: %s, want %s: %s", o.Status, got, tt.wantStatus, tt.want)
				}
				if code := codeOf(o.Error); code != tt.wantCode {
					t.Errorf("error = %v, want %q", o.Error, tt.wantCode)
				}
				if j.most > tt.wantMost {
					t.Errorf("%d ran at once, want at most %d", j.most, tt.wantMost)
				}
				rec, err := log.Record(t.Context(), "r1")
				if err != nil || len(rec.Steps) != len(tt.actions) {
					t.Errorf("%d of %d actions are recorded (%v)", len(rec.Steps), len(tt.actions), err)
				}
				for _, s := range o.Steps {
					if _, ok := o.Payloads[s.StepID]; ok != (s.Status == trace.Done) {
						t.Errorf("step %s is %s and has a payload: %v", s.StepID, s.Status, ok)
					}
				}
			})
		})
	}
}

func codeOf(e *tool.Error) string {
	if e == nil {
		return ""
	}
	return e.Code
}

func TestEngineSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := takes(500 * time.Millisecond)
		e, _, j := engine(t, run.DispatcherOptions{}, run.EngineOptions{Parallel: 3}, script{"a": slow, "b": slow, "c": slow, "d": slow})
		start := time.Now()
		e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", planOf(t, act("a"), act("b"), act("c"), act("d")))})
		if took := time.Since(start); took != time.Second || j.most != 3 {
			t.Errorf("4 independent actions of 500 ms, 3 at once: took %v with %d at once, want 1 s with 3", took, j.most)
		}
	})
}

// TestEngineGate: a plan with an action that is wrong, denied or not approved
// runs nothing, and the record says which and why.
func TestEngineGate(t *testing.T) {
	wrong := act("b")
	wrong.Args = map[string]any{"txt": "b"}
	unknown := act("b")
	unknown.Tool = "nope"
	var asked []string
	answers := func(by map[string]bool) func(context.Context, run.Ask) (bool, error) {
		return func(_ context.Context, a run.Ask) (bool, error) {
			asked = append(asked, a.Call.Tool)
			return by[a.Call.Tool], nil
		}
	}
	tests := []struct {
		name       string
		second     plan.Action
		decide     map[string]policy.Verdict
		approve    func(context.Context, run.Ask) (bool, error)
		wantStatus trace.Status
		wantClass  tool.Class
		want       string
		wantAsked  []string
	}{
		{"arguments that don't fit", wrong, nil, nil, trace.Failed, tool.ValidationError, "a skipped, b failed, c skipped", nil},
		{"an unknown tool", unknown, nil, nil, trace.Failed, tool.ToolUnavailable, "a skipped, b failed, c skipped", nil},
		{"denied", act("b"), map[string]policy.Verdict{"b": policy.Deny, "a": policy.Ask}, answers(nil), trace.Denied, tool.PolicyDenied, "a skipped, b denied, c skipped", nil},
		{"nobody to ask", act("b"), map[string]policy.Verdict{"b": policy.Ask, "c": policy.Ask}, nil, trace.NeedsApproval, tool.PolicyDenied, "a skipped, b needs_approval, c needs_approval", nil},
		{"rejected", act("b"), map[string]policy.Verdict{"a": policy.Ask, "b": policy.Ask, "c": policy.Ask}, answers(map[string]bool{"a": true}), trace.Denied, tool.PolicyDenied, "a skipped, b denied, c skipped", []string{"a", "b"}},
		{"approved", act("b"), map[string]policy.Verdict{"a": policy.Ask, "b": policy.Ask}, answers(map[string]bool{"a": true, "b": true}), trace.Done, "", "a done, b done, c done", []string{"a", "b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked = nil
			e, log, j := engine(t, run.DispatcherOptions{Decide: verdicts(tt.decide), Approve: tt.approve}, run.EngineOptions{}, nil)
			w := plan.World{RecentFacts: []string{"x"}}
			o := e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", planOf(t, act("a"), tt.second, act("c"))), World: w})
			if got := statuses(o.Steps); o.Status != tt.wantStatus || got != tt.want {
				t.Errorf("%s: %s, want %s: %s", o.Status, got, tt.wantStatus, tt.want)
			}
			if ran := len(j.entries) > 0; ran != (tt.wantStatus == trace.Done) {
				t.Errorf("%v ran", j.entries)
			}
			if o.Error != nil && o.Error.Class != tt.wantClass || (o.Error == nil) != (tt.wantClass == "") {
				t.Errorf("error = %+v, want class %q", o.Error, tt.wantClass)
			}
			if diff := cmp.Diff(tt.wantAsked, asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if !cmp.Equal(o.World, w) {
				t.Errorf("world = %+v, want it unchanged", o.World)
			}
			rec, err := log.Record(t.Context(), "r1")
			if err != nil || statuses(rec.Steps) != tt.want {
				t.Errorf("recorded %s (%v), want %s", statuses(rec.Steps), err, tt.want)
			}
		})
	}
}

// TestPolicyChangesMidway: that a plan was judged and found good doesn't bind
// policy, which is asked again at each call.
func TestPolicyChangesMidway(t *testing.T) {
	asks := 0
	decide := func(r policy.Request) policy.Decision {
		if r.Tool == "b" {
			asks++
		}
		if r.Tool == "b" && asks > 1 { // after the plan was judged
			return policy.Decision{Verdict: policy.Deny, Rule: "new"}
		}
		return allow
	}
	e, _, j := engine(t, run.DispatcherOptions{Decide: decide}, run.EngineOptions{}, nil)
	o := e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", planOf(t, act("a"), act("b", "a"), act("c", "b")))})
	if got, want := statuses(o.Steps), "a done, b denied, c skipped"; got != want || o.Status != trace.Denied {
		t.Errorf("%s: %s, want denied: %s", o.Status, got, want)
	}
	if !slices.Equal(j.entries, []string{"a"}) {
		t.Errorf("%v ran, want a alone", j.entries)
	}
}

func TestEngineInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, log, j := engine(t, run.DispatcherOptions{}, run.EngineOptions{}, script{"b": untilDone})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		o := e.Run(ctx, run.RunRequest{RunID: "r1", Prepared: e.Prepare(ctx, "r1", planOf(t, act("a"), act("b"), act("c"), act("d", "b")))})
		if got, want := statuses(o.Steps), "a done, b interrupted, c skipped, d skipped"; got != want || o.Status != trace.Interrupted {
			t.Errorf("%s: %s, want interrupted: %s", o.Status, got, want)
		}
		if slices.Contains(j.entries, "c") {
			t.Error("an action started after the interruption")
		}
		rec, err := log.Record(t.Context(), "r1")
		if err != nil || len(rec.Steps) != 4 {
			t.Errorf("%d steps are recorded (%v), want 4", len(rec.Steps), err)
		}
	})
}

// TestEngineInterruptedWhileChecking: what a check says after it was
// interrupted is not the call's fault.
func TestEngineInterruptedWhileChecking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reach := func(ctx context.Context, _ tool.Spec, c tool.Call) *tool.Error {
			if c.Tool == "a" {
				return nil
			}
			<-ctx.Done()
			return tool.NewError(tool.ToolUnavailable, "name_not_resolved", message.Verbatim("no such name"))
		}
		e, _, j := engine(t, run.DispatcherOptions{Reach: reach}, run.EngineOptions{}, nil)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		calls := model(func(*run.RunContext) (run.AssistantAction, error) { return run.ToolCalls(act("a"), act("b")), nil })
		o := e.RunTask(ctx, run.Task{RunID: "r1", Origin: plan.Agent, Planner: calls})
		if got, want := statuses(o.Steps), "a skipped, b interrupted"; got != want || o.Status != trace.Interrupted || len(j.entries) > 0 {
			t.Errorf("%s: %s, want interrupted: %s", o.Status, got, want)
		}
		start := time.Now()
		o = e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", planOf(t, act("b")))}) // nobody interrupts: the tool's deadline ends it
		if took := time.Since(start); took != time.Second || codeOf(o.Error) != "name_not_resolved" {
			t.Errorf("%v after %v, want name_not_resolved after 1 s", o.Error, took)
		}
	})
}

func TestEngineInterruptedBetweenSteps(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e, _, _ := engine(t, run.DispatcherOptions{}, run.EngineOptions{}, script{"a": func(ctx context.Context, c tool.Call) (tool.Result, error) {
		cancel()
		return echo(ctx, c)
	}})
	o := e.Run(ctx, run.RunRequest{RunID: "r1", Prepared: e.Prepare(ctx, "r1", planOf(t, act("a"), act("b")))})
	if got, want := statuses(o.Steps), "a done, b skipped"; got != want || o.Status != trace.Interrupted {
		t.Errorf("%s: %s, want interrupted: %s", o.Status, got, want)
	}
	o = e.Run(ctx, run.RunRequest{RunID: "r1", Prepared: e.Prepare(ctx, "r1", planOf(t, act("a")))})
	if o.Status != trace.Interrupted {
		t.Errorf("a run that begins interrupted is %s", o.Status)
	}
}

// TestEngineInterruptedAfterTheLast: what came too late to stop anything has
// stopped nothing.
func TestEngineInterruptedAfterTheLast(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e, _, _ := engine(t, run.DispatcherOptions{}, run.EngineOptions{}, script{"b": func(ctx context.Context, c tool.Call) (tool.Result, error) {
		cancel()
		return echo(ctx, c)
	}})
	o := e.Run(ctx, run.RunRequest{RunID: "r1", Prepared: e.Prepare(ctx, "r1", planOf(t, act("a"), act("b", "a")))})
	if got, want := statuses(o.Steps), "a done, b done"; got != want || o.Status != trace.Done || o.StopReason != trace.StopCompleted {
		t.Errorf("%s, %s: %s; want it completed: %s", o.Status, o.StopReason, got, want)
	}
}

func TestPreview(t *testing.T) {
	e := act("d")
	e.Args = nil
	d, log := door(t, run.DispatcherOptions{Decide: verdicts(map[string]policy.Verdict{"b": policy.Deny, "c": policy.Ask})},
		newTool(echo, named("a")), newTool(echo, named("b")), newTool(echo, named("c")), newTool(echo, named("d")))
	unknown := act("x")
	var got []string
	for _, v := range d.Prepare(t.Context(), "r1", planOf(t, act("a"), act("b"), act("c"), e, unknown)).Verdicts {
		got = append(got, fmt.Sprint(v.ActionID, " ", v.Spec.Name != "", " ", codeOf(v.Error), " ", v.Decision.Verdict, " ", v.Decision.Rule))
	}
	want := []string{"a true  allow by name", "b true  deny by name", "c true  ask by name", "d true invalid_args deny ", "x false unknown_tool deny "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	rec, err := log.Record(t.Context(), "r1")
	if err != nil || len(rec.Steps) != 0 {
		t.Errorf("a preview was recorded: %v %v", rec.Steps, err)
	}
}

func TestIDs(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	next := run.IDs(func() time.Time { return now }, ones{})
	a, b := next(), next()
	now = now.Add(time.Millisecond)
	c := next()
	if len(a) != 26 || !(a < b && b < c) || a[:10] != b[:10] {
		t.Errorf("ids %q, %q, %q: want 26 characters, ascending, the time first", a, b, c)
	}
	if a[:10] != "01kjmma2g0" {
		t.Errorf("id = %q: want lower case with the time of the clock", a)
	}
}

type ones struct{}

func (ones) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 1
	}
	return len(b), nil
}
