package planning

import (
	"slices"
	"testing"
	"time"

	"errand/host/trace"
)

func TestSuggest(t *testing.T) {
	day := 24 * time.Hour
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	run := func(goal string, ago time.Duration) trace.Run { return trace.Run{Goal: goal, StartedAt: now.Add(-ago)} }
	past := gather([]trace.Run{ // the newest first, as the record lists them
		run("Open GitHub", time.Hour),
		run("search wikipedia for alan turing", 2*day),
		run("open youtube and search nvidia", 3*day),
		run("open  youtube and search nvidia", 4*day),
		run("open youtube and search nvidia", 5*day),
		run("open github", 90*day),
		run("open reddit", 80*day),
		run("undo 01ABC: open reddit", day),
		run("search google for [redacted:password:1f4c]", day),
		run("  ", day),
	}, now)
	tests := []struct {
		typed string
		want  []string
	}{
		{"", []string{"open youtube and search nvidia", "Open GitHub", "search wikipedia for alan turing", "open reddit"}},
		{"open", []string{"open youtube and search nvidia", "Open GitHub", "open reddit"}},
		{"OPEN g", []string{"Open GitHub"}},
		{"nvidia you", []string{"open youtube and search nvidia"}},
		{"turing", []string{"search wikipedia for alan turing"}},
		{"opngithb", []string{"Open GitHub"}},
		{"ogh", nil}, // three letters are in everything
		{"delete", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, u := range rank(slices.Clone(past), tt.typed) {
			got = append(got, u.Text)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.typed, got, tt.want)
		}
	}
	if i := slices.IndexFunc(past, func(u goalUse) bool { return u.Text == "open youtube and search nvidia" }); past[i].Uses != 3 {
		t.Errorf("uses %d: spelling and space are not another goal", past[i].Uses)
	}
}
