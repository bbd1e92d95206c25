package core

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/approval"
)

// clock is a time that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }

func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.at = c.at.Add(d) }

// folders makes folders in the documents of a home and says where they are.
func folders(t *testing.T, home string, names ...string) []string {
	t.Helper()
	var paths []string
	for _, name := range names {
		path := filepath.Join(home, "Documents", name)
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func there(path string) bool { _, err := os.Lstat(path); return err == nil }

func left(paths []string) []string {
	var out []string
	for _, p := range paths {
		if there(p) {
			out = append(out, filepath.Base(p))
		}
	}
	return out
}

// proposed runs a goal that becomes a draft.
func waitingDraft(t *testing.T, a *App, goal string) (Report, DraftView) {
	t.Helper()
	r, err := a.Run(t.Context(), RunRequest{Text: goal})
	if err != nil || r.Status != trace.NeedsApproval || r.Draft == nil || r.DraftID != r.Draft.DraftID {
		t.Fatalf("%s: status %s, draft %+v, error %+v, %v", goal, r.Status, r.Draft, r.Error, err)
	}
	return r, *r.Draft
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return tool.AsError(err).Code
}

func approved(t *testing.T, a *App, r ApproveRequest) Report {
	t.Helper()
	report, err := a.Approve(t.Context(), r)
	if err != nil {
		t.Fatalf("approve: %v", err)
	}
	return report
}

const five = "delete folders A, B, C, D and E in documents"

func TestDrafts(t *testing.T) {
	t.Run("S2-T1 a plan that changes something becomes a Draft and nothing is called", func(t *testing.T) {
		a, home := opened(t, Options{}, "USER=ann")
		paths := folders(t, home, "Old")
		r, d := waitingDraft(t, a, "delete folder Old in documents")
		if len(r.Steps) != 0 || !there(paths[0]) || d.State != approval.StateDraft || r.StopReason != trace.StopAwaitingApproval {
			t.Errorf("steps %v, folder there %t, draft %s, stop %s", r.Steps, there(paths[0]), d.State, r.StopReason)
		}
		if got := d.Actions; len(got) != 1 || got[0].Verdict != policy.Ask || !strings.Contains(got[0].Preview, paths[0]) || got[0].Status != ActionProposed {
			t.Errorf("actions %+v", got)
		}
		r = approved(t, a, ApproveRequest{ID: d.DraftID})
		if r.Status != trace.Done || there(paths[0]) || !slices.Equal(r.Applied, []string{"a1"}) || len(r.Failed) != 0 {
			t.Errorf("status %s, applied %v, failed %v, folder there %t, %v", r.Status, r.Applied, r.Failed, there(paths[0]), r.Error)
		}
		d, err := a.Draft(t.Context(), d.DraftID)
		if err != nil || d.State != approval.StateApplied || d.Approval == nil || d.Approval.By != "ann" || d.Actions[0].Status != ActionDone {
			t.Errorf("draft %+v, %v", d, err)
		}
		if r, err := a.Run(t.Context(), RunRequest{Text: "create folder New in documents"}); err != nil || r.Status != trace.Done || r.DraftID != "" {
			t.Errorf("a person's own goal on a tool of user_goal_tools: %s, draft %q, %v", r.Status, r.DraftID, err)
		}
	})

	t.Run("S2-T2 what only reads runs at once and every action is on record", func(t *testing.T) {
		a, _ := opened(t, Options{})
		r, err := a.Run(t.Context(), RunRequest{Text: "what time is it and what is the date"})
		if err != nil || r.Status != trace.Done || r.DraftID != "" {
			t.Fatalf("status %s, draft %q, %v", r.Status, r.DraftID, err)
		}
		p, _ := r.Result.Plan()
		rec, err := a.Record(t.Context(), r.RunID)
		if err != nil || p.Content().Intent != plan.Query || p.Len() < 2 || len(rec.Steps) != p.Len() {
			t.Errorf("intent %s, %d actions, %d steps, %v", p.Content().Intent, p.Len(), len(rec.Steps), err)
		}
	})

	t.Run("S2-T4 five at once need a second confirmation with the count", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "A", "B", "C", "D", "E")
		_, d := waitingDraft(t, a, five)
		if d.Confirm != 5 {
			t.Errorf("confirm %d, want 5", d.Confirm)
		}
		for _, count := range []int{0, 4} {
			r := approved(t, a, ApproveRequest{ID: d.DraftID, Confirm: count})
			if r.Status != trace.NeedsApproval || r.Error.Code != CodeConfirm || len(left(paths)) != 5 {
				t.Fatalf("confirmed %d: status %s, %+v, left %v", count, r.Status, r.Error, left(paths))
			}
		}
		if r := approved(t, a, ApproveRequest{ID: d.DraftID, Confirm: 5}); r.Status != trace.Done || len(left(paths)) != 0 {
			t.Errorf("status %s, left %v, %v", r.Status, left(paths), r.Error)
		}
	})

	t.Run("S2-T5 arguments that fail the schema are refused with their path", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		_, d := waitingDraft(t, a, "delete folder Old in documents")
		for name, set := range map[string]map[string]any{
			"a number": {"path": 7.0}, "nothing": {"path": nil}, "unknown": {"force": true}, "outside": {"path": "/etc/x"},
		} {
			_, err := a.Edit(t.Context(), EditRequest{ID: d.DraftID, Action: "a1", Set: set})
			if err == nil || !strings.Contains(err.Error(), "path") && !strings.Contains(err.Error(), "force") && !strings.Contains(err.Error(), "/etc/x") {
				t.Errorf("%s: %v", name, err)
			}
		}
		again, err := a.Draft(t.Context(), d.DraftID)
		if err != nil || again.PlanDigest != d.PlanDigest || !there(paths[0]) {
			t.Errorf("draft %+v, %v", again, err)
		}
	})

	t.Run("S2-H01 a query with an action that writes is a mutation and asks", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		p, err := plan.New(plan.Content{
			Origin: plan.Request, Intent: plan.Query, Language: "en", GoalAchievedBy: "a1",
			Actions: []plan.Action{{ActionID: "a1", Tool: "files.delete_folder", Args: map[string]any{"path": paths[0]}}},
		})
		if err != nil || p.Content().Intent != plan.Mutate {
			t.Fatalf("intent %s, %v", p.Content().Intent, err)
		}
		verdicts, err := a.Preview(t.Context(), p)
		if err != nil || verdicts[0].Decision.Verdict != policy.Ask {
			t.Errorf("verdicts %+v, %v", verdicts, err)
		}
	})

	t.Run("S2-H08 the same words give the same plan, and drafts and runs of their own", func(t *testing.T) {
		a, home := opened(t, Options{})
		folders(t, home, "Old")
		r1, d1 := waitingDraft(t, a, "delete folder Old in documents")
		r2, d2 := waitingDraft(t, a, "delete folder Old in documents")
		p1, _ := r1.Result.Plan()
		p2, _ := r2.Result.Plan()
		if string(p1.CanonicalJSON()) != string(p2.CanonicalJSON()) || d1.PlanID != d2.PlanID || d1.PlanID != p1.ID() {
			t.Error("the plans differ")
		}
		if r1.RunID == r2.RunID || d1.DraftID == d2.DraftID {
			t.Error("the runs or drafts are one")
		}
	})

	t.Run("S2-H15 a draft older than ten minutes is expired", func(t *testing.T) {
		a, home := opened(t, Options{})
		c := &clock{at: time.Now()}
		a.now = c.now
		paths := folders(t, home, "Old")
		_, d := waitingDraft(t, a, "delete folder Old in documents")
		c.pass(approval.TTL)
		_, err := a.Approve(t.Context(), ApproveRequest{ID: d.DraftID})
		if codeOf(err) != CodeDraftExpired || !strings.Contains(err.Error(), "Draft expired") || !strings.Contains(tool.AsError(err).Hint, "delete folder Old") || !there(paths[0]) {
			t.Errorf("approve: %v, hint %q", err, tool.AsError(err).Hint)
		}
		drafts, err := a.Drafts(t.Context(), true)
		if err != nil || len(drafts) != 1 || drafts[0].State != approval.StateExpired {
			t.Errorf("drafts %+v, %v", drafts, err)
		}
		if drafts, err := a.Drafts(t.Context(), false); err != nil || len(drafts) != 0 {
			t.Errorf("still waiting: %+v, %v", drafts, err)
		}
		for _, act := range []func() error{
			func() error { _, err := a.Reject(t.Context(), d.DraftID); return err },
			func() error {
				_, err := a.Edit(t.Context(), EditRequest{ID: d.DraftID, Drop: []string{"a1"}})
				return err
			},
			func() error { _, err := a.Answer(t.Context(), d.DraftID, map[string]string{"q1": "x"}); return err },
		} {
			if err := act(); codeOf(err) != CodeDraftExpired {
				t.Errorf("on an expired draft: %v", err)
			}
		}
	})

	t.Run("S2-H16 a draft that was cancelled can't be approved from elsewhere", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		r, d := waitingDraft(t, a, "delete folder Old in documents")
		if d, err := a.Reject(t.Context(), d.DraftID); err != nil || d.State != approval.StateCancelled {
			t.Fatalf("rejected: %s, %v", d.State, err)
		}
		if _, err := a.Approve(t.Context(), ApproveRequest{ID: d.DraftID}); codeOf(err) != CodeDraftCancelled || !there(paths[0]) {
			t.Errorf("approve: %v", err)
		}
		rec, err := a.Record(t.Context(), r.RunID)
		if err != nil || rec.Status != trace.Denied || len(rec.Steps) != 0 {
			t.Errorf("the run is %s with %d steps, %v", rec.Status, len(rec.Steps), err)
		}
	})

	t.Run("S2-H22 a preview is made from the arguments; the proposer's words are a note", func(t *testing.T) {
		p, err := plan.New(plan.Content{
			Origin: plan.Request, Language: "en", GoalAchievedBy: "a1",
			Actions: []plan.Action{{
				ActionID: "a1", Tool: "files.delete_folder", Args: map[string]any{"path": "/home/ann/Documents", "recursive": true},
				Preview: "Tidy up a little\nand nothing else",
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		a, _ := opened(t, Options{})
		x := &execution{app: a}
		end, err := x.open()
		if err != nil {
			t.Fatal(err)
		}
		defer end()
		j, err := x.judge(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := j.actions[0]
		if got.Preview != "Delete the folder /home/ann/Documents, recursive = true" || got.Note != "Tidy up a little and nothing else" {
			t.Errorf("preview %q, note %q", got.Preview, got.Note)
		}
	})

	t.Run("S0-T6 without a decision the record has no event of a call", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "A", "B", "C", "D", "E")
		r, _ := waitingDraft(t, a, five)
		rec, err := a.Record(t.Context(), r.RunID)
		if err != nil || len(rec.Steps) != 0 || len(rec.Events) != 0 || len(left(paths)) != 5 {
			t.Errorf("steps %v, events %v, left %v, %v", rec.Steps, rec.Events, left(paths), err)
		}
	})

	t.Run("S0-T7 only what was approved is applied", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "A", "B", "C", "D", "E")
		_, d := waitingDraft(t, a, five)
		r := approved(t, a, ApproveRequest{ID: d.DraftID, Actions: []string{"a2", "a4"}, Confirm: d.Confirm})
		if diff := cmp.Diff([]string{"A", "C", "E"}, left(paths)); diff != "" {
			t.Errorf("left (-want +got):\n%s", diff)
		}
		if !slices.Equal(r.Applied, []string{"a2", "a4"}) || len(r.Failed) != 0 || len(r.Steps) != 2 {
			t.Errorf("applied %v, failed %v, steps %d", r.Applied, r.Failed, len(r.Steps))
		}
		if r.Status != trace.NeedsApproval || r.Draft == nil || r.Draft.State != approval.StateDraft {
			t.Errorf("the rest: %s, %+v", r.Status, r.Draft)
		}
		r = approved(t, a, ApproveRequest{ID: d.DraftID, Confirm: r.Draft.Confirm})
		if r.Status != trace.Done || !slices.Equal(r.Applied, []string{"a1", "a3", "a5"}) || len(left(paths)) != 0 {
			t.Errorf("status %s, applied %v, left %v, %v", r.Status, r.Applied, left(paths), r.Error)
		}
	})
}

// TestTwoApproveAtOnce: two programs over one record.
func TestTwoApproveAtOnce(t *testing.T) {
	t.Run("S2-H17 of two that approve at once one applies, and the other sees the result", func(t *testing.T) {
		a, home := opened(t, Options{})
		b, err := Open(Options{Config: a.o.Config})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		var mu sync.Mutex
		calls := 0
		for _, app := range []*App{a, b} {
			app.instead = func(t tool.Tool) tool.Tool {
				if t.Spec().Name != "files.delete_folder" {
					return t
				}
				return tool.Func(t.Spec(), func(context.Context, tool.Call) (tool.Result, error) {
					mu.Lock()
					defer mu.Unlock()
					calls++
					return tool.OK(map[string]any{"deleted": true}), nil
				})
			}
		}
		folders(t, home, "Old")
		_, d := waitingDraft(t, a, "delete folder Old in documents")
		reports, errs := make([]Report, 2), make([]error, 2)
		var wg sync.WaitGroup
		for i, app := range []*App{a, b} {
			wg.Go(func() { reports[i], errs[i] = app.Approve(context.Background(), ApproveRequest{ID: d.DraftID}) })
		}
		wg.Wait()
		if calls != 1 {
			t.Fatalf("called %d times: %v", calls, errs)
		}
		for i := range reports {
			switch c := codeOf(errs[i]); {
			case errs[i] == nil && reports[i].Status == trace.Done && slices.Equal(reports[i].Applied, []string{"a1"}):
			case c == "draft_moved", c == CodeDraftApplying, c == trace.CodeRunUnderWay:
			default:
				t.Errorf("%d: %+v, %v", i, reports[i], errs[i])
			}
		}
		for _, app := range []*App{a, b} {
			if r := approved(t, app, ApproveRequest{ID: d.DraftID}); r.Status != trace.Done || !slices.Equal(r.Applied, []string{"a1"}) || calls != 1 {
				t.Errorf("afterwards: %s, %v, %d calls", r.Status, r.Applied, calls)
			}
		}
	})
}

// TestApplyingInPart: what failed may be approved again, and nothing else is
// done again.
func TestApplyingInPart(t *testing.T) {
	t.Run("S2-H19 a precondition that fails consumes nothing", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		r, d := waitingDraft(t, a, "delete folder Old in documents")
		inTheWay := filepath.Join(paths[0], "note.txt")
		if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if r := approved(t, a, ApproveRequest{ID: d.DraftID}); r.Status == trace.Done || r.Draft == nil || !there(inTheWay) {
			t.Fatalf("status %s, draft %+v", r.Status, r.Draft)
		}
		s, err := a.storage()
		if err != nil {
			t.Fatal(err)
		}
		effects, err := s.Effects(t.Context(), r.RunID)
		if err != nil || slices.ContainsFunc(effects, func(c trace.Claim) bool { return c.Effect != tool.Released }) {
			t.Errorf("effects %+v, %v", effects, err)
		}
		if err := os.Remove(inTheWay); err != nil {
			t.Fatal(err)
		}
		r = approved(t, a, ApproveRequest{ID: d.DraftID})
		if r.Error != nil && r.Error.Code == CodeDrift { // something else was shown meanwhile
			r = approved(t, a, ApproveRequest{ID: d.DraftID})
		}
		if r.Status != trace.Done || there(paths[0]) {
			t.Errorf("later: %s, %v", r.Status, r.Error)
		}
	})

	t.Run("a failure in the middle", func(t *testing.T) {
		a, home := opened(t, Options{})
		calls := map[string]int{}
		broken := "B"
		var mu sync.Mutex
		a.instead = func(t tool.Tool) tool.Tool {
			if t.Spec().Name != "files.delete_folder" {
				return t
			}
			return tool.Func(t.Spec(), func(_ context.Context, c tool.Call) (tool.Result, error) {
				mu.Lock()
				defer mu.Unlock()
				name := filepath.Base(c.Args["path"].(string))
				calls[name]++
				if name == broken {
					return tool.Fail(tool.ExecutionError, "stuck", "%s is stuck", name), nil
				}
				return tool.OK(map[string]any{"deleted": true}), nil
			})
		}
		folders(t, home, "A", "B", "C")
		r, d := waitingDraft(t, a, "delete folders A, B and C in documents")
		r = approved(t, a, ApproveRequest{ID: d.DraftID})
		if r.Status != trace.Failed || !slices.Equal(r.Applied, []string{"a1", "a3"}) || len(r.Failed) != 1 ||
			r.Failed[0].ActionID != "a2" || r.Failed[0].Code != "stuck" || r.Failed[0].Reason != "B is stuck" {
			t.Fatalf("status %s, applied %v, failed %+v", r.Status, r.Applied, r.Failed)
		}
		if r.Draft == nil || r.Draft.State != approval.StateBlocked || r.Draft.Actions[1].Status != ActionFailed || r.Draft.Actions[0].Status != ActionDone {
			t.Errorf("draft %+v", r.Draft)
		}
		broken = ""
		r = approved(t, a, ApproveRequest{ID: d.DraftID})
		if r.Status != trace.Done || !slices.Equal(r.Applied, []string{"a2"}) {
			t.Errorf("again: status %s, applied %v, %v", r.Status, r.Applied, r.Error)
		}
		if diff := cmp.Diff(map[string]int{"A": 1, "B": 2, "C": 1}, calls); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		rec, err := a.Record(t.Context(), r.RunID)
		if err != nil || rec.Status != trace.Done || rec.DraftID != d.DraftID {
			t.Errorf("run %s under %q, %v", rec.Status, rec.DraftID, err)
		}
	})
}

// TestAskedInTheRun: the person answers before the run ends.
func TestAskedInTheRun(t *testing.T) {
	a, home := opened(t, Options{}, "USER=ann")
	paths := folders(t, home, "A", "B")
	var shown DraftView
	r, err := a.Run(t.Context(), RunRequest{
		Text: "delete folders A and B in documents",
		Approve: func(_ context.Context, d DraftView) (Answer, error) {
			shown = d
			if _, err := a.Approve(t.Context(), ApproveRequest{ID: d.DraftID}); codeOf(err) != CodeDraftApplying {
				t.Errorf("approved elsewhere meanwhile: %v", err)
			}
			return Answer{Yes: true, Actions: []string{"a2"}}, nil
		},
	})
	if err != nil || r.Status != trace.NeedsApproval || !slices.Equal(left(paths), []string{"A"}) || len(shown.Actions) != 2 {
		t.Fatalf("status %s, left %v, shown %+v, %v, %v", r.Status, left(paths), shown, r.Error, err)
	}
	r, err = a.Run(t.Context(), RunRequest{Text: "delete folder A in documents", Yes: true})
	if err != nil || r.Status != trace.Done || len(left(paths)) != 0 {
		t.Fatalf("status %s, %v, %v", r.Status, r.Error, err)
	}
	if d, err := a.Draft(t.Context(), r.DraftID); err != nil || d.Approval.By != "ann by --yes" {
		t.Errorf("approved by %+v, %v", d.Approval, err)
	}
	r, err = a.Run(t.Context(), RunRequest{Text: "delete folder Z in documents", Approve: func(context.Context, DraftView) (Answer, error) {
		return Answer{}, errors.New("the terminal went away")
	}})
	if err != nil || r.DraftID == "" && r.Status != trace.Done && r.Status != trace.Failed {
		t.Errorf("status %s, %v", r.Status, err)
	}
}
