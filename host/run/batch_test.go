package run_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

func TestEngineWorld(t *testing.T) {
	shows := func(url string, facts ...string) func(context.Context, tool.Call) (tool.Result, error) {
		return func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{OK: true, World: &tool.WorldChange{BrowserLastURL: url, AppStarted: "chrome"}, Facts: facts}, nil
		}
	}
	failsWithFacts := func(context.Context, tool.Call) (tool.Result, error) {
		r := tool.Fail(tool.ExecutionError, "broken", message.Verbatim("it broke"))
		r.Facts, r.World = []string{"never"}, &tool.WorldChange{AppStarted: "never"}
		return r, nil
	}
	e, _, _ := engine(t, run.DispatcherOptions{}, run.EngineOptions{}, script{
		"a": shows("https://one.example/", "page_open", "exists:/x"), "b": shows("https://two.example/", "!exists:/x", "!old", "page_open"), "c": failsWithFacts,
	})
	before := plan.World{RunningApps: []string{"notes"}, RecentFacts: []string{"old", "kept"}}
	o := e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", planOf(t, act("a"), act("b", "a"), act("c", "b"))), World: before})
	want := plan.World{
		BrowserRunning: true, BrowserLastURL: "https://two.example/",
		RunningApps: []string{"notes", "chrome"}, RecentFacts: []string{"kept", "!exists:/x", "!old", "page_open"},
	}
	if diff := cmp.Diff(want, o.World); diff != "" {
		t.Errorf("world (-want +got):\n%s", diff)
	}
	if !cmp.Equal(before, plan.World{RunningApps: []string{"notes"}, RecentFacts: []string{"old", "kept"}}) {
		t.Errorf("the snapshot that was planned with changed: %+v", before)
	}
}

func TestEngineProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		listen := func(e run.Event) {
			if e.Kind == run.StateEntered {
				got = append(got, string(e.State))
				return
			}
			s := fmt.Sprintf("%s %s/%d", e.Kind, e.ActionID, e.Total)
			if e.Step != nil {
				s += " " + string(e.Step.Status)
			}
			got = append(got, s)
		}
		e, _, _ := engine(t, run.DispatcherOptions{}, run.EngineOptions{Progress: listen}, script{"a": fails})
		e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", planOf(t, act("a"), act("b", "a"), act("c")))})
		want := []string{
			"INIT", "PLAN", "EXECUTE_TOOL",
			"step_started a/3", "step_finished a/3 failed", "step_finished b/3 skipped",
			"step_started c/3", "step_finished c/3 done",
			"OBSERVE", "PLAN", "ERROR",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	})
}

func TestSlowAndBrokenListeners(t *testing.T) {
	tests := []struct {
		name   string
		listen func(run.Event)
		atMost time.Duration
	}{
		{"a slow one", func(run.Event) { time.Sleep(time.Minute) }, time.Second},
		{"one that breaks", func(run.Event) { panic("oh") }, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, _, _ := engine(t, run.DispatcherOptions{}, run.EngineOptions{Progress: tt.listen}, nil)
				start := time.Now()
				o := e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", planOf(t, act("a"), act("b"), act("c"), act("d")))})
				if took := time.Since(start); o.Status != trace.Done || took > tt.atMost {
					t.Errorf("%s after %v, want done within %v", o.Status, took, tt.atMost)
				}
				time.Sleep(time.Hour) // a slow listener hears the rest meanwhile
			})
		})
	}
}

func TestEngineWithoutAPlan(t *testing.T) {
	e, _, _ := engine(t, run.DispatcherOptions{}, run.EngineOptions{}, nil)
	if o := e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", plan.Plan{})}); o.Status != trace.Failed || codeOf(o.Error) != "no_plan" {
		t.Errorf("outcome = %+v", o)
	}
}
