package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace/tracetest"
	"errand/planner/plan"
	"errand/policy/approval"
)

// Drafts tests how drafts are kept, found and swapped.
func Drafts(t *testing.T, place Place) {
	open := place(t, time.Now)
	s := open()
	hash := tool.HashArgs(nil)
	draft := func(id string, minute int) store.Draft {
		d, err := approval.Propose(id, approval.Terms{
			PlanDigest: hash, PolicyDigest: hash,
			Actions: []approval.Action{{Action: plan.Action{ActionID: "a1", Tool: "files.create_folder"}, ToolDigest: hash, ArgsHash: hash}},
		}, tracetest.Start.Add(time.Duration(minute)*time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		return store.Draft{Draft: d, RunID: "r1", Plan: []byte(`{"plan_id":"p"}`)}
	}
	for i, id := range []string{"01aa", "01ab", "02"} {
		if err := s.SaveDraft(t.Context(), draft(id, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SaveDraft(t.Context(), draft("02", 5)); codeOf(err) != store.CodeDraftTaken {
		t.Errorf("a second draft of one id: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open()
	for _, tt := range []struct{ typed, want, code string }{
		{"02", "02", "<nil>"}, {"01AB", "01ab", "<nil>"}, {"01", "", store.CodeDraftAmbiguous}, {"", "", store.CodeDraftNotFound}, {"3", "", store.CodeDraftNotFound},
	} {
		d, err := s.Draft(t.Context(), tt.typed)
		if d.ID != tt.want || codeOf(err) != tt.code {
			t.Errorf("Draft(%q) = %q, %v; want %q, %s", tt.typed, d.ID, err, tt.want, tt.code)
		}
	}
	got, err := s.Draft(t.Context(), "02")
	if diff := cmp.Diff(draft("02", 2), got, cmpopts.IgnoreFields(store.Draft{}, "Stored")); diff != "" || err != nil {
		t.Errorf("draft (-want +got):\n%s%v", diff, err)
	}

	cancelled := swapDrafts(t, s, got)
	again := cancelled
	again.Plan = []byte(`{"plan_id":"again"}`)
	if err := s.SwapDraft(t.Context(), cancelled, again); err != nil { // who saved it need not read it
		t.Errorf("a change of what was saved: %v", err)
	}
	if kept, err := s.Draft(t.Context(), "02"); err != nil || !kept.Reason.Equal(tracetest.SampleMessage) {
		t.Errorf("the reason of a draft: %s, %v; want %s", kept.Reason, err, tracetest.SampleMessage)
	}
	for state, want := range map[approval.State][]string{"": {"02", "01ab", "01aa"}, approval.StateDraft: {"01ab", "01aa"}, approval.StateCancelled: {"02"}, approval.StateReady: nil} {
		drafts, err := s.Drafts(t.Context(), state)
		var ids []string
		for _, d := range drafts {
			ids = append(ids, d.ID)
		}
		if diff := cmp.Diff(want, ids); diff != "" || err != nil {
			t.Errorf("Drafts(%q) (-want +got):\n%s%v", state, diff, err)
		}
	}
	if _, err := s.Prune(t.Context(), tracetest.Start.Add(11*time.Minute)); err != nil { // between the ends of 01aa and 01ab
		t.Fatal(err)
	}
	if drafts, err := s.Drafts(t.Context(), ""); err != nil || len(drafts) != 2 {
		t.Errorf("%d drafts (%v) after pruning, want 2", len(drafts), err)
	}

	err = s.SaveDraftUnless(t.Context(), draft("03", 3), func(d store.Draft) bool { return d.RunID == "r1" })
	if codeOf(err) != store.CodeDraftMoved {
		t.Errorf("a draft beside another of its run: %v, want %s", err, store.CodeDraftMoved)
	}
	if err := s.SaveDraftUnless(t.Context(), draft("03", 3), func(d store.Draft) bool { return d.RunID == "r2" }); err != nil {
		t.Error(err)
	}
	if stranded, err := s.ListStranded(t.Context()); err != nil || len(stranded) != 0 {
		t.Errorf("stranded: %v, %v", stranded, err)
	}
}

// swapDrafts tests that of two that change one draft, one does. It cancels the draft.
func swapDrafts(t *testing.T, s store.Store, d store.Draft) (cancelled store.Draft) {
	cancelled = d
	cancelled.State, cancelled.Reason = approval.StateCancelled, tracetest.SampleMessage
	if err := s.SwapDraft(t.Context(), d, cancelled); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(*store.Draft){
		func(d *store.Draft) { d.State = approval.StateReady },
		func(d *store.Draft) { d.Plan = []byte(`{"plan_id":"edited"}`) }, // of the state as it was read
	} {
		late := d
		change(&late)
		if err := s.SwapDraft(t.Context(), d, late); codeOf(err) != store.CodeDraftMoved {
			t.Errorf("a second change of what was read: %v, want %s", err, store.CodeDraftMoved)
		}
	}
	return cancelled
}
