package run_test

import (
	"context"
	"testing"

	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

// TestKeys calls twice by one key: it names one effect, wherever it is used.
func TestKeys(t *testing.T) {
	once := func(t *testing.T, second func(*tool.Call)) (calls int, last trace.Step) {
		d, log := door(t, run.DispatcherOptions{}, newTool(func(ctx context.Context, c tool.Call) (tool.Result, error) {
			calls++
			return echo(ctx, c)
		}, writes))
		must.Succeed(t, log.Begin(t.Context(), tracetest.NewRun("r2", 0)))
		c := call(hi)
		c.Key = "tg:callback:42"
		d.Dispatch(t.Context(), c)
		second(&c)
		_, last = d.Dispatch(t.Context(), c)
		return calls, last
	}
	t.Run("S2-T8 the same callback in another run", func(t *testing.T) {
		if n, s := once(t, func(c *tool.Call) { c.RunID = "r2" }); n != 1 || s.Status != trace.Done {
			t.Errorf("%d calls, then %s", n, s.Status)
		}
	})
	t.Run("an own key counts within its run", func(t *testing.T) {
		if n, _ := once(t, func(c *tool.Call) { c.RunID, c.Key = "r2", "" }); n != 2 {
			t.Errorf("%d calls, want 2", n)
		}
	})
	t.Run("other arguments under the same key", func(t *testing.T) {
		if n, s := once(t, func(c *tool.Call) { c.Args = map[string]any{"text": "other"} }); n != 1 || s.ErrorCode != "key_taken" {
			t.Errorf("%d calls, then %s", n, s.ErrorCode)
		}
	})
}

// TestKeysOfPlans: a scope that names its system first counts everywhere; the
// planner's own, which begin with the tool's name, within their run.
func TestKeysOfPlans(t *testing.T) {
	for scope, want := range map[string]string{
		"":                                     "r1:a",
		"folder":                               "r1:folder",
		"t:/home/ann/x":                        "r1:t:/home/ann/x",
		"files.delete:/home/ann/x":             "r1:files.delete:/home/ann/x",
		"run:x":                                "r1:run:x",
		"tg:callback:42":                       "tg:callback:42",
		"linear:create_issue:d1:kickoff_brief": "linear:create_issue:d1:kickoff_brief",
	} {
		t.Run(scope, func(t *testing.T) {
			d, log := door(t, run.DispatcherOptions{}, newTool(echo, writes))
			a := act("a")
			a.Tool, a.IdempotencyScope = "t", scope
			run.NewEngine(d, run.EngineOptions{}).Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: d.Prepare(t.Context(), "r1", planOf(t, a))})
			if s := recorded(t, log); s.EffectKey != want || s.Effect != tool.Committed {
				t.Errorf("key %q (%s), want %q", s.EffectKey, s.Effect, want)
			}
		})
	}
}

// TestUnknownOfAnotherCall: a tool is not asked what came of a call that was not
// this one.
func TestUnknownOfAnotherCall(t *testing.T) {
	looks := 0
	d, _ := door(t, run.DispatcherOptions{}, telling{
		Tool: newTool(func(context.Context, tool.Call) (tool.Result, error) { panic("oh") }, writes),
		look: func(context.Context) (tool.Reconciled, error) {
			looks++
			return tool.Reconciled{Effect: tool.Released}, nil
		},
	})
	d.Dispatch(t.Context(), call(hi))
	_, step := d.Dispatch(t.Context(), call(map[string]any{"text": "other"}))
	if step.ErrorCode != "key_taken" || step.Attempts != 0 || looks != 0 {
		t.Errorf("%s after %d calls and %d looks, want key_taken", step.ErrorCode, step.Attempts, looks)
	}
}

// TestSealedHashes: an effect is recognised by the sealed hash of its arguments, and by one
// that an earlier version recorded without a key. Other arguments are never taken for it.
func TestSealedHashes(t *testing.T) {
	seal := func(hash string) string { return "sealed " + hash }
	for _, tt := range []struct {
		name   string
		was    func(string) string // as the first call was recorded
		now    func(string) string
		args   map[string]any
		status trace.Status
	}{
		{"sealed", seal, seal, hi, trace.Done},
		{"by an earlier version", nil, seal, hi, trace.Done},
		{"other arguments", seal, seal, map[string]any{"text": "other"}, trace.Failed},
		{"other arguments of an earlier version", nil, seal, map[string]any{"text": "other"}, trace.Failed},
		{"sealed by another key", func(hash string) string { return "another " + hash }, seal, hi, trace.Failed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			counted := newTool(func(ctx context.Context, c tool.Call) (tool.Result, error) {
				calls++
				return echo(ctx, c)
			}, writes)
			d, log := door(t, run.DispatcherOptions{Seal: tt.was}, counted)
			c := call(hi)
			c.Key = "tg:callback:42"
			d.Dispatch(t.Context(), c)
			d, _ = door(t, run.DispatcherOptions{Seal: tt.now, Log: log}, counted)
			c.Args = tt.args
			if _, s := d.Dispatch(t.Context(), c); s.Status != tt.status || calls != 1 {
				t.Errorf("%d calls, %s (%s)", calls, s.Status, s.ErrorCode)
			}
		})
	}
}
