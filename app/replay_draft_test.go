package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/drafts"
	"errand/app/replay"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// TestRunsThroughDraftsReplay: however a run came to its end, its record is
// replayed in one go.
func TestRunsThroughDraftsReplay(t *testing.T) {
	const three = "delete folders A, B and C in documents"
	approve := func(t *testing.T, a *App, d drafts.View, actions ...string) {
		t.Helper()
		if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID, Actions: actions, Confirm: d.Confirm, Revision: d.Revision}); err != nil {
			t.Fatal(err)
		}
	}
	given := []replay.NotCompared{{Location: replay.WhereInterpretation, StepID: "", Field: "", Why: replay.WhyGiven}, {Location: replay.WherePlan, StepID: "", Field: "", Why: replay.WhyGiven}}
	tests := []struct {
		name  string
		goal  string
		then  func(t *testing.T, a *App, home string, d drafts.View) (runID string)
		want  trace.Status
		steps int
		left  []replay.NotCompared
	}{
		{"it waits", three, func(*testing.T, *App, string, drafts.View) string { return "" }, trace.NeedsApproval, 0, nil},
		{"approved later", three, func(t *testing.T, a *App, _ string, d drafts.View) string {
			approve(t, a, d)
			return ""
		}, trace.Done, 3, nil},
		{"approved in part", three, func(t *testing.T, a *App, _ string, d drafts.View) string {
			approve(t, a, d, "a2")
			return ""
		}, trace.NeedsApproval, 1, nil},
		{"approved in two parts", three, func(t *testing.T, a *App, _ string, d drafts.View) string {
			approve(t, a, d, "a2")
			approve(t, a, d)
			return ""
		}, trace.Done, 3, nil},
		{"said no to", three, func(t *testing.T, a *App, _ string, d drafts.View) string {
			if _, err := a.Reject(t.Context(), d.DraftID); err != nil {
				t.Fatal(err)
			}
			return ""
		}, trace.Cancelled, 0, nil},
		{"said no to the rest", three, func(t *testing.T, a *App, _ string, d drafts.View) string {
			approve(t, a, d, "a1")
			if _, err := a.Reject(t.Context(), d.DraftID); err != nil {
				t.Fatal(err)
			}
			return ""
		}, trace.Done, 1, nil},
		{"edited", three, func(t *testing.T, a *App, home string, d drafts.View) string {
			other := filepath.Join(home, "Documents", "Old")
			edited, err := a.Edit(t.Context(), drafts.EditRequest{ID: d.DraftID, Action: "a1", Set: map[string]any{"path": other}, Drop: []string{"a3"}})
			must.Succeed(t, err)
			approve(t, a, edited)
			return ""
		}, trace.Done, 2, given},
		{"the inverse of another run", three, func(t *testing.T, a *App, _ string, _ drafts.View) string {
			made, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder New in documents"})
			must.Succeed(t, err)
			back, err := a.ProposeUndo(t.Context(), plan.UserGoal, made.RunID)
			must.Succeed(t, err)
			approve(t, a, back)
			return back.RunID
		}, trace.Done, 1, given},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{})
			folders(t, home, "A", "B", "C", "Old")
			r, d := waitingDraft(t, a, tt.goal)
			id := tt.then(t, a, home, d)
			if id == "" {
				id = r.RunID
			}
			rec, err := a.Record(t.Context(), id)
			if err != nil || rec.Status != tt.want {
				t.Fatalf("the run is %s and not %s: %v, %v", rec.Status, tt.want, rec.Error, err)
			}
			got, err := a.Replay(t.Context(), exported(t, a, id))
			if err != nil || !got.IsSame || got.Compared.Steps != tt.steps {
				t.Fatalf("%d steps of %d, difference %+v, %v", got.Compared.Steps, tt.steps, got.Difference, err)
			}
			if d := cmp.Diff(append([]replay.NotCompared{}, tt.left...), got.NotCompared); d != "" {
				t.Errorf("not compared (-want +got):\n%s", d)
			}
		})
	}
}

// TestReplayAfterSettingChange: what was judged before it changed
// is not held against what it is now.
func TestReplayAfterSettingChange(t *testing.T) {
	a, _ := opened(t, Options{})
	broken := true
	a.replaceTool = func(t tool.Tool) tool.Tool {
		if t.Spec().Name != "files.create_folder" {
			return t
		}
		return tool.Func(t.Spec(), func(_ context.Context, c tool.Call) (tool.Result, error) {
			if broken && filepath.Base(c.Args["path"].(string)) == "B" {
				return tool.Fail(tool.ExecutionError, "stuck", message.Verbatim("it is stuck")), nil
			}
			return tool.OK(map[string]any{"created": true}), nil
		})
	}
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folders A, B and C in documents"})
	if err != nil || r.Status != trace.Failed {
		t.Fatalf("status %s, %v, %v", r.Status, r.Error, err)
	}
	if got, err := a.Replay(t.Context(), r.RunID); err != nil || !got.IsSame {
		t.Errorf("as it failed: %+v, %v", got.Difference, err)
	}
	rules := filepath.Join(t.TempDir(), "errand.toml")
	must.Succeed(t, os.WriteFile(rules, []byte("[[policy.rules]]\nverdict = \"allow\"\ntool = \"files.create_*\"\n"), 0o600))
	o := a.o
	o.Config.Env = append([]string{"ERRAND_CONFIG=" + rules}, o.Config.Env...)
	again, err := Open(o)
	must.Succeed(t, err)
	defer again.Close()
	broken, again.replaceTool = false, a.replaceTool
	done, err := again.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
	if err != nil || done.Status != trace.Done {
		t.Fatalf("status %s, %v, %v", done.Status, done.Error, err)
	}
	got, err := again.Replay(t.Context(), r.RunID)
	if err != nil || !got.IsSame || got.Compared.Steps != 3 {
		t.Fatalf("difference %+v, %v", got.Difference, err)
	}
	want := []replay.NotCompared{
		{Location: replay.WhereInterpretation, StepID: "", Field: "", Why: replay.WhyGiven},
		{Location: replay.WherePlan, StepID: "", Field: "", Why: replay.WhyGiven},
		{Location: replay.WhereStep, StepID: "a1", Field: "verdict", Why: replay.WhyEarlier},
		{Location: replay.WhereStep, StepID: "a1", Field: "rule", Why: replay.WhyEarlier},
		{Location: replay.WhereStep, StepID: "a3", Field: "verdict", Why: replay.WhyEarlier},
		{Location: replay.WhereStep, StepID: "a3", Field: "rule", Why: replay.WhyEarlier},
	}
	if d := cmp.Diff(want, got.NotCompared); d != "" {
		t.Errorf("not compared (-want +got):\n%s", d)
	}
}

// TestAnsweredQuestionsReplay: the answers are part of what was said.
func TestAnsweredQuestionsReplay(t *testing.T) {
	a, _ := opened(t, Options{})
	voice := &plan.Voice{FileID: "v1", Transcript: "create folder Reports in documents", Confidence: 0.5}
	for answer, want := range map[string]trace.Status{voice.Transcript: trace.Done, "create folder Other in documents": trace.Done} {
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Voice: voice})
		if err != nil || r.Draft == nil {
			t.Fatalf("draft %+v, %v", r.Draft, err)
		}
		if _, err := a.Answer(t.Context(), r.DraftID, map[string]string{r.Draft.Questions[0].ID: answer}, nil); err != nil {
			t.Fatal(err)
		}
		if done, err := a.Approve(t.Context(), runs.ApproveRequest{ID: r.DraftID}); err != nil || done.Status != want {
			t.Fatalf("status %s, %v, %v", done.Status, done.Error, err)
		}
		got, err := a.Replay(t.Context(), r.RunID)
		if err != nil || !got.IsSame || got.Compared.Steps != 1 || !got.Compared.Plan {
			t.Errorf("%q: %+v, difference %+v, %v", answer, got.Compared, got.Difference, err)
		}
	}
}
