package app

import (
	"fmt"
	"testing"

	"errand/planner/message"
)

// TestNamesLookDifferent: two folders whose names look the same are told apart in a draft: in
// what each action does, and in what it deletes.
func TestNamesLookDifferent(t *testing.T) {
	for _, other := range []string{"Invoices\u3164", "Invoices\u200b", "Invo\u0456ces", "Invoices\ufe0f", "Invoices\U000e0041", "Invoices\u2800"} {
		t.Run(fmt.Sprintf("%+q", other), func(t *testing.T) {
			a, home := opened(t, Options{})
			folders(t, home, "Invoices", other)
			var shown [2]string
			for i, name := range []string{"Invoices", other} {
				_, d := waitingDraft(t, a, `delete folder "`+name+`" in documents`)
				shown[i] = say(d.Actions[0].Preview)
			}
			plain := func(s string) string { return message.EscapeHidden(s, "") }
			if shown[0] == shown[1] || shown[1] != plain(shown[1]) {
				t.Errorf("%q and %q", shown[0], shown[1])
			}
		})
	}
}
