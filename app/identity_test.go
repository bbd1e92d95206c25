package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
)

const changedSince = "changed since it was shown"

// written writes a file into the documents of a home.
func written(t *testing.T, home, name, content string) string {
	t.Helper()
	path := filepath.Join(folders(t, home, "")[0], name)
	must.Succeed(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// replaced puts another file in the place of one.
func replaced(t *testing.T, path, content string) {
	t.Helper()
	must.Succeed(t, os.WriteFile(path+".new", []byte(content), 0o600))
	must.Succeed(t, os.Rename(path+".new", path))
}

// shownAgain is a report that nothing was done, and why.
func shownAgain(t *testing.T, r runs.Report) {
	t.Helper()
	if r.Status != trace.NeedsApproval || r.Error == nil || r.Error.Code != drafts.CodeDrift || !strings.Contains(say(r.Error.Message), changedSince) ||
		r.Draft == nil || r.Draft.State != approval.StateDraft || len(r.Steps) != 0 {
		t.Fatalf("status %s, %+v, draft %+v, %d steps", r.Status, r.Error, r.Draft, len(r.Steps))
	}
}

// TestDriftOfTheVeryThing: a yes is to what was shown, not to what has its name
// by then.
func TestDriftOfTheVeryThing(t *testing.T) {
	t.Run("a file", func(t *testing.T) {
		a, home := opened(t, Options{})
		path := written(t, home, "f.txt", "draft")
		_, d := waitingDraft(t, a, "delete file f.txt in documents")
		if d.Actions[0].Identity != "" {
			t.Errorf("a view has the identity %q", d.Actions[0].Identity)
		}
		replaced(t, path, "thesis")
		r := approved(t, a, runs.ApproveRequest{ID: d.DraftID})
		shownAgain(t, r)
		if !there(path) {
			t.Fatal("it is gone")
		}
		if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Revision: r.Draft.Revision}); r.Status != trace.Done || there(path) {
			t.Errorf("a second look: %s, %v", r.Status, r.Error)
		}
	})

	t.Run("one of many, beyond those that are named", func(t *testing.T) {
		a, home := opened(t, Options{})
		old := folders(t, home, "Old")[0]
		for i := range 201 {
			written(t, home, fmt.Sprintf("Old/%03d", i), "x")
		}
		_, d := waitingDraft(t, a, "delete folder Old in documents")
		if d.Actions[0].Args["recursive"] != true || d.Actions[0].Count != 202 {
			t.Fatalf("args %v, count %d", d.Actions[0].Args, d.Actions[0].Count)
		}
		want := 0 // what goes to the trash whole counts once
		if !d.Actions[0].Reversible {
			want = 202
		}
		if d.Confirm != want {
			t.Fatalf("confirm %d, want %d", d.Confirm, want)
		}
		must.Succeed(t, os.Remove(filepath.Join(old, "150")))
		written(t, home, "Old/thesis", "x")
		r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Confirm: want})
		shownAgain(t, r)
		if !there(filepath.Join(old, "thesis")) {
			t.Fatal("it is gone")
		}
		if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Confirm: want, Revision: r.Draft.Revision}); r.Status != trace.Done || there(old) {
			t.Errorf("a second look: %s, %v", r.Status, r.Error)
		}
	})
}

// TestApprovalIgnoresLaterChanges: what changed while a person was asked is not
// what the yes is to.
func TestApprovalIgnoresLaterChanges(t *testing.T) {
	tests := []struct {
		name      string
		meanwhile func(t *testing.T, path string)
		want      string // of the fault; empty: it is done
		yes       bool
	}{
		{"nothing", func(*testing.T, string) {}, "", true},
		{"another file", func(t *testing.T, path string) { replaced(t, path, "thesis") }, changedSince, true},
		{"it is gone", func(t *testing.T, path string) { os.Remove(path) }, "would now delete less", true},
		{"another file, and a no", func(t *testing.T, path string) { replaced(t, path, "thesis") }, "did not approve", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{})
			path := written(t, home, "f.txt", "draft")
			r, err := a.Start(t.Context(), runs.Request{
				Origin: plan.UserGoal,
				Words:  "delete file f.txt in documents",
				Approve: func(context.Context, drafts.View) (drafts.Answer, error) {
					tt.meanwhile(t, path)
					return drafts.Answer{Yes: tt.yes}, nil
				},
			})
			must.Succeed(t, err)
			if tt.want == "" {
				if r.Status != trace.Done || there(path) {
					t.Errorf("status %s, %v", r.Status, r.Error)
				}
				return
			}
			if r.Error == nil || !strings.Contains(say(r.Error.Message), tt.want) || slices.ContainsFunc(r.Steps, func(s trace.Step) bool { return s.Status == trace.Done }) {
				t.Fatalf("status %s, %+v, steps %v", r.Status, r.Error, r.Steps)
			}
			if tt.want == changedSince {
				shownAgain(t, r)
				if !there(path) {
					t.Fatal("it is gone")
				}
				if r := approved(t, a, runs.ApproveRequest{ID: r.DraftID, Revision: r.Draft.Revision}); r.Status != trace.Done || there(path) {
					t.Errorf("a second look: %s, %v", r.Status, r.Error)
				}
			}
		})
	}
}

// TestUndoOfAnUndo: a folder that was restored with what is in it is not deleted
// again, whatever was written in it since.
func TestUndoOfAnUndo(t *testing.T) {
	a, home := opened(t, Options{}, "XDG_DATA_HOME="+t.TempDir())
	folders(t, home, "Old/deep")
	path := written(t, home, "Old/deep/a.txt", "x")
	_, d := waitingDraft(t, a, "delete folder Old in documents")
	r := approved(t, a, runs.ApproveRequest{ID: d.DraftID})
	if r.Status != trace.Done || there(path) {
		t.Fatalf("deleted: %s, %v", r.Status, r.Error)
	}
	back, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID)
	if err != nil || back.Actions[0].Reversible || !strings.Contains(say(back.Actions[0].Note), "everything in it") {
		t.Fatalf("undo: %+v, %v", back.Actions, err)
	}
	if r = approved(t, a, runs.ApproveRequest{ID: back.DraftID}); r.Status != trace.Done || !there(path) {
		t.Fatalf("restored: %s, %v", r.Status, r.Error)
	}
	written(t, home, "Old/deep/a.txt", "thesis")
	again, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID)
	if codeOf(err) != "nothing_to_undo" || len(again.Irreversible) != 1 || !there(path) {
		t.Errorf("the undo of the undo: %+v, %v", again, err)
	}
}
