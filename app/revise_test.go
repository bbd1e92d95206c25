package app

import (
	"context"
	"path/filepath"
	"testing"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
)

// TestQuestions: a goal that is not clear waits for its answers.
func TestQuestions(t *testing.T) {
	const unclear = "delete Old in documents" // a file or a folder? There is neither yet.

	t.Run("S2-T3 what is ambiguous is a pick list and can't be applied", func(t *testing.T) {
		a, home := opened(t, Options{})
		r, d := waitingDraft(t, a, unclear)
		paths := folders(t, home, "Old")
		if len(d.Questions) != 1 || len(d.Questions[0].Choices) != 2 || len(d.Actions) != 0 || r.Error.Code != "ambiguous" {
			t.Fatalf("questions %+v, actions %v, %v", d.Questions, d.Actions, r.Error)
		}
		r = approved(t, a, runs.ApproveRequest{ID: d.DraftID})
		if r.Status != trace.NeedsApproval || r.Error.Code != drafts.CodeOpenQuestions || !there(paths[0]) {
			t.Errorf("approve: %s, %v", r.Status, r.Error)
		}
	})

	t.Run("S2-H14 an answer goes on with the draft under its own id", func(t *testing.T) {
		a, home := opened(t, Options{})
		r, d := waitingDraft(t, a, unclear)
		paths := folders(t, home, "Old")
		q := d.Questions[0].ID
		again, err := Open(Options{Config: a.o.Config}) // after a restart
		must.Succeed(t, err)
		defer again.Close()
		got, err := again.Answer(t.Context(), d.DraftID[:20], map[string]string{q: "folder"}, nil)
		must.Succeed(t, err)
		if got.DraftID != d.DraftID || got.PlanID != d.PlanID || got.PlanID == "" || got.PlanDigest == d.PlanDigest || got.Answers[q] != "folder" {
			t.Errorf("before %+v\nafter %+v", d, got)
		}
		if got.State != approval.StateDraft || len(got.Actions) != 1 || len(got.Questions) != 0 || !there(paths[0]) {
			t.Errorf("after the answer: %+v", got)
		}
		done := approved(t, again, runs.ApproveRequest{ID: d.DraftID})
		if done.Status != trace.Done || done.RunID != r.RunID || there(paths[0]) {
			t.Errorf("status %s of run %s, want %s; %v", done.Status, done.RunID, r.RunID, done.Error)
		}
	})

	t.Run("an answer in the run", func(t *testing.T) {
		a, home := opened(t, Options{})
		var paths []string
		r, err := a.Start(t.Context(), runs.Request{
			Origin: plan.UserGoal,
			Words:  unclear, Yes: true, Ask: func(_ context.Context, q plan.Question) (string, error) {
				paths = folders(t, home, "Old")
				return q.Choices[0].Value, nil
			},
		})
		if err != nil || r.Status != trace.Done || there(paths[0]) {
			t.Errorf("status %s, %v, %v", r.Status, r.Error, err)
		}
	})

	t.Run("S2-H11 a voice that is unsure is confirmed before anything is planned", func(t *testing.T) {
		a, home := opened(t, Options{})
		voice := &plan.Voice{FileID: "v1", Transcript: "create folder Reports in documents", Confidence: 0.5}
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Voice: voice})
		if err != nil || r.Draft == nil || len(r.Draft.Questions) != 1 {
			t.Fatalf("draft %+v, %v", r.Draft, err)
		}
		path := filepath.Join(home, "Documents", "Reports")
		d, err := a.Answer(t.Context(), r.DraftID, map[string]string{"confirm_transcript": voice.Transcript}, nil)
		if err != nil || len(d.Actions) != 1 || there(path) || d.PlanID != r.Draft.PlanID {
			t.Fatalf("answered: %+v, %v", d, err)
		}
		if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID}); r.Status != trace.Done || !there(path) {
			t.Errorf("status %s, %v", r.Status, r.Error)
		}
		r, err = a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Voice: voice})
		must.Succeed(t, err)
		if d, err := a.Answer(t.Context(), r.DraftID, map[string]string{"confirm_transcript": ""}, nil); err != nil || d.State != approval.StateCancelled {
			t.Errorf("it was not what was said: %s, %v", d.State, err)
		}
	})
}
