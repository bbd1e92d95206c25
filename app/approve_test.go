package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// TestTwoApproveAtOnce: two programs over one record.
func TestTwoApproveAtOnce(t *testing.T) {
	t.Run("S2-H17 of two that approve at once one applies, and the other sees the result", func(t *testing.T) {
		a, home := opened(t, Options{})
		b, err := Open(Options{Config: a.o.Config})
		must.Succeed(t, err)
		defer b.Close()
		calls := countDeletions(a, b)
		folders(t, home, "Old")
		_, d := waitingDraft(t, a, "delete folder Old in documents")
		reports, errs := make([]runs.Report, 2), make([]error, 2)
		var wg sync.WaitGroup
		for i, app := range []*App{a, b} {
			wg.Go(func() { reports[i], errs[i] = app.Approve(context.Background(), runs.ApproveRequest{ID: d.DraftID}) })
		}
		wg.Wait()
		if calls.Load() != 1 {
			t.Fatalf("called %d times: %v", calls.Load(), errs)
		}
		for i := range reports {
			switch c := codeOf(errs[i]); {
			case errs[i] == nil && reports[i].Status == trace.Done && slices.Equal(reports[i].Applied, []string{"a1"}):
			case c == "draft_moved", c == drafts.CodeDraftApplying, c == trace.CodeRunUnderWay:
			default:
				t.Errorf("%d: %+v, %v", i, reports[i], errs[i])
			}
		}
		for _, app := range []*App{a, b} {
			if r := approved(t, app, runs.ApproveRequest{ID: d.DraftID}); r.Status != trace.Done || !slices.Equal(r.Applied, []string{"a1"}) || calls.Load() != 1 {
				t.Errorf("afterwards: %s, %v, %d calls", r.Status, r.Applied, calls.Load())
			}
		}
	})
}

// triedAgain resumes a run whose draft failed, and approves the draft of the rest.
func triedAgain(t *testing.T, a *App, runID, failed string) runs.Report {
	t.Helper()
	if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: failed}); codeOf(err) != drafts.CodeDraftFailed {
		t.Errorf("a draft that failed is approved again: %v", err)
	}
	r, err := a.Resume(t.Context(), runs.ResumeRequest{ID: runID})
	if err != nil || r.RunID != runID || r.Status != trace.NeedsApproval || r.Draft == nil || r.Draft.DraftID == failed {
		t.Fatalf("resumed: %s, draft %+v, %v, %v", r.Status, r.Draft, r.Error, err)
	}
	return approved(t, a, runs.ApproveRequest{ID: r.DraftID, Confirmed: []string{"a1", "a2", "a3"}})
}

// TestAFailedDraftIsFinal: it waits for nothing, and stays in the list of all drafts.
func TestAFailedDraftIsFinal(t *testing.T) {
	tests := []struct {
		name    string
		approve []string // of a1, a2 and a3
		fails   string
		unknown bool // nobody saw the end of the call that fails
		state   approval.State
	}{
		{"all of it", nil, "A", false, approval.StateFailed},
		{"a part, and the rest waits", []string{"a1"}, "A", false, approval.StateBlocked},
		{"a part that was done, and the rest waits", []string{"a2"}, "A", false, approval.StateDraft},
		{"an outcome that is not known", nil, "A", true, approval.StateBlocked},
		{"nothing", nil, "", false, approval.StateApplied},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{})
			a.replaceTool = func(made tool.Tool) tool.Tool {
				if made.Spec().Name != "files.delete_folder" {
					return made
				}
				return tool.Func(made.Spec(), func(_ context.Context, c tool.Call) (tool.Result, error) {
					if filepath.Base(c.Args["path"].(string)) != tt.fails {
						return tool.OK(map[string]any{"deleted": true}), nil
					}
					if tt.unknown {
						return tool.Result{}, errors.New("it broke")
					}
					return tool.Fail(tool.ExecutionError, "stuck", message.Verbatim("it is stuck")), nil
				})
			}
			folders(t, home, "A", "B", "C")
			_, d := waitingDraft(t, a, "delete folders A, B and C in documents")
			r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Actions: tt.approve, Confirmed: []string{"a1", "a2", "a3"}})
			shown, err := a.ShowDraft(t.Context(), d.DraftID)
			if err != nil || shown.State != tt.state {
				t.Fatalf("draft %s, %v; run %s, %+v", shown.State, err, r.Status, r.Failed)
			}
			waiting, err := a.ListDrafts(t.Context(), false)
			all, errAll := a.ListDrafts(t.Context(), true)
			if err != nil || errAll != nil || len(waiting) > 0 == shown.State.Final() || len(all) != 1 {
				t.Errorf("%d drafts wait, %d in all; %v, %v", len(waiting), len(all), err, errAll)
			}
			if shown.State != approval.StateFailed {
				return
			}
			for name, change := range map[string]func() error{
				"approve": func() error { _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID}); return err },
				"apply":   func() error { _, err := a.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID}); return err },
				"reject":  func() error { _, err := a.Reject(t.Context(), d.DraftID); return err },
				"edit": func() error {
					_, err := a.Edit(t.Context(), drafts.EditRequest{ID: d.DraftID, Drop: []string{"a1"}})
					return err
				},
				"answer": func() error { _, err := a.Answer(t.Context(), d.DraftID, map[string]string{"x": "y"}, nil); return err },
			} {
				if err := change(); codeOf(err) != drafts.CodeDraftFailed {
					t.Errorf("%s: %v", name, err)
				}
			}
			if rec, err := a.Record(t.Context(), d.RunID); err != nil || rec.Status != trace.Failed {
				t.Errorf("run %s, %v", rec.Status, err)
			}
		})
	}
}

// TestApplyingInPart: what failed may be tried again, and nothing else is
// done again.
func TestApplyingInPart(t *testing.T) {
	t.Run("S2-H19 a precondition that fails consumes nothing", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		r, d := waitingDraft(t, a, "delete folder Old in documents")
		inTheWay := filepath.Join(paths[0], "note.txt")
		must.Succeed(t, os.WriteFile(inTheWay, nil, 0o600))
		if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID}); r.Status == trace.Done || r.Draft == nil || !there(inTheWay) {
			t.Fatalf("status %s, draft %+v", r.Status, r.Draft)
		}
		s, err := a.storage()
		must.Succeed(t, err)
		effects, err := s.Effects(t.Context(), r.RunID)
		if err != nil || slices.ContainsFunc(effects, func(c trace.Claim) bool { return c.Effect != tool.Released }) {
			t.Errorf("effects %+v, %v", effects, err)
		}
		must.Succeed(t, os.Remove(inTheWay))
		r = triedAgain(t, a, r.RunID, d.DraftID)
		if r.Status != trace.Done || there(paths[0]) {
			t.Errorf("later: %s, %v", r.Status, r.Error)
		}
	})

	t.Run("a failure in the middle", func(t *testing.T) {
		a, home := opened(t, Options{})
		calls := map[string]int{}
		broken := "B"
		var mu sync.Mutex
		a.replaceTool = func(t tool.Tool) tool.Tool {
			if t.Spec().Name != "files.delete_folder" {
				return t
			}
			return tool.Func(t.Spec(), func(_ context.Context, c tool.Call) (tool.Result, error) {
				mu.Lock()
				defer mu.Unlock()
				name := filepath.Base(c.Args["path"].(string))
				calls[name]++
				if name == broken {
					return tool.Fail(tool.ExecutionError, "stuck", message.Verbatim(name+" is stuck")), nil
				}
				return tool.OK(map[string]any{"deleted": true}), nil
			})
		}
		folders(t, home, "A", "B", "C")
		r, d := waitingDraft(t, a, "delete folders A, B and C in documents")
		r = approved(t, a, runs.ApproveRequest{ID: d.DraftID, Confirmed: []string{"a1", "a2", "a3"}})
		if r.Status != trace.Failed || !slices.Equal(r.Applied, []string{"a1", "a3"}) || len(r.Failed) != 1 ||
			r.Failed[0].ActionID != "a2" || r.Failed[0].Code != "stuck" || say(r.Failed[0].Reason) != "B is stuck" {
			t.Fatalf("status %s, applied %v, failed %+v", r.Status, r.Applied, r.Failed)
		}
		if r.Draft == nil || r.Draft.State != approval.StateFailed || r.Draft.Actions[1].Status != drafts.ActionFailed || r.Draft.Actions[0].Status != drafts.ActionDone {
			t.Errorf("draft %+v", r.Draft)
		}
		broken = ""
		r = triedAgain(t, a, r.RunID, d.DraftID)
		if r.Status != trace.Done || !slices.Equal(r.Applied, []string{"a2"}) {
			t.Errorf("again: status %s, applied %v, %v", r.Status, r.Applied, r.Error)
		}
		if diff := cmp.Diff(map[string]int{"A": 1, "B": 2, "C": 1}, calls); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		rec, err := a.Record(t.Context(), r.RunID)
		if err != nil || rec.Status != trace.Done || rec.DraftID != r.DraftID {
			t.Errorf("run %s under %q, %v", rec.Status, rec.DraftID, err)
		}
	})
}

// TestAskedInTheRun: the person answers before the run ends.
func TestAskedInTheRun(t *testing.T) {
	a, home := opened(t, Options{}, "USER=ann")
	paths := folders(t, home, "A", "B")
	var shown drafts.View
	r, err := a.Start(t.Context(), runs.Request{
		Origin: plan.UserGoal,
		Words:  "delete folders A and B in documents",
		Approve: func(_ context.Context, d drafts.View) (drafts.Answer, error) {
			shown = d
			if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID}); codeOf(err) != drafts.CodeDraftApplying {
				t.Errorf("approved elsewhere meanwhile: %v", err)
			}
			return drafts.Answer{Yes: true, Actions: []string{"a2"}}, nil
		},
	})
	if err != nil || r.Status != trace.NeedsApproval || !slices.Equal(left(paths), []string{"A"}) || len(shown.Actions) != 2 {
		t.Fatalf("status %s, left %v, shown %+v, %v, %v", r.Status, left(paths), shown, r.Error, err)
	}
	r, err = a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "delete folder A in documents", Yes: true})
	if err != nil || r.Status != trace.Done || len(left(paths)) != 0 {
		t.Fatalf("status %s, %v, %v", r.Status, r.Error, err)
	}
	if d, err := a.ShowDraft(t.Context(), r.DraftID); err != nil || d.Approval.By != "ann (--yes)" {
		t.Errorf("approved by %+v, %v", d.Approval, err)
	}
	r, err = a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "delete folder Z in documents", Approve: func(context.Context, drafts.View) (drafts.Answer, error) {
		return drafts.Answer{}, errors.New("the terminal went away")
	}})
	if err != nil || r.DraftID == "" && r.Status != trace.Done && r.Status != trace.Failed {
		t.Errorf("status %s, %v", r.Status, err)
	}
}

// TestApprovalExpiresWhileApplying: each call is held to it again.
func TestApprovalExpiresWhileApplying(t *testing.T) {
	a, home := opened(t, Options{})
	c := &clock{at: time.Now()}
	a.now = c.now
	a.conf.Run.Parallel = 1
	a.replaceTool = func(t tool.Tool) tool.Tool {
		if t.Spec().Name != "files.delete_folder" {
			return t
		}
		return tool.Func(t.Spec(), func(context.Context, tool.Call) (tool.Result, error) {
			c.pass(approval.TTL) // the first deletion takes that long
			return tool.OK(map[string]any{"deleted": true}), nil
		})
	}
	folders(t, home, "A", "B")
	_, d := waitingDraft(t, a, "delete folders A and B in documents")
	r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Confirmed: []string{"a1", "a2"}})
	if r.Status != trace.NeedsApproval || !slices.Equal(r.Applied, []string{"a1"}) || len(r.Failed) != 1 || r.Failed[0].ActionID != "a2" {
		t.Fatalf("status %s, applied %v, failed %+v", r.Status, r.Applied, r.Failed)
	}
	if r.Draft == nil || r.Draft.State != approval.StateBlocked {
		t.Errorf("draft %+v", r.Draft)
	}
	if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Confirmed: []string{"a1", "a2"}}); r.Status != trace.Done || !slices.Equal(r.Applied, []string{"a2"}) {
		t.Errorf("again: %s, %v, %v", r.Status, r.Applied, r.Error)
	}
}
