package plan_test

import (
	"fmt"
	"testing"

	"errand/planner/plan"
)

func TestRateLimitRisks(t *testing.T) {
	opens := func(n int, format string) (out []plan.Action) {
		for i := range n {
			out = append(out, plan.Action{Args: map[string]any{"url": fmt.Sprintf(format, i)}})
		}
		return out
	}
	tests := []struct {
		name    string
		actions []plan.Action
		want    int // risks
	}{
		{"none", nil, 0},
		{"fewer", opens(9, "https://example.org/%d"), 0},
		{"one site", opens(10, "https://example.org/%d"), 1},
		{"with and without www", append(opens(5, "https://example.org/%d"), opens(5, "https://WWW.example.org/%d")...), 1},
		{"many sites", opens(20, "https://site%d.example/"), 0},
		{"two sites", append(opens(10, "https://example.org/%d"), opens(11, "https://example.com/%d")...), 2},
		{"files", opens(20, "/home/ann/%d"), 0},
		{"no addresses", make([]plan.Action, 20), 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := plan.RateLimitRisks(tc.actions)
			if len(got) != tc.want {
				t.Fatalf("got %v, want %d", got, tc.want)
			}
			for _, r := range got {
				if r.Kind != plan.RateLimitRisk {
					t.Errorf("kind %s", r.Kind)
				}
			}
		})
	}
}
