package app

import (
	"os"
	"testing"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy/approval"
)

// TestDiedWhileDeleting: the program died in an approved deletion, and its record has only the
// claim. Approving or resuming it asks nothing again if the deletion was done, and asks again
// about what was not done and is different now.
func TestDiedWhileDeleting(t *testing.T) {
	nothing := func(*testing.T, []string) {}
	replace := func(i int) func(*testing.T, []string) {
		return func(t *testing.T, paths []string) {
			must.Succeed(t, os.Rename(paths[i], paths[i]+".old"))
			must.Succeed(t, os.Mkdir(paths[i], 0o700))
		}
	}
	for name, tt := range map[string]struct {
		claimed, done bool // of the first folder
		since         func(*testing.T, []string)
		resume        bool
		want          trace.Status
		left          [2]bool
	}{
		"after it":                          {true, true, nothing, false, trace.Done, [2]bool{}},
		"after it, and it is resumed":       {true, true, nothing, true, trace.Done, [2]bool{}},
		"before it":                         {true, false, nothing, false, trace.Done, [2]bool{}},
		"before its claim":                  {false, false, nothing, true, trace.Done, [2]bool{}},
		"before it, and it changed":         {true, false, replace(0), false, trace.NeedsApproval, [2]bool{true, true}},
		"after it, and the other changed":   {true, true, replace(1), false, trace.NeedsApproval, [2]bool{false, true}},
		"after it, another of the name":     {true, true, func(t *testing.T, paths []string) { must.Succeed(t, os.Mkdir(paths[0], 0o700)) }, true, trace.Done, [2]bool{true, false}},
		"before its claim, and it vanished": {false, false, func(t *testing.T, paths []string) { must.Succeed(t, os.RemoveAll(paths[0])) }, false, trace.NeedsApproval, [2]bool{false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			a, home := opened(t, Options{})
			paths := folders(t, home, "A", "B")
			_, d := waitingDraft(t, a, "delete folders A and B in documents")
			dead := another(t, a)
			s, was, err := dead.Load(t.Context(), d.DraftID)
			must.Succeed(t, err)
			takes(t, dead, was, drafts.Answer{Yes: true}, nil)
			first := was.Plan.Actions()[0]
			key := d.RunID + ":" + first.IdempotencyScope
			if tt.claimed {
				_, err := s.Claim(t.Context(), trace.Step{RunID: d.RunID, StepID: first.ActionID, ToolName: first.Tool, ArgsHash: was.Actions[0].ArgsHash, Args: first.Args, EffectKey: key, Verdict: "ask", Rule: "several.ask", RiskLevel: "MEDIUM", PolicyFlags: []string{trace.FlagApproved}})
				must.Succeed(t, err)
			}
			if tt.done {
				set, err := dead.toolSet(t.Context())
				must.Succeed(t, err)
				del, _ := set.Get(first.Tool)
				if r, err := del.Call(t.Context(), tool.Call{RunID: d.RunID, ActionID: first.ActionID, Tool: first.Tool, Args: first.Args, Key: key}); err != nil || !r.OK {
					t.Fatal(r.Error, err)
				}
			}
			must.Succeed(t, dead.Close())
			tt.since(t, paths)
			var r runs.Report
			if tt.resume {
				r, err = a.Resume(t.Context(), runs.ResumeRequest{ID: d.RunID})
			} else {
				r, err = a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID})
			}
			if err != nil || r.Status != tt.want {
				t.Fatalf("%s, %v, %v; want %s", r.Status, r.Error, err, tt.want)
			}
			if got := [2]bool{there(paths[0]), there(paths[1])}; got != tt.left {
				t.Errorf("left %v, want %v", got, tt.left)
			}
			if tt.want != trace.Done {
				return
			}
			if d, err := a.ShowDraft(t.Context(), d.DraftID); err != nil || d.State != approval.StateApplied {
				t.Errorf("draft %s, %v", d.State, err)
			}
			if tt.left[0] { // something else has its place
				return
			}
			back, err := a.ProposeUndo(t.Context(), "user_goal", d.RunID)
			if err != nil || len(back.Actions) != 2 {
				t.Errorf("%d inverses, %v", len(back.Actions), err)
			}
		})
	}
}
