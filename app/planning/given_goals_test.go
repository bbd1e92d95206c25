package planning

import (
	"testing"

	"errand/planner/catalogue"
	"errand/planner/plan"
)

// TestGivenSearchKeepsItsPlace checks that a search given as JSON goes to the place that it
// names, or names it in the refusal, and never goes to another site.
func TestGivenSearchKeepsItsPlace(t *testing.T) {
	c := catalogue.Default()
	for _, tt := range []struct{ name, platform, target, want string }{
		{"an id", "youtube", "", "youtube"},
		{"a name", " YouTube ", "", "youtube"},
		{"a host", "www.youtube.com", "", "youtube"},
		{"an address", "https://youtube.com/", "", "youtube"},
		{"an unknown host", "bloofle.com", "", "bloofle.com"},
		{"an unknown address", "https://bloofle.com/", "", "https://bloofle.com/"},
		{"an unknown name", "bloofle", "", "bloofle"},
		{"an unknown name in Russian", "блуфл", "", "блуфл"},
		{"a known place as the target", "", "youtube.com", "youtube"},
		{"an unknown place as the target", "", "bloofle.com", "bloofle.com"},
		{"a target beside a platform", "bing", "bloofle.com", "bing"},
		{"no place: the default one", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := normalizeGoals([]plan.Goal{{GoalType: plan.BrowserSearch, Platform: tt.platform, Target: tt.target, Query: "cats"}}, c)
			if got[0].Platform != tt.want {
				t.Errorf("platform %q, want %q", got[0].Platform, tt.want)
			}
		})
	}
}
