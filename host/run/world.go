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
	w.RecentFacts = latestFacts(append(w.RecentFacts, result.Facts...), len(w.RecentFacts))
	return w
}

// latestFacts returns the facts without those that a later one repeats or ends. Only the
// facts from index added on replace others. It changes the slice, in linear time.
func latestFacts(facts []string, added int) []string {
	replaced, count := map[string]bool{}, len(facts)
	for i, fact := range slices.Backward(facts) {
		name := strings.TrimPrefix(fact, "!")
		if i >= added && name == "" || replaced[name] {
			continue
		}
		if i >= added {
			replaced[name] = true
		}
		count--
		facts[count] = fact
	}
	return facts[count:]
}
