package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"errand/app/config"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy/approval"
)

// readyDraft proposes a goal and approves its draft, or some of its actions, without
// applying it.
func readyDraft(t *testing.T, a *App, words string, actions ...string) (runs.Report, drafts.View) {
	t.Helper()
	r, d := waitingDraft(t, a, words)
	ready, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID, Actions: actions, ApplyLater: true})
	if err != nil || ready.Error != nil || ready.Draft == nil || ready.Draft.State != approval.StateReady || len(ready.Steps) > 0 {
		t.Fatalf("approved: %+v, %v", ready, err)
	}
	return r, *ready.Draft
}

// TestApplyLater: an approval alone runs nothing, and any program applies it later.
func TestApplyLater(t *testing.T) {
	a, home := opened(t, Options{}, "USER=ann")
	paths := folders(t, home, "A", "B")
	r, d := readyDraft(t, a, "delete folders A and B in documents")
	if !slices.Equal(left(paths), []string{"A", "B"}) {
		t.Fatalf("left %v before it was applied", left(paths))
	}
	other := another(t, a)
	defer other.Close()
	if list, err := other.ListDrafts(t.Context(), false); err != nil || len(list) != 1 || list[0].State != approval.StateReady || list[0].Approval.By != "ann" {
		t.Errorf("drafts %+v, %v", list, err)
	}
	if rec, err := other.Record(t.Context(), r.RunID); err != nil || rec.Status != trace.NeedsApproval {
		t.Errorf("record %s, %v", rec.Status, err)
	}
	done, err := other.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID})
	if err != nil || done.Status != trace.Done || done.RunID != r.RunID || !slices.Equal(done.Applied, []string{"a1", "a2"}) || len(left(paths)) > 0 {
		t.Fatalf("applied: %s, %v, left %v, %v, %v", done.Status, done.Applied, left(paths), done.Error, err)
	}
	folders(t, home, "A")
	if again, err := a.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID}); err != nil || again.Status != trace.Done || !there(paths[0]) {
		t.Errorf("applied again: %s, %v", again.Status, err)
	}
}

// TestApplyIsRefused: what happened to the draft between its approval and its application.
func TestApplyIsRefused(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, a *App, c *clock, d drafts.View, paths []string)
		code   string // of the error
		state  approval.State
	}{
		{"its time is over", func(_ *testing.T, _ *App, c *clock, _ drafts.View, _ []string) { c.pass(approval.TTL) }, drafts.CodeDraftExpired, approval.StateExpired},
		{"rejected", func(t *testing.T, a *App, _ *clock, d drafts.View, _ []string) {
			if _, err := a.Reject(t.Context(), d.DraftID); err != nil {
				t.Fatal(err)
			}
		}, drafts.CodeDraftCancelled, approval.StateCancelled},
		{"rejected in part", func(t *testing.T, a *App, _ *clock, d drafts.View, _ []string) {
			if _, err := a.Reject(t.Context(), d.DraftID, "a2"); err != nil {
				t.Fatal(err)
			}
		}, drafts.CodeRequired, approval.StateDraft},
		{"edited", func(t *testing.T, a *App, _ *clock, d drafts.View, paths []string) {
			if _, err := a.Edit(t.Context(), drafts.EditRequest{ID: d.DraftID, Action: "a1", Set: map[string]any{"path": paths[2]}}); err != nil {
				t.Fatal(err)
			}
		}, drafts.CodeRequired, approval.StateDraft},
		{"something was put into the folder", func(t *testing.T, _ *App, _ *clock, _ drafts.View, paths []string) {
			must.Succeed(t, os.WriteFile(filepath.Join(paths[0], "new.txt"), nil, 0o600))
		}, drafts.CodeDrift, approval.StateDraft},
		{"an approval that lasts too long", func(t *testing.T, a *App, _ *clock, d drafts.View, _ []string) {
			s, was, err := a.Drafts.Load(t.Context(), d.DraftID)
			must.Succeed(t, err)
			forged, given := was, *was.Approval
			given.Until = given.At.AddDate(70, 0, 0)
			forged.Draft.Approval = &given
			if _, err := a.Swap(t.Context(), s, was, forged); err != nil {
				t.Fatal(err)
			}
		}, drafts.CodeRequired, approval.StateReady},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{})
			c := &clock{at: time.Now()}
			a.now = c.now
			paths := folders(t, home, "A", "B", "C", "A/full")
			_, d := readyDraft(t, a, "delete folders A and B in documents")
			tt.change(t, a, c, d, paths)
			r, err := a.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID})
			code := codeOf(err)
			if err == nil && r.Error != nil {
				code = r.Error.Code
			}
			if code != tt.code || len(r.Applied) > 0 || !slices.Equal(left(paths), []string{"A", "B", "C", "full"}) {
				t.Errorf("%s, applied %v, left %v, want %s: %v", code, r.Applied, left(paths), tt.code, err)
			}
			if d, err := a.ShowDraft(t.Context(), d.DraftID); err != nil || d.State != tt.state {
				t.Errorf("draft %s, %v; want %s", d.State, err, tt.state)
			}
		})
	}
	t.Run("not approved", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "A")
		_, d := waitingDraft(t, a, "delete folder A in documents")
		if _, err := a.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID}); codeOf(err) != drafts.CodeRequired || !there(paths[0]) {
			t.Errorf("%v", err)
		}
	})
	t.Run("a rule was added", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "A")
		_, d := readyDraft(t, a, "delete folder A in documents")
		file := filepath.Join(t.TempDir(), "errand.toml")
		must.Succeed(t, os.WriteFile(file, []byte("[[policy.rules]]\ntool = \"files.delete_folder\"\nverdict = \"ask\"\nreason = \"precious\"\n"), 0o600))
		b, err := Open(Options{Config: config.Options{File: file, Env: a.o.Config.Env, Work: a.o.Config.Work}})
		must.Succeed(t, err)
		defer b.Close()
		r, err := b.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID})
		if err != nil || r.Error == nil || r.Error.Code != drafts.CodeDrift || !there(paths[0]) || r.Draft.State != approval.StateDraft {
			t.Errorf("%+v, %v", r.Error, err)
		}
	})
}

// TestApplyWhatWasApproved: of a draft that was approved in part the rest waits on, and a
// count is confirmed with the approval.
func TestApplyWhatWasApproved(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "A", "B", "C", "D", "E", "F")
	_, d := readyDraft(t, a, "delete folders A and B in documents", "a2")
	r, err := a.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID})
	if err != nil || !slices.Equal(r.Applied, []string{"a2"}) || !there(paths[0]) || r.Status != trace.NeedsApproval || r.Draft.State != approval.StateDraft {
		t.Errorf("in part: %s, %v, %v", r.Status, r.Applied, err)
	}
	_, many := waitingDraft(t, a, "delete folders A, C, D, E and F in documents")
	r, err = a.Approve(t.Context(), runs.ApproveRequest{ID: many.DraftID, ApplyLater: true})
	if err != nil || r.Error == nil || r.Error.Code != drafts.CodeConfirm || r.Draft.State != approval.StateDraft {
		t.Errorf("without the count: %+v, %v", r.Error, err)
	}
	if r, err = a.Approve(t.Context(), runs.ApproveRequest{ID: many.DraftID, ApplyLater: true, Confirm: 5}); err != nil || r.Error != nil {
		t.Fatalf("with the count: %+v, %v", r.Error, err)
	}
	if r, err = a.Apply(t.Context(), runs.ApplyRequest{ID: many.DraftID}); err != nil || r.Status != trace.Done || len(left(paths)) > 0 {
		t.Errorf("applied: %s, left %v, %v", r.Status, left(paths), err)
	}
}

// countDeletions replaces the deletion of folders in programs by one that only counts.
func countDeletions(apps ...*App) *atomic.Int32 {
	calls := new(atomic.Int32)
	for _, app := range apps {
		app.replaceTool = func(t tool.Tool) tool.Tool {
			if t.Spec().Name != "files.delete_folder" {
				return t
			}
			return tool.Func(t.Spec(), func(context.Context, tool.Call) (tool.Result, error) {
				calls.Add(1)
				return tool.OK(map[string]any{"deleted": true}), nil
			})
		}
	}
	return calls
}

// TestTwoApplyAtOnce: the tool is called once.
func TestTwoApplyAtOnce(t *testing.T) {
	a, home := opened(t, Options{})
	b := another(t, a)
	defer b.Close()
	calls := countDeletions(a, b)
	folders(t, home, "Old")
	_, d := readyDraft(t, a, "delete folder Old in documents")
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for i, app := range []*App{a, b} {
		wg.Go(func() { _, errs[i] = app.Apply(context.Background(), runs.ApplyRequest{ID: d.DraftID}) })
	}
	wg.Wait()
	if n := calls.Load(); n != 1 {
		t.Errorf("called %d times: %v", n, errs)
	}
}

// TestApplyAfterADeath: the program died while it applied the draft, or the run is resumed.
func TestApplyAfterADeath(t *testing.T) {
	for _, resumed := range []bool{false, true} {
		a, home := opened(t, Options{})
		paths := folders(t, home, "A", "B")
		r, d := readyDraft(t, a, "delete folders A and B in documents", "a1")
		dead := another(t, a)
		s, was, err := dead.Load(t.Context(), d.DraftID)
		must.Succeed(t, err)
		if !resumed {
			begun, err := dead.Begin(was)
			must.Succeed(t, err)
			if _, err := dead.Swap(t.Context(), s, was, begun); err != nil {
				t.Fatal(err)
			}
			if _, err := a.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID}); codeOf(err) != drafts.CodeDraftApplying {
				t.Errorf("while it is applied: %v", err)
			}
		}
		must.Succeed(t, dead.Close())
		var got runs.Report
		if resumed {
			got, err = a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
		} else {
			got, err = a.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID})
		}
		if err != nil || !slices.Equal(got.Applied, []string{"a1"}) || there(paths[0]) || !there(paths[1]) {
			t.Errorf("resumed %t: %s, %v, left %v, %v, %v", resumed, got.Status, got.Applied, left(paths), got.Error, err)
		}
	}
}

// TestChangesAreNamed: an approval of an earlier revision says what changed since, by
// action and argument.
func TestChangesAreNamed(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "A", "B", "C")
	_, d := waitingDraft(t, a, "delete folders A and B in documents")
	edit := func(r drafts.EditRequest) drafts.View {
		t.Helper()
		r.ID = d.DraftID
		v, err := a.Edit(t.Context(), r)
		must.Succeed(t, err)
		return v
	}
	second := edit(drafts.EditRequest{Action: "a1", Set: map[string]any{"path": paths[2]}})
	if !slices.Equal(second.EarlierRevisions, []string{d.Revision}) {
		t.Errorf("earlier revisions %v, want %s", second.EarlierRevisions, d.Revision)
	}
	third := edit(drafts.EditRequest{Drop: []string{"a2"}})
	kinds := func(revision string) (out []string) {
		t.Helper()
		r, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID, Revision: revision})
		if err != nil || r.Error == nil || r.Error.Code != drafts.CodeDrift || len(left(paths)) != 3 {
			t.Fatalf("%+v, %v", r.Error, err)
		}
		for _, c := range r.Changes {
			out = append(out, c.ActionID+" "+string(c.Kind)+" "+c.Argument)
		}
		return out
	}
	if got := kinds(d.Revision); !slices.Equal(got, []string{"a1 argument path", "a2 removed "}) {
		t.Errorf("since the first revision: %q", got)
	}
	if got := kinds(second.Revision); !slices.Equal(got, []string{"a2 removed "}) {
		t.Errorf("since the second: %q", got)
	}
	if got := kinds("0123456789ab"); got != nil {
		t.Errorf("since an unknown one: %q", got)
	}
	for i := range 20 { // the first revision stays
		edit(drafts.EditRequest{Action: "a1", Set: map[string]any{"path": paths[i%2]}})
	}
	if got := kinds(d.Revision); len(got) == 0 || got[len(got)-1] != "a2 removed " {
		t.Errorf("since the first revision, after many: %q", got)
	}
	last, err := a.ShowDraft(t.Context(), d.DraftID)
	if err != nil || len(last.EarlierRevisions) > 8 || slices.Contains(last.EarlierRevisions, third.Revision) {
		t.Errorf("%d earlier revisions, %v", len(last.EarlierRevisions), err)
	}
	if r, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID, Revision: last.Revision}); err != nil || r.Status != trace.Done {
		t.Errorf("approved as it is: %+v, %v", r.Error, err)
	}
}
