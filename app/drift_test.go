package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app/config"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// TestDrift: whatever differs from what was shown is shown again.
func TestDrift(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, home string, o *Options)
		want   string
	}{
		{"the rules", func(t *testing.T, home string, o *Options) { o.Allow = []string{"example.org"} }, "the policy has changed"},
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
			must.Succeed(t, err)
			defer b.Close()
			r := approved(t, b, runs.ApproveRequest{ID: d.DraftID})
			if tt.want == "" {
				if r.Status != trace.Done {
					t.Errorf("status %s, %v", r.Status, r.Error)
				}
				return
			}
			if r.Status != trace.NeedsApproval || r.Error.Code != drafts.CodeDrift || !strings.Contains(say(r.Error.Message), tt.want) || !there(paths[0]) {
				t.Fatalf("status %s, %+v", r.Status, r.Error)
			}
			if r := approved(t, b, runs.ApproveRequest{ID: d.DraftID, Revision: r.Draft.Revision}); r.Status != trace.Done || there(paths[0]) {
				t.Errorf("a second look: %s, %v", r.Status, r.Error)
			}
		})
	}
	t.Run("the tool", func(t *testing.T) {
		a, home := opened(t, Options{})
		paths := folders(t, home, "Old")
		_, d := waitingDraft(t, a, "delete folder Old in documents")
		a.replaceTool = func(t tool.Tool) tool.Tool {
			s := t.Spec()
			if s.Name != "files.delete_folder" {
				return t
			}
			s.Digest = strings.Repeat("0", 64)
			return tool.Func(s, t.Call)
		}
		r := approved(t, a, runs.ApproveRequest{ID: d.DraftID})
		if r.Status != trace.NeedsApproval || r.Error.Code != drafts.CodeDrift || !strings.Contains(say(r.Error.Message), "tool of a1") || !there(paths[0]) {
			t.Errorf("status %s, %+v", r.Status, r.Error)
		}
	})
}

func TestEdit(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "A", "B", "C", "Other")
	_, d := waitingDraft(t, a, "delete folders A, B and C in documents")
	_, err := a.Edit(t.Context(), drafts.EditRequest{ID: d.DraftID, Action: "a1", Set: map[string]any{"path": paths[0]}})
	if got := codeOf(err); got != "nothing_changed" {
		t.Errorf("the path that it has: %q, want nothing_changed", got)
	}
	edited, err := a.Edit(t.Context(), drafts.EditRequest{ID: d.DraftID, Action: "a1", Set: map[string]any{"path": paths[3]}, Drop: []string{"a3"}})
	must.Succeed(t, err)
	if edited.DraftID != d.DraftID || edited.PlanDigest == d.PlanDigest || len(edited.Actions) != 2 ||
		edited.Actions[0].Args["path"] != paths[3] || !strings.Contains(say(edited.Actions[0].Preview), paths[3]) || edited.PlanID != d.PlanID {
		t.Errorf("edited %+v", edited)
	}
	for name, r := range map[string]drafts.EditRequest{
		"no such action": {Drop: []string{"a9"}}, "all": {Drop: []string{"a1", "a2"}}, "nothing": {},
		"the same again": {Action: "a1", Set: map[string]any{"path": paths[3]}},
	} {
		r.ID = d.DraftID
		if _, err := a.Edit(t.Context(), r); err == nil {
			t.Errorf("%s: edited", name)
		}
	}
	if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Revision: edited.Revision}); r.Status != trace.Done || !slices.Equal(left(paths), []string{"A", "C"}) {
		t.Errorf("status %s, left %v, %v", r.Status, left(paths), r.Error)
	}
	rec, err := a.ShowRun(t.Context(), edited.RunID)
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
	d, err := a.ShowDraft(t.Context(), d.DraftID)
	if err != nil || !d.Withheld || strings.Contains(d.Goal+say(d.Actions[0].Preview), secret) {
		t.Fatalf("draft %+v, %v", d, err)
	}
	if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID}); codeOf(err) != drafts.CodeDraftWithheld || !there(paths[0]) {
		t.Errorf("approve: %v", err)
	}
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "delete folder " + secret + " in documents", Yes: true})
	if err != nil || r.Status != trace.Done || there(paths[0]) {
		t.Errorf("answered at once: %s, %v, %v", r.Status, r.Error, err)
	}
}

// TestAPartBecomesADraft: the draft says which part.
func TestAPartBecomesADraft(t *testing.T) {
	a, home := opened(t, Options{})
	_, d := waitingDraft(t, a, "create folder Reports in documents and create folder ../../x")
	if d.Part.IsZero() || len(d.Unmet) == 0 || len(d.Actions) != 1 {
		t.Fatalf("draft %+v", d)
	}
	path := filepath.Join(home, "Documents", "Reports")
	if there(path) {
		t.Fatal("done unasked")
	}
	if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID}); r.Status != trace.Done || !there(path) {
		t.Errorf("status %s, %v", r.Status, r.Error)
	}
}

// TestMemory: what runs left behind is believed, but never over a look.
func TestMemory(t *testing.T) {
	a, home := opened(t, Options{})
	path := filepath.Join(home, "Documents", "Reports")
	for i := range 2 { // the second time after the folder went away by hand
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder Reports in documents"})
		if err != nil || r.Status != trace.Done || len(r.Steps) != 1 || !there(path) {
			t.Fatalf("%d: status %s, %d steps, %v, %v", i, r.Status, len(r.Steps), r.Error, err)
		}
		must.Succeed(t, os.Remove(path))
	}
}

// TestDestroyedFilesMatchPlan: a file that came into the folder since is
// not deleted by a yes that was given before it.
func TestDestroyedFilesMatchPlan(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "Old")
	write := func(name string) {
		must.Succeed(t, os.WriteFile(filepath.Join(paths[0], name), []byte(name), 0o600))
	}
	_, d := waitingDraft(t, a, "delete folder Old in documents")
	write("one.txt")
	d, err := a.Edit(t.Context(), drafts.EditRequest{ID: d.DraftID, Action: "a1", Set: map[string]any{"recursive": true}})
	must.Succeed(t, err)
	if got := strings.Join(d.Actions[0].Destroys, " "); !strings.Contains(got, "one.txt") {
		t.Errorf("what would be destroyed: %q", got)
	}
	write("two.txt")
	r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Revision: d.Revision})
	if r.Status != trace.NeedsApproval || r.Error.Code != drafts.CodeDrift || !there(filepath.Join(paths[0], "two.txt")) {
		t.Fatalf("status %s, %+v", r.Status, r.Error)
	}
	if got := strings.Join(r.Draft.Actions[0].Destroys, " "); !strings.Contains(got, "two.txt") {
		t.Errorf("shown again: %q", got)
	}
	if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Revision: r.Draft.Revision}); r.Status != trace.Done || there(paths[0]) {
		t.Errorf("a second look: %s, %v", r.Status, r.Error)
	}
}
