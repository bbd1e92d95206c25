package run

import (
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/plan"
)

// Apply returns the world after a successful call; w does not change. A fact "!x"
// removes the fact x and remains until a later "x". The latest facts are last.
func Apply(w plan.World, result tool.Result) plan.World {
	w.RunningApps, w.RecentFacts = slices.Clone(w.RunningApps), slices.Clone(w.RecentFacts)
	if c := result.World; c != nil {
		if c.BrowserLastURL != "" {
			w.BrowserRunning, w.BrowserLastURL = true, c.BrowserLastURL
		}
		if c.AppStarted != "" && !slices.Contains(w.RunningApps, c.AppStarted) {
			w.RunningApps = append(w.RunningApps, c.AppStarted)
		}
	}
	for _, fact := range result.Facts {
		if fact == "" || fact == "!" {
			continue
		}
		opposite := "!" + fact
		if positive, negated := strings.CutPrefix(fact, "!"); negated {
			opposite = positive
		}
		w.RecentFacts = slices.DeleteFunc(w.RecentFacts, func(f string) bool { return f == fact || f == opposite })
		w.RecentFacts = append(w.RecentFacts, fact)
	}
	return w
}
