package app

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// TestApproveWhatWasSeen: a yes is for what its person looked at, and not for
// what another program made of the draft since.
func TestApproveWhatWasSeen(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "Old", "Other")
	_, seen := waitingDraft(t, a, "delete folder Old in documents")
	if _, err := a.Edit(t.Context(), drafts.EditRequest{ID: seen.DraftID, Action: "a1", Set: map[string]any{"path": paths[1]}}); err != nil {
		t.Fatal(err)
	}
	r := approved(t, a, runs.ApproveRequest{ID: seen.DraftID, Revision: seen.Revision})
	if r.Status != trace.NeedsApproval || r.Error.Code != drafts.CodeDrift || !there(paths[0]) || !there(paths[1]) {
		t.Fatalf("a yes to what was seen before: %s, %v", r.Status, r.Error)
	}
	if r = approved(t, a, runs.ApproveRequest{ID: seen.DraftID, Revision: r.Draft.Revision}); r.Status != trace.Done || there(paths[1]) {
		t.Errorf("a yes to what is there: %s, %v", r.Status, r.Error)
	}
}

// TestApproveWithoutRevision: an approval that names no revision is for the draft as it was
// proposed.
func TestApproveWithoutRevision(t *testing.T) {
	type change func(t *testing.T, a *App, d drafts.View, paths []string)
	edit := func(action string, path int, drop ...string) change {
		return func(t *testing.T, a *App, d drafts.View, paths []string) {
			r := drafts.EditRequest{ID: d.DraftID, Drop: drop}
			if action != "" {
				r.Action, r.Set = action, map[string]any{"path": paths[path]}
			}
			if _, err := a.Edit(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
	}
	show := func(t *testing.T, a *App, d drafts.View, _ []string) {
		if _, err := a.ShowDraft(t.Context(), d.DraftID); err != nil {
			t.Fatal(err)
		}
	}
	refuse := func(t *testing.T, a *App, d drafts.View, _ []string) { // which shows it again
		if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID}); r.Error == nil || r.Error.Code != drafts.CodeDrift {
			t.Fatalf("%s, %v", r.Status, r.Error)
		}
	}
	rewrite := func(t *testing.T, _ *App, _ drafts.View, paths []string) { replaced(t, paths[0], "thesis") }
	later := func(t *testing.T, a *App, d drafts.View, _ []string) {
		now, err := a.ShowDraft(t.Context(), d.DraftID)
		if err == nil {
			_, err = a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID, Revision: now.Revision, ApplyLater: true})
		}
		must.Succeed(t, err)
	}
	tests := []struct {
		name    string
		changes []change
		request runs.ApproveRequest
		apply   bool // in place of an approval
		left    string
	}{
		{"nothing changed", nil, runs.ApproveRequest{}, false, "C"},
		{"shown again", []change{show}, runs.ApproveRequest{}, false, "C"},
		{"edited", []change{edit("a1", 2)}, runs.ApproveRequest{}, false, "ABC"},
		{"edited, for later", []change{edit("a1", 2)}, runs.ApproveRequest{ApplyLater: true}, false, "ABC"},
		{"edited, another action", []change{edit("a1", 2)}, runs.ApproveRequest{Actions: []string{"a2"}}, false, "ABC"},
		{"an action was left out", []change{edit("", 0, "a1")}, runs.ApproveRequest{}, false, "ABC"},
		{"edited back", []change{edit("a1", 2), edit("a1", 0)}, runs.ApproveRequest{}, false, "ABC"},
		{"a file was rewritten", []change{rewrite, refuse}, runs.ApproveRequest{}, false, "ABC"},
		{"edited, approved and applied later", []change{edit("a1", 2), later}, runs.ApproveRequest{}, true, "A"},
		{"edited, approved for later, approved again", []change{edit("a1", 2), later}, runs.ApproveRequest{}, false, "ABC"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{})
			var paths []string
			for _, name := range []string{"A", "B", "C"} {
				paths = append(paths, written(t, home, name, "draft"))
			}
			_, d := waitingDraft(t, a, "delete files A and B in documents")
			for _, change := range tt.changes {
				change(t, a, d, paths)
			}
			before, err := a.ShowDraft(t.Context(), d.DraftID)
			must.Succeed(t, err)
			tt.request.ID = d.DraftID
			var got runs.Report
			if tt.apply {
				got, err = a.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID})
			} else {
				got, err = a.Approve(t.Context(), tt.request)
			}
			if refused := tt.left == "ABC"; err != nil || refused != (got.Error != nil && got.Error.Code == drafts.CodeDrift) || strings.Join(left(paths), "") != tt.left {
				t.Fatalf("left %v, want %s; %v, %v", left(paths), tt.left, got.Error, err)
			}
			if after, err := a.ShowDraft(t.Context(), d.DraftID); err != nil || tt.left == "ABC" && (after.State != before.State || after.Revision != before.Revision) {
				t.Errorf("the refusal changed the draft: %s, was %s; %v", after.State, before.State, err)
			}
		})
	}
}

// TestAnApprovalCoversWhatPolicyAllows: an action that policy would let run
// unasked is held to the approval all the same, once it is part of a draft.
func TestAnApprovalCoversWhatPolicyAllows(t *testing.T) {
	a, home := opened(t, Options{})
	c := &clock{at: time.Now()}
	a.now = c.now
	folders(t, home, "Old")
	a.replaceTool = func(made tool.Tool) tool.Tool {
		if made.Spec().Name != "files.create_folder" { // policy allows it
			return made
		}
		return slow{made, c}
	}
	_, d := waitingDraft(t, a, "delete folder Old in documents and create folder New in documents")
	r := approved(t, a, runs.ApproveRequest{ID: d.DraftID})
	if there(filepath.Join(home, "Documents", "New")) || !slices.ContainsFunc(r.Failed, func(f runs.FailedAction) bool { return f.Code == "needs_approval" }) {
		t.Errorf("%s: made after the approval's end, failed %+v", r.Status, r.Failed)
	}
}

// slow is a tool that takes longer to be prepared than an approval lasts.
type slow struct {
	tool.Tool
	clock *clock
}

func (s slow) Prepare(context.Context) error {
	s.clock.pass(approval.TTL + time.Minute)
	return nil
}

// TestRejectedActionDoesNotBlock: it may be wrong by now.
func TestRejectedActionDoesNotBlock(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "A", "B")
	_, d := waitingDraft(t, a, "delete folders A and B in documents")
	if _, err := a.Reject(t.Context(), d.DraftID, "a1"); err != nil {
		t.Fatal(err)
	}
	first := d.Actions[0].Args["path"]
	a.replaceTool = func(made tool.Tool) tool.Tool { return refusing{made, first} }
	r := approved(t, a, runs.ApproveRequest{ID: d.DraftID})
	other := slices.IndexFunc(paths, func(p string) bool { return p != first })
	if there(paths[other]) || !there(paths[1-other]) {
		t.Errorf("%s, %v: the folders are there: %t, %t", r.Status, r.Error, there(paths[0]), there(paths[1]))
	}
}

// refusing is a tool that can't do one path any more.
type refusing struct {
	tool.Tool
	path any
}

func (r refusing) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	if call.Args["path"] == r.path {
		return tool.Forecast{}, tool.NewError(tool.ValidationError, "gone", message.Verbatim("it can't be done any more"))
	}
	if f, can := r.Tool.(tool.Forecaster); can {
		return f.Forecast(ctx, call)
	}
	return tool.Forecast{}, nil
}

// TestForgetKeepsUnknownOutcomes: an effect that nobody saw the end of can't be
// edited away, who decided it is on record, and undoing tells of it.
func TestForgetKeepsUnknownOutcomes(t *testing.T) {
	a, home := opened(t, Options{})
	folders(t, home, "Old")
	a.replaceTool = func(made tool.Tool) tool.Tool {
		if made.Spec().Name != "files.delete_folder" {
			return made
		}
		return tool.Func(made.Spec(), func(context.Context, tool.Call) (tool.Result, error) { panic("in the middle") })
	}
	_, d := waitingDraft(t, a, "delete folder Old in documents")
	approved(t, a, runs.ApproveRequest{ID: d.DraftID})
	for _, r := range []drafts.EditRequest{
		{ID: d.DraftID, Action: "a1", Set: map[string]any{"recursive": true}},
		{ID: d.DraftID, Drop: []string{"a1"}},
	} {
		if _, err := a.Edit(t.Context(), r); codeOf(err) != trace.CodeOutcomeUnknown && codeOf(err) != "nothing_left" {
			t.Errorf("edited %+v: %v", r, err)
		}
	}
	back, err := a.ProposeUndo(t.Context(), plan.UserGoal, d.RunID)
	if codeOf(err) != "nothing_to_undo" || len(back.Irreversible) != 1 || !strings.Contains(say(back.Irreversible[0].Reason), "outcome is unknown") {
		t.Errorf("undone: %+v, %v", back.Irreversible, err)
	}
	if _, err := a.Answer(t.Context(), d.RunID, map[string]string{"a1": "done"}, nil); err != nil {
		t.Fatal(err)
	}
	rec, err := a.Record(t.Context(), d.RunID)
	if err != nil || !slices.ContainsFunc(rec.Events, func(e trace.Event) bool {
		return e.Kind == "decided" && e.StepID == "a1" && e.Data["effect"] == string(tool.Committed) && e.Data["by"] != ""
	}) {
		t.Errorf("who decided: %+v, %v", rec.Events, err)
	}
}

// TestCancelDraftOfFailedRun.
func TestCancelDraftOfFailedRun(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "A", "B")
	a.replaceTool = func(made tool.Tool) tool.Tool {
		return failing{made, func(call tool.Call) bool { return call.Args["path"] == paths[1] }}
	}
	_, d := waitingDraft(t, a, "delete folders A and B in documents")
	if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Actions: []string{"a2"}, Confirmed: []string{"a2"}}); r.Status != trace.Failed || r.Draft.State != approval.StateBlocked {
		t.Fatalf("%s, draft %s", r.Status, r.Draft.State)
	}
	if _, err := a.Reject(t.Context(), d.DraftID); err != nil {
		t.Fatal(err)
	}
	if rec, err := a.Record(t.Context(), d.RunID); err != nil || rec.Status != trace.Failed {
		t.Errorf("the run is %s, %v", rec.Status, err)
	}
}

// failing is a tool some calls of which fail.
type failing struct {
	tool.Tool
	fails func(tool.Call) bool
}

func (r failing) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	if r.fails(call) {
		return tool.Fail(tool.ExecutionError, "no", message.Verbatim("it can't")), nil
	}
	return r.Tool.Call(ctx, call)
}

// TestOwnWordsAreShownFirst: what an answer that is none of the choices comes to
// waits for a yes, though policy would let it run.
func TestOwnWordsAreShownFirst(t *testing.T) {
	const goal = "create folder Z in documents and frobnicate the moon"
	for name, answer := range map[string]func(plan.Question) string{
		"own words": func(plan.Question) string { return "create folder K in documents" },
		"a choice":  func(q plan.Question) string { return q.Choices[0].Value },
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := opened(t, Options{})
			r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: goal, Ask: func(_ context.Context, q plan.Question) (string, error) { return answer(q), nil }})
			must.Succeed(t, err)
			waits := r.Status == trace.NeedsApproval && len(r.Steps) == 0 && r.Draft != nil && len(r.Draft.Actions) > 0
			if waits != (name == "own words") {
				t.Errorf("%s: %v, %d steps", r.Status, r.Error, len(r.Steps))
			}
		})
	}
}
