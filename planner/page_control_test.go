package planner

import (
	"fmt"
	"testing"

	"errand/planner/message"
	"errand/planner/plan"
)

// TestPageControl plans goals about the open page: in the order of the words, each as often as it
// is said, and only if a page is open or opened before.
func TestPageControl(t *testing.T) {
	control := func(action, object, value string, n int) plan.Goal {
		return plan.Goal{GoalType: plan.PageControl, Action: action, ObjectType: object, Value: value, Limit: n}
	}
	tools := []plan.Capability{
		{Name: "browser.scroll", CanAchieve: []string{plan.ScrollPage}, Requires: []string{plan.PageOpen}, Params: []string{"to", "by"}, ReadOnly: true},
		{Name: "browser.back", CanAchieve: []string{plan.BackPage}, Requires: []string{plan.PageOpen}, Params: []string{"times"}, ReadOnly: true},
	}
	down, back, github := control("scroll", "page", "down", 2), control("back", "page", "", 3), visit("github")
	for name, tt := range map[string]struct {
		goals  []plan.Goal
		open   bool
		status plan.Status
		want   string
	}{
		"no page":             {[]plan.Goal{down}, false, plan.Blocked, "[]"},
		"a lost window":       {[]plan.Goal{down}, false, plan.Blocked, "[]"},
		"before the page":     {[]plan.Goal{down, github}, false, plan.Blocked, "[]"},
		"an open page":        {[]plan.Goal{down}, true, plan.Success, "[map[by:1.8]]"},
		"twice":               {[]plan.Goal{down, down}, true, plan.Success, "[map[by:1.8] map[by:1.8]]"},
		"after opening":       {[]plan.Goal{github, back}, false, plan.Success, "[map[app_name:chrome url:https://github.com/] map[times:3]]"},
		"a page opened again": {[]plan.Goal{github, back, github}, false, plan.Success, "[map[app_name:chrome url:https://github.com/] map[times:3] map[app_name:chrome url:https://github.com/]]"},
	} {
		t.Run(name, func(t *testing.T) {
			r := request(tt.goals...)
			r.Capabilities = append(r.Capabilities, tools...)
			lost := name == "a lost window"
			if lost {
				r.World.RecentFacts = append(r.World.RecentFacts, plan.WindowLost)
			}
			if tt.open {
				r.World.RecentFacts = append(r.World.RecentFacts, plan.PageOpen)
			}
			got := planFor(t, r)
			args := []map[string]any{}
			if p, ok := got.Plan(); ok {
				for _, a := range p.Actions() {
					args = append(args, a.Args)
				}
			}
			if got.Status() == plan.Blocked {
				if want := message.New("reason.open_page_first", "lost", lost); !got.Reason().Equal(want) {
					t.Errorf("the reason is %v, want %v", got.Reason(), want)
				}
			}
			if s := fmt.Sprint(args); got.Status() != tt.status || s != tt.want {
				t.Errorf("%s %s, want %s %s", got.Status(), s, tt.status, tt.want)
			}
		})
	}
}
