package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/drafts"
	"errand/app/i18n"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
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
		must.Succeed(t, os.MkdirAll(path, 0o755))
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
func waitingDraft(t *testing.T, a *App, goal string) (runs.Report, drafts.View) {
	t.Helper()
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: goal})
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

func approved(t *testing.T, a *App, r runs.ApproveRequest) runs.Report {
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
		if got := d.Actions; len(got) != 1 || got[0].Verdict != policy.Ask || !strings.Contains(say(got[0].Preview), paths[0]) || got[0].Status != drafts.ActionProposed {
			t.Errorf("actions %+v", got)
		}
		r = approved(t, a, runs.ApproveRequest{ID: d.DraftID})
		if r.Status != trace.Done || there(paths[0]) || !slices.Equal(r.Applied, []string{"a1"}) || len(r.Failed) != 0 {
			t.Errorf("status %s, applied %v, failed %v, folder there %t, %v", r.Status, r.Applied, r.Failed, there(paths[0]), r.Error)
		}
		d, err := a.ShowDraft(t.Context(), d.DraftID)
		if err != nil || d.State != approval.StateApplied || d.Approval == nil || d.Approval.By != "ann" || d.Actions[0].Status != drafts.ActionDone {
			t.Errorf("draft %+v, %v", d, err)
		}
		if r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder New in documents"}); err != nil || r.Status != trace.Done || r.DraftID != "" {
			t.Errorf("a person's own goal on a tool of user_goal_tools: %s, draft %q, %v", r.Status, r.DraftID, err)
		}
	})

	t.Run("S2-T2 what only reads runs at once and every action is on record", func(t *testing.T) {
		a, _ := opened(t, Options{})
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "what time is it and what is the date"})
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
			r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Confirm: count})
			if r.Status != trace.NeedsApproval || r.Error.Code != drafts.CodeConfirm || len(left(paths)) != 5 {
				t.Fatalf("confirmed %d: status %s, %+v, left %v", count, r.Status, r.Error, left(paths))
			}
		}
		if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Confirm: 5}); r.Status != trace.Done || len(left(paths)) != 0 {
			t.Errorf("status %s, left %v, %v", r.Status, left(paths), r.Error)
		}
	})

	t.Run("what is approved is counted, not what else waits", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "A", "B", "C", "D", "E", "F")
		_, d := waitingDraft(t, a, strings.Replace(five, "A", "F, A", 1))
		if d.Confirm != 6 {
			t.Fatalf("confirm %d, want 6", d.Confirm)
		}
		some := []string{"a1", "a2", "a3", "a4", "a5"}
		r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Actions: some, Confirm: 6})
		if r.Error == nil || r.Error.Code != drafts.CodeConfirm || r.Draft.Confirm != 5 || !strings.HasSuffix(say(r.Error.Hint), "a1 a2 a3 a4 a5 --confirm 5") {
			t.Errorf("five of six, six confirmed: %+v", r.Error)
		}
		d, err := a.Reject(t.Context(), d.DraftID, "a6")
		if err != nil || d.Confirm != 5 {
			t.Errorf("after a rejection: confirm %d, want 5, %v", d.Confirm, err)
		}
		if d, err = a.Reject(t.Context(), d.DraftID, "a5"); err != nil || d.Confirm != 0 {
			t.Errorf("after another: confirm %d, want none, %v", d.Confirm, err)
		}
		if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Actions: some[:2]}); len(r.Applied) != 2 || len(left(paths)) != 4 {
			t.Errorf("two of four: applied %v, left %v, %v", r.Applied, left(paths), r.Error)
		}
	})

	t.Run("S2-T5 arguments that fail the schema are refused with their path", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		_, d := waitingDraft(t, a, "delete folder Old in documents")
		for name, set := range map[string]map[string]any{
			"a number": {"path": 7.0}, "nothing": {"path": nil}, "unknown": {"force": true}, "outside": {"path": "/etc/x"},
		} {
			_, err := a.Edit(t.Context(), drafts.EditRequest{ID: d.DraftID, Action: "a1", Set: set})
			if err == nil || !strings.Contains(i18n.English().Error(err), "path") && !strings.Contains(i18n.English().Error(err), "force") && !strings.Contains(i18n.English().Error(err), "/etc/x") {
				t.Errorf("%s: %v", name, err)
			}
		}
		again, err := a.ShowDraft(t.Context(), d.DraftID)
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
		verdicts, err := a.Preview(t.Context(), p, "")
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
		_, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID})
		if codeOf(err) != drafts.CodeDraftExpired || !strings.Contains(i18n.English().Error(err), "Draft expired") || !strings.Contains(say(tool.AsError(err).Hint), "delete folder Old") || !there(paths[0]) {
			t.Errorf("approve: %v, hint %q", err, tool.AsError(err).Hint)
		}
		listed, err := a.ListDrafts(t.Context(), true)
		if err != nil || len(listed) != 1 || listed[0].State != approval.StateExpired {
			t.Errorf("drafts %+v, %v", listed, err)
		}
		if listed, err := a.ListDrafts(t.Context(), false); err != nil || len(listed) != 0 {
			t.Errorf("still waiting: %+v, %v", listed, err)
		}
		for _, act := range []func() error{
			func() error { _, err := a.Reject(t.Context(), d.DraftID); return err },
			func() error {
				_, err := a.Edit(t.Context(), drafts.EditRequest{ID: d.DraftID, Drop: []string{"a1"}})
				return err
			},
			func() error {
				_, err := a.Answer(t.Context(), d.DraftID, map[string]string{"q1": "x"}, nil)
				return err
			},
		} {
			if err := act(); codeOf(err) != drafts.CodeDraftExpired {
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
		if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID}); codeOf(err) != drafts.CodeDraftCancelled || !there(paths[0]) {
			t.Errorf("approve: %v", err)
		}
		rec, err := a.Record(t.Context(), r.RunID)
		if err != nil || rec.Status != trace.Cancelled || len(rec.Steps) != 0 {
			t.Errorf("the run is %s with %d steps, %v", rec.Status, len(rec.Steps), err)
		}
	})

	t.Run("S2-H22 a preview is made from the arguments; the proposer's words are a note", func(t *testing.T) {
		a, home := opened(t, Options{})
		path := filepath.Join(home, "Documents", "Old")
		p, err := plan.New(plan.Content{
			Origin: plan.Request, Language: "en", GoalAchievedBy: "a1",
			Actions: []plan.Action{{
				ActionID: "a1", Tool: "files.create_folder", Args: map[string]any{"path": path},
				Preview: message.Verbatim("Tidy up a little\nand nothing else"),
			}},
		})
		must.Succeed(t, err)
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.Request, Plan: &runs.Plan{Plan: p, Words: "tidy up", Proposal: &drafts.Proposal{}}})
		if err != nil || r.Draft == nil {
			t.Fatalf("%+v, %v", r, err)
		}
		got := r.Draft.Actions[0]
		if say(got.Preview) != "Create the folder "+path || say(got.Note) != "Tidy up a little and nothing else" {
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
		r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Actions: []string{"a2", "a4"}, Confirm: d.Confirm})
		if diff := cmp.Diff([]string{"A", "C", "E"}, left(paths)); diff != "" {
			t.Errorf("left (-want +got):\n%s", diff)
		}
		if !slices.Equal(r.Applied, []string{"a2", "a4"}) || len(r.Failed) != 0 || len(r.Steps) != 2 {
			t.Errorf("applied %v, failed %v, steps %d", r.Applied, r.Failed, len(r.Steps))
		}
		if r.Status != trace.NeedsApproval || r.Draft == nil || r.Draft.State != approval.StateDraft {
			t.Errorf("the rest: %s, %+v", r.Status, r.Draft)
		}
		r = approved(t, a, runs.ApproveRequest{ID: d.DraftID, Confirm: r.Draft.Confirm})
		if r.Status != trace.Done || !slices.Equal(r.Applied, []string{"a1", "a3", "a5"}) || len(left(paths)) != 0 {
			t.Errorf("status %s, applied %v, left %v, %v", r.Status, r.Applied, left(paths), r.Error)
		}
		if strings.Count(say(r.Answer), "\n") != 4 { // it tells of all five
			t.Errorf("answer %q", r.Answer)
		}
	})
}
