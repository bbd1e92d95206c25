package live

import (
	"testing"

	"errand/app/desktop/view"
	"errand/app/runs"
	"errand/host/trace"
)

// TestPageWaitsAreQueued checks that the page that has waited longest is shown first, and then
// the others.
func TestPageWaitsAreQueued(t *testing.T) {
	l := New(Options{Emit: func(view.RunEvent) {}})
	l.view.RunID = "r1"
	begins := func(wait int, url string) trace.PageNote {
		return trace.PageNote{Event: trace.PageChallenge, Wait: wait, URL: url, WaitSeconds: 300}
	}
	ends := func(wait int) trace.PageNote { return trace.PageNote{Event: trace.PageUnsolved, Wait: wait} }
	for _, tt := range []struct {
		note  trace.PageNote
		want  string // the address that is shown
		calls bool
	}{
		{begins(1, "a"), "a", true},
		{begins(2, "b"), "a", true},
		{begins(3, "c"), "a", true},
		{ends(2), "a", false},
		{ends(1), "c", false},
		{ends(3), "", false},
	} {
		called := l.applyProgress(runs.Progress{Event: runs.NoteEvent{Note: tt.note}}) != nil
		shown := ""
		if v, _ := l.Look(); v.Waits != nil {
			shown = v.Waits.URL
		}
		if shown != tt.want || called != tt.calls {
			t.Errorf("after %+v: %q is shown, called %v; want %q, %v", tt.note, shown, called, tt.want, tt.calls)
		}
	}
}
