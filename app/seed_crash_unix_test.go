//go:build unix

package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// dying is a counting tool that kills its program after the effect of its nth
// call, and before anybody hears of it.
type dying struct {
	looking
	calls *int
	at    int
}

func (d dying) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := d.looking.Call(ctx, c)
	if *d.calls++; *d.calls == d.at {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	return r, err
}

func dieAt(ctx context.Context, a *App, home, at string) int {
	n, err := strconv.Atoi(at)
	if err != nil {
		return 2
	}
	a.conf.Run.Parallel = 1
	calls, instead := 0, a.replaceTool
	a.replaceTool = func(t tool.Tool) tool.Tool {
		t = instead(t)
		if l, ok := t.(looking); ok {
			return dying{l, &calls, n}
		}
		return t
	}
	_, _ = a.Start(ctx, runs.Request{Origin: plan.UserGoal, Words: goalOf("d")})
	return 2 // it should be dead
}

// TestSeedCrash are the acceptance lines about a program that is killed.
func TestSeedCrash(t *testing.T) {
	died := func(t *testing.T, at int) (*App, string, string) {
		t.Helper()
		home := filepath.Join(t.TempDir(), "looking")
		a := scene(t, home)
		if start(t, home, "die", strconv.Itoa(at)).Wait() == nil {
			t.Fatal("it lives")
		}
		id := runOf(t, a, goalOf("d"))
		if id == "" {
			t.Fatal("nobody knows the run")
		}
		return a, home, id
	}
	once := func(t *testing.T, home string, want int) {
		t.Helper()
		got := count(filepath.Join(home, "counted"))
		if len(got) != want {
			t.Errorf("%d effects, want %d", len(got), want)
		}
		for path, n := range got {
			if n != 1 {
				t.Errorf("%s happened %d times", path, n)
			}
		}
	}
	t.Run("S1-H29 what was complete at a crash is not run again", func(t *testing.T) {
		a, home, id := died(t, 3)
		done := map[string]bool{}
		for _, s := range record(t, a, id).Steps {
			done[s.StepID] = s.Status == trace.Done
		}
		if !done["a1"] || !done["a2"] || done["a3"] {
			t.Fatalf("done at the crash: %v", done)
		}
		r, err := a.Resume(t.Context(), runs.ResumeRequest{ID: id})
		if err != nil || r.Status != trace.Done || r.RunID != id {
			t.Fatalf("resumed: %s, %v, %v", r.Status, r.Error, err)
		}
		once(t, home, writes)
		attempts := map[string]int{}
		for _, s := range record(t, a, id).Steps {
			attempts[s.StepID]++
		}
		if attempts["a1"] != 1 || attempts["a2"] != 1 {
			t.Errorf("steps on record: %v", attempts)
		}
	})
	t.Run("S0-H40 killed between the effect and its record it is looked up, not repeated", func(t *testing.T) {
		a, home, id := died(t, 1)
		once(t, home, 1)
		s, err := a.storage()
		must.Succeed(t, err)
		effects, err := s.Effects(t.Context(), id)
		if err != nil || len(effects) != 1 || effects[0].Effect == tool.Committed || effects[0].Effect == tool.Released {
			t.Fatalf("effects at the crash %+v, %v", effects, err)
		}
		r, err := a.Resume(t.Context(), runs.ResumeRequest{ID: id})
		if err != nil || r.Status != trace.Done {
			t.Fatalf("resumed: %s, %v, %v", r.Status, r.Error, err)
		}
		once(t, home, writes)
		for _, s := range record(t, a, id).Steps {
			if s.StepID == "a1" && s.Status == trace.Done && !slices.Contains(s.PolicyFlags, trace.FlagReconciled) {
				t.Errorf("a1 has the flags %v", s.PolicyFlags)
			}
		}
	})
}
