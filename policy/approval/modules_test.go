package approval

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/message"
)

func TestModules(t *testing.T) {
	project := succeed(t)(applying(t, "a1").FinishApply([]string{"a1"}, message.Message{}, minute(3)))
	failed := succeed(t)(applying(t).FinishApply([]string{"a4"}, message.Verbatim("a1: no"), minute(3)))
	tests := []struct {
		name  string
		draft Draft
		want  []string // of the project, the channel in it, the note
	}{
		{"S0-H30 before anything is approved", draft(t), []string{"DRAFT", "BLOCKED", "DRAFT"}},
		{"the note is approved", approved(t, "a4"), []string{"DRAFT", "BLOCKED", "READY"}},
		{"all is approved", approved(t), []string{"READY", "BLOCKED", "READY"}},
		{"S0-H30 the project is there", project, []string{"READY", "READY", "DRAFT"}},
		{"the project failed", failed, []string{"DRAFT", "BLOCKED", "READY"}},
		{"the project is rejected", succeed(t)(draft(t).Reject("ann", t0, "a1")), []string{"DRAFT", "BLOCKED", "DRAFT"}},
		{"an approval is lost", succeed(t)(approved(t).Reopen(minute(2))), []string{"DRAFT", "BLOCKED", "DRAFT"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var kept, now []string
			for _, m := range tt.draft.Modules {
				kept = append(kept, m.Status)
			}
			for _, m := range tt.draft.ModulesNow() {
				now = append(now, m.Status)
			}
			if diff := cmp.Diff([][]string{tt.want, tt.want}, [][]string{kept, now}); diff != "" {
				t.Errorf("kept, and now (-want +got):\n%s", diff)
			}
		})
	}
}

// TestModulesFollowChains checks that all ancestors of an action count, including those in other
// modules.
func TestModulesFollowChains(t *testing.T) {
	terms := terms()
	terms.Modules[1].Actions = []string{"a3"} // a2 is in no module
	d := succeed(t)(Propose("d1", terms, t0))
	for _, tt := range []struct {
		done []string
		want string
	}{
		{nil, "BLOCKED"}, {[]string{"a1"}, "BLOCKED"}, {[]string{"a2"}, "BLOCKED"}, {[]string{"a1", "a2"}, "READY"},
	} {
		d.Done = tt.done
		if got := d.ModulesNow()[1].Status; got != tt.want {
			t.Errorf("done %v: %s, want %s", tt.done, got, tt.want)
		}
	}
}
