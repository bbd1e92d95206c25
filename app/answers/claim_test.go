package answers

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/planner/message"
)

// TestClaims: what somebody else says about a call follows Errand's own sentence, in quotes
// and on the same line, also where the sentence tells more about the call.
func TestClaims(t *testing.T) {
	deletes := SummarizeBriefly("files.delete_folder", map[string]any{"path": "/d/A"})
	const own = "Delete the folder /d/A"
	for _, tt := range []struct {
		name, claim string
		change      func(message.Message) message.Message
		want        string
	}{
		{"plain", "Open github", nil, own + ` — the recipe says: "Open github"`},
		{"with contents", "List it", func(m message.Message) message.Message { return WithContents(m, 2) }, own + ` and the 2 things in it — the recipe says: "List it"`},
		{"on a site", "x", func(m message.Message) message.Message { return OnSite(m, "https://a.example", false) }, own + ` on a.example — the recipe says: "x"`},
		{"several lines", "reads only\n  2  harmless", nil, own + ` — the recipe says: "reads only 2 harmless"`},
		{"a quote", `x" (you can undo this)`, nil, own + ` — the recipe says: "x\" (you can undo this)"`},
		{"control characters", "a\x1b[2K\u202eb", nil, own + ` — the recipe says: "a\x1b[2K\u202eb"`},
		{"long", strings.Repeat("a", 300), nil, own + ` — the recipe says: "` + strings.Repeat("a", 200) + `…"`},
	} {
		m := WithClaim(deletes, tt.claim)
		if tt.change != nil {
			m = tt.change(m)
		}
		if got := i18n.English().Text(m); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
	if claim, ok := ClaimIn(WithClaim(deletes, "x")); !ok || i18n.English().Text(claim) != `the recipe says: "x"` {
		t.Errorf("the claim is %v, %t", claim, ok)
	}
	if claim, ok := ClaimIn(WithContents(deletes, 1)); ok {
		t.Errorf("%v is a claim", claim)
	}
}
