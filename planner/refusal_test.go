package planner

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/planner/plan"
	"errand/planner/verify"
)

func TestAmbiguous(t *testing.T) {
	tests := []struct {
		name string
		r    Request
		want string // part of the question
	}{
		{"no app", request(launch("")), "Which app"},
		{"S4-H25 no action", request(file("", "folder", "/a")), "What should I do with /a"},
		{"S4-H24 file or folder", request(file("create", "", "/srv/v1.2")), "Is /srv/v1.2 a file or a folder"},
		{"no path", request(file("create", "file", "")), "Which file or folder do you mean"},
		{"no question", request(ask("")), "What would you like to know"},
		{"both ways", request(file("create", "file", "/a.txt"), file("delete", "file", "/a.txt")), "Should I create or delete /a.txt"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := planner.Plan(tt.r)
			var ambiguous *plan.AmbiguousError
			if !errors.As(err, &ambiguous) || len(ambiguous.Questions) != 1 || !strings.Contains(i18n.English().Text(ambiguous.Questions[0].Question), tt.want) {
				t.Errorf("error = %v, want a question about %q", err, tt.want)
			}
		})
	}
}

func TestMalformedRequests(t *testing.T) {
	circle, stranger := request(), request()
	circle.Goals = numbered(needs{"g1": {"g2"}, "g2": {"g1"}}, launch("notepad"), ask("time"))
	stranger.Goals = numbered(needs{"g1": {"g7"}}, ask("time"))
	other := queryTool
	other.ReadOnly = false
	tests := []struct {
		name string
		r    Request
		want string
	}{
		{"no goal", request(), "there are no goals"},
		{"cycle", circle, "in a cycle"},
		{"unknown dependency", stranger, `"g7"`},
		{"two definitions", withTools(request(ask("time")), queryTool, other), `"system.query" is defined twice`},
		{"bad name", withTools(request(ask("time")), plan.Capability{Name: "a b"}), `"a b"`},
		{"bad fact", withTools(request(ask("time")), plan.Capability{Name: "a", Effects: []string{"!"}}), `"!" is not a fact`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := planner.Plan(tt.r); err == nil || !strings.Contains(i18n.English().Error(err), tt.want) {
				t.Errorf("error = %v, want %q in it", err, tt.want)
			}
		})
	}
}

// FuzzPlan: whatever the goals say, planning ends, twice alike, and a plan keeps
// its promises.
func FuzzPlan(f *testing.F) {
	f.Add(uint8(0), "youtube", "nvidia", uint8(1), "", "~/a.txt")
	f.Add(uint8(3), "create", "folder", uint8(3), "rm", "/a/../b")
	f.Add(uint8(2), "Chrome ", "", uint8(4), "time", "time")
	f.Add(uint8(1), "", "http://[::1", uint8(0), "x", "a\x00b")
	f.Fuzz(func(t *testing.T, k1 uint8, a1, b1 string, k2 uint8, a2, b2 string) {
		types := plan.GoalTypes()
		r := request(
			plan.Goal{GoalType: types[int(k1)%len(types)], Platform: a1, Query: b1, Target: b1, Action: a1},
			plan.Goal{GoalType: types[int(k2)%len(types)], Platform: a2, Query: b2, Target: b2, Action: a2, ObjectType: "file"},
		)
		got, err := planner.Plan(r)
		again, errAgain := planner.Plan(r)
		if err != nil || errAgain != nil {
			var ambiguous *plan.AmbiguousError
			if !errors.As(err, &ambiguous) || len(ambiguous.Questions) == 0 || !errors.As(errAgain, &ambiguous) {
				t.Fatalf("errors %v and %v, want questions or none", err, errAgain)
			}
			return
		}
		if marshal(t, got) != marshal(t, again) {
			t.Error("the same request has two answers")
		}
		if p, ok := got.Plan(); ok && p.Len() > 2 {
			t.Errorf("%d actions for two goals: %v", p.Len(), brief(got))
		}
		for _, fault := range verify.CheckPlan(r.Capabilities, r.World, got) {
			t.Error(fault)
		}
	})
}

func TestUnmetAndReason(t *testing.T) {
	tests := []struct {
		name   string
		r      Request
		unmet  []string
		reason string
	}{
		{
			"missing effect and nearest tool", withTools(request(ask("time")), plan.Capability{Name: "clock.time", CanAchieve: []string{"alarm"}}, launchTool),
			[]string{"time_known"},
			"Not supported: no tool here can do this. The nearest tool is clock.time.",
		},
		{
			"the fact that would unblock", withTools(request(visit("github")), openTool),
			[]string{"page_open"},
			"No tool can provide what this needs.",
		},
		{
			"the folder must be named", request(file("create", "folder", "notes")),
			[]string{"folder_created"},
			`I don't know which folder "notes" is in. Give a path that begins with / or ~/.`,
		},
		{
			"what is left of a partial plan", withTools(request(ask("time"), search("youtube", "a")), launchTool),
			[]string{"time_known"},
			"Not supported: no tool here can do this.",
		},
		{
			"no query", request(search("youtube", "")),
			[]string{"youtube_search_visible"},
			"No search query provided: say what to search for.",
		},
		{
			"a path that is no text", request(file("create", "folder", "/srv/\xff")),
			[]string{"file_operation"},
			"A name or text in the goal is not valid UTF-8, or contains a NUL.",
		},
		{
			"a NUL in a path", request(ask("time"), file("delete", "file", "/srv/a\x00.txt")),
			[]string{"file_operation"},
			"A name or text in the goal is not valid UTF-8, or contains a NUL.",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := planFor(t, tt.r)
			if diff := cmp.Diff(tt.unmet, got.Unmet()); diff != "" {
				t.Errorf("unmet (-want +got):\n%s", diff)
			}
			if reason := i18n.English().Text(got.Reason()); reason != tt.reason {
				t.Errorf("reason = %q, want %q", reason, tt.reason)
			}
		})
	}
}
