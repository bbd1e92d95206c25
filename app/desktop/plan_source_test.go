package desktop

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/desktop/view"
)

// TestPlanWishByKey checks that the wish of one of the last few plans is found by its key, and
// that nothing runs.
func TestPlanWishByKey(t *testing.T) {
	w := newWhole(t, "")
	old := w.folder("Old")
	goals := []view.Goal{
		{Text: "delete folder Old in documents", Answers: []view.Answer{}},
		{Text: "delete Notes in documents", Answers: []view.Answer{{ID: "type", Value: "folder"}}},
		{Text: "open example.org", Answers: []view.Answer{}},
		{Text: "book a flight to the moon", Answers: []view.Answer{}},
		{Text: "what time is it", Answers: []view.Answer{}, Voice: &view.Voice{FileID: "f", Transcript: "what time is it", Confidence: 0.6}},
	}
	keys := map[string]view.Goal{}
	for _, g := range goals {
		keys[succeed[view.Plan](t)(w.Plan(g)).Key] = g
	}
	if len(keys) != len(goals) {
		t.Fatalf("%d plans have %d keys", len(goals), len(keys))
	}
	for key, want := range keys {
		if diff := cmp.Diff(view.Wish{Goal: &want}, succeed[view.Wish](t)(w.WishOf(key))); diff != "" {
			t.Errorf("left (-want +got)\n%s", diff)
		}
	}
	if runs := succeed[view.RunsPage](t)(w.Runs(view.RunsAsk{Limit: 5})); runs.Total != 0 || !there(old) {
		t.Errorf("%d runs were made of looking", runs.Total)
	}
	for range maxPlanSources {
		succeed[view.Plan](t)(w.Plan(view.Goal{Text: "what time is it"}))
	}
	for _, key := range []string{"", "elsewhere", succeed[view.Plan](t)(w.Plan(goals[0])).Key + "x"} {
		if left := succeed[view.Wish](t)(w.WishOf(key)); left != (view.Wish{}) {
			t.Errorf("%q leads to %+v", key, left)
		}
	}
	for key, g := range keys {
		if left := succeed[view.Wish](t)(w.WishOf(key)); left != (view.Wish{}) {
			t.Errorf("%q is kept for ever: %+v", g.Text, left)
		}
	}
	if v := w.run(view.RunAsk{Goal: view.Goal{Text: "what time is it"}}); v.Plan.Key != "" {
		t.Errorf("a run's plan has the key %q", v.Plan.Key)
	}
}
