package core

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app/config"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
)

// TestQuestions: a goal that is not clear waits for its answers.
func TestQuestions(t *testing.T) {
	const unclear = "delete Old in documents" // a file or a folder?

	t.Run("S2-T3 what is ambiguous is a pick list and can't be applied", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		r, d := waitingDraft(t, a, unclear)
		if len(d.Questions) != 1 || len(d.Questions[0].Choices) != 2 || len(d.Actions) != 0 || r.Error.Code != "ambiguous" {
			t.Fatalf("questions %+v, actions %v, %v", d.Questions, d.Actions, r.Error)
		}
		r = approved(t, a, ApproveRequest{ID: d.DraftID})
		if r.Status != trace.NeedsApproval || r.Error.Code != CodeOpenQuestions || !there(paths[0]) {
			t.Errorf("approve: %s, %v", r.Status, r.Error)
		}
	})

	t.Run("S2-H14 an answer goes on with the draft under its own id", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		r, d := waitingDraft(t, a, unclear)
		q := d.Questions[0].ID
		again, err := Open(Options{Config: a.o.Config}) // after a restart
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		got, err := again.Answer(t.Context(), d.DraftID[:20], map[string]string{q: "folder"})
		if err != nil {
			t.Fatal(err)
		}
		if got.DraftID != d.DraftID || got.PlanID != d.PlanID || got.PlanID == "" || got.PlanDigest == d.PlanDigest || got.Answers[q] != "folder" {
			t.Errorf("before %+v\nafter %+v", d, got)
		}
		if got.State != approval.StateDraft || len(got.Actions) != 1 || len(got.Questions) != 0 || !there(paths[0]) {
			t.Errorf("after the answer: %+v", got)
		}
		done := approved(t, again, ApproveRequest{ID: d.DraftID})
		if done.Status != trace.Done || done.RunID != r.RunID || there(paths[0]) {
			t.Errorf("status %s of run %s, want %s; %v", done.Status, done.RunID, r.RunID, done.Error)
		}
	})

	t.Run("an answer in the run", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		r, err := a.Run(t.Context(), RunRequest{
			Text: unclear, Yes: true, Ask: func(_ context.Context, q plan.Question) (string, error) { return q.Choices[0].Value, nil },
		})
		if err != nil || r.Status != trace.Done || there(paths[0]) {
			t.Errorf("status %s, %v, %v", r.Status, r.Error, err)
		}
	})

	t.Run("a voice that is unsure", func(t *testing.T) {
		a, home := opened(t, Options{})
		voice := &plan.Voice{FileID: "v1", Transcript: "create folder Reports in documents", Confidence: 0.5}
		r, err := a.Run(t.Context(), RunRequest{Voice: voice})
		if err != nil || r.Draft == nil || len(r.Draft.Questions) != 1 {
			t.Fatalf("draft %+v, %v", r.Draft, err)
		}
		path := filepath.Join(home, "Documents", "Reports")
		d, err := a.Answer(t.Context(), r.DraftID, map[string]string{"confirm_transcript": voice.Transcript})
		if err != nil || len(d.Actions) != 1 || there(path) || d.PlanID != r.Draft.PlanID {
			t.Fatalf("answered: %+v, %v", d, err)
		}
		if r := approved(t, a, ApproveRequest{ID: d.DraftID}); r.Status != trace.Done || !there(path) {
			t.Errorf("status %s, %v", r.Status, r.Error)
		}
		r, err = a.Run(t.Context(), RunRequest{Voice: voice})
		if err != nil {
			t.Fatal(err)
		}
		if d, err := a.Answer(t.Context(), r.DraftID, map[string]string{"confirm_transcript": ""}); err != nil || d.State != approval.StateCancelled {
			t.Errorf("it was not what was said: %s, %v", d.State, err)
		}
	})
}

func TestCheckAnswer(t *testing.T) {
	choices := []plan.Choice{{Label: "a folder", Value: "folder"}, {Label: "a file", Value: "file"}}
	tests := []struct {
		name  string
		q     plan.Question
		value string
		want  string // part of message or hint
	}{
		{"a choice", plan.Question{ID: "q1", Choices: choices}, "file", ""},
		{"free text that is not wanted", plan.Question{ID: "q1", Choices: choices}, "disk", "q1=folder (a folder) · q1=file (a file)"},
		{"free text", plan.Question{ID: "q1", Choices: choices, FreeTextAllowed: true}, "disk", ""},
		{"nothing", plan.Question{ID: "q1", FreeTextAllowed: true}, " ", "empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := checkAnswer(tt.q, tt.value)
			if (e == nil) != (tt.want == "") || e != nil && !strings.Contains(e.Message+e.Hint, tt.want) {
				t.Errorf("checkAnswer = %+v", e)
			}
		})
	}
}

// TestDrift: whatever differs from what was shown is shown again.
func TestDrift(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, home string, o *Options)
		want   string
	}{
		{"the rules", func(t *testing.T, home string, o *Options) { o.Allow = []string{"example.org"} }, "the rules have changed"},
		{"nothing", func(t *testing.T, home string, o *Options) {}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{})
			paths := folders(t, home, "Old")
			_, d := waitingDraft(t, a, "delete folder Old in documents")
			o := Options{Config: config.Options{Env: a.o.Config.Env}}
			tt.change(t, home, &o)
			b, err := Open(o)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			r := approved(t, b, ApproveRequest{ID: d.DraftID})
			if tt.want == "" {
				if r.Status != trace.Done {
					t.Errorf("status %s, %v", r.Status, r.Error)
				}
				return
			}
			if r.Status != trace.NeedsApproval || r.Error.Code != CodeDrift || !strings.Contains(r.Error.Message, tt.want) || !there(paths[0]) {
				t.Fatalf("status %s, %+v", r.Status, r.Error)
			}
			if r := approved(t, b, ApproveRequest{ID: d.DraftID}); r.Status != trace.Done || there(paths[0]) {
				t.Errorf("a second look: %s, %v", r.Status, r.Error)
			}
		})
	}
	t.Run("the tool", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		_, d := waitingDraft(t, a, "delete folder Old in documents")
		a.instead = func(t tool.Tool) tool.Tool {
			s := t.Spec()
			if s.Name != "files.delete_folder" {
				return t
			}
			s.Digest = strings.Repeat("0", 64)
			return tool.Func(s, t.Call)
		}
		r := approved(t, a, ApproveRequest{ID: d.DraftID})
		if r.Status != trace.NeedsApproval || r.Error.Code != CodeDrift || !strings.Contains(r.Error.Message, "tool of a1") || !there(paths[0]) {
			t.Errorf("status %s, %+v", r.Status, r.Error)
		}
	})
}

func TestEdit(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "A", "B", "C", "Other")
	_, d := waitingDraft(t, a, "delete folders A, B and C in documents")
	edited, err := a.Edit(t.Context(), EditRequest{ID: d.DraftID, Action: "a1", Set: map[string]any{"path": paths[3]}, Drop: []string{"a3"}})
	if err != nil {
		t.Fatal(err)
	}
	if edited.DraftID != d.DraftID || edited.PlanDigest == d.PlanDigest || len(edited.Actions) != 2 ||
		edited.Actions[0].Args["path"] != paths[3] || !strings.Contains(edited.Actions[0].Preview, paths[3]) || edited.PlanID != d.PlanID {
		t.Errorf("edited %+v", edited)
	}
	for name, r := range map[string]EditRequest{
		"no such action": {Drop: []string{"a9"}}, "all": {Drop: []string{"a1", "a2"}}, "nothing": {},
	} {
		r.ID = d.DraftID
		if _, err := a.Edit(t.Context(), r); err == nil {
			t.Errorf("%s: edited", name)
		}
	}
	if r := approved(t, a, ApproveRequest{ID: d.DraftID}); r.Status != trace.Done || !slices.Equal(left(paths), []string{"A", "C"}) {
		t.Errorf("status %s, left %v, %v", r.Status, left(paths), r.Error)
	}
	rec, err := a.Show(t.Context(), edited.RunID)
	if err != nil || !strings.Contains(string(rec.Result), paths[3]) {
		t.Errorf("the record does not show the plan that was carried out: %s, %v", rec.Result, err)
	}
}

// TestADraftWithASecretIsWithheld: it can be looked at and not taken up later.
func TestADraftWithASecretIsWithheld(t *testing.T) {
	a, home := opened(t, Options{})
	const secret = "ghp_FAKEfake0123FAKEfake0123FAKEfake0123"
	paths := folders(t, home, secret)
	_, d := waitingDraft(t, a, "delete folder "+secret+" in documents")
	d, err := a.Draft(t.Context(), d.DraftID)
	if err != nil || !d.Withheld || strings.Contains(d.Goal+d.Actions[0].Preview, secret) {
		t.Fatalf("draft %+v, %v", d, err)
	}
	if _, err := a.Approve(t.Context(), ApproveRequest{ID: d.DraftID}); codeOf(err) != CodeDraftWithheld || !there(paths[0]) {
		t.Errorf("approve: %v", err)
	}
	r, err := a.Run(t.Context(), RunRequest{Text: "delete folder " + secret + " in documents", Yes: true})
	if err != nil || r.Status != trace.Done || there(paths[0]) {
		t.Errorf("answered at once: %s, %v, %v", r.Status, r.Error, err)
	}
}

// TestAPartBecomesADraft: the draft says which part.
func TestAPartBecomesADraft(t *testing.T) {
	a, home := opened(t, Options{})
	_, d := waitingDraft(t, a, "create folder Reports in documents and create folder ../../x")
	if d.Part == "" || len(d.Unmet) == 0 || len(d.Actions) != 1 {
		t.Fatalf("draft %+v", d)
	}
	path := filepath.Join(home, "Documents", "Reports")
	if there(path) {
		t.Fatal("done unasked")
	}
	if r := approved(t, a, ApproveRequest{ID: d.DraftID}); r.Status != trace.Done || !there(path) {
		t.Errorf("status %s, %v", r.Status, r.Error)
	}
}

// TestMemory: what runs left behind is believed, but never over a look.
func TestMemory(t *testing.T) {
	facts := []store.Fact{
		{Fact: "exists:/home/ann/Documents/Old/", Holds: true}, {Fact: "backup_made", Holds: true}, {Fact: "exists:/elsewhere", Holds: false},
	}
	goals := []plan.Goal{{GoalType: plan.FileOperation, Target: "/home/ann/Documents/Old"}}
	if got := believed(facts, goals); !slices.Equal(got, []string{"!exists:/elsewhere", "backup_made"}) {
		t.Errorf("believed %q", got)
	}
	a, home := opened(t, Options{})
	path := filepath.Join(home, "Documents", "Reports")
	for i := range 2 { // the second time after the folder went away by hand
		r, err := a.Run(t.Context(), RunRequest{Text: "create folder Reports in documents"})
		if err != nil || r.Status != trace.Done || len(r.Steps) != 1 || !there(path) {
			t.Fatalf("%d: status %s, %d steps, %v, %v", i, r.Status, len(r.Steps), r.Error, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
