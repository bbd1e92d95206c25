package app

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/drafts"
	"errand/app/history"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// TestOpenOptionsOf: a draft and a run continue where they were made, in
// the demo or on the web. Elsewhere the error names the command that continues it.
func TestOpenOptionsOf(t *testing.T) {
	for _, demo := range []bool{true, false} {
		here, home := opened(t, Options{Demo: demo, Allow: []string{"a.example"}})
		folders(t, home, "Old")
		r, d := waitingDraft(t, here, "delete folder Old in documents")
		if d.Demo != demo {
			t.Errorf("made in the demo: %t, and the draft says %t", demo, d.Demo)
		}
		there, err := Open(Options{Config: here.o.Config, Demo: !demo, Allow: []string{"b.example"}})
		must.Succeed(t, err)
		defer there.Close()
		for _, id := range []string{d.DraftID, r.RunID, d.DraftID[:len(d.DraftID)-1]} {
			for _, app := range []*App{here, there} {
				made, err := app.OpenOptionsOf(t.Context(), id)
				if diff := cmp.Diff(history.OpenOptions{Demo: demo, Allow: []string{"a.example"}}, made); err != nil || diff != "" {
					t.Errorf("OpenOptionsOf(%s): %v (-want +got):\n%s", id, err, diff)
				}
			}
		}
		_, approve := there.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID})
		_, resume := there.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID, Yes: true})
		_, edit := there.Edit(t.Context(), drafts.EditRequest{ID: d.DraftID, Action: "a1", Set: map[string]any{"recursive": true}})
		hint := "runs.made_for_web_hint"
		if demo {
			hint = "runs.made_in_demo_hint"
		}
		for by, err := range map[string]error{"approve": approve, "resume": resume, "edit": edit} {
			if e := tool.AsError(err); err == nil || e.Code != drafts.CodeOtherSetting {
				t.Errorf("%s: %v", by, err)
			} else if diff := cmp.Diff(message.New(hint, "command", "errand approve "+d.DraftID), e.Hint); diff != "" {
				t.Errorf("%s: hint (-want +got):\n%s", by, diff)
			}
		}
		if r := approved(t, here, runs.ApproveRequest{ID: d.DraftID}); r.Status != trace.Done {
			t.Errorf("where it was made: %s, %v", r.Status, r.Error)
		}
	}
}

// TestOpenOptionsOfUnknown: an unknown id gives no options; the command reports it.
func TestOpenOptionsOfUnknown(t *testing.T) {
	a, _ := opened(t, Options{})
	if made, err := a.OpenOptionsOf(t.Context(), "nonesuch"); made.Demo || made.Allow != nil || err != nil {
		t.Errorf("OpenOptionsOf = %+v, %v", made, err)
	}
}
