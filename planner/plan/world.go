package plan

import "slices"

// World is an immutable snapshot of the facts that hold (GoalPlanner contract, section
// 3.2). Planning only reads it. The executor makes a new one after it has acted.
type World struct {
	BrowserRunning bool     `json:"browser_running"`
	BrowserLastURL string   `json:"browser_last_url"`
	ActiveWindow   string   `json:"active_window"` // catalogue id of the app in the foreground
	RunningApps    []string `json:"running_apps"`  // catalogue ids
	RecentFacts    []string `json:"recent_facts"`  // other facts, such as "exists:/home/ann/Reports"
}

// HasOpenPage reports whether a page is open.
func (w World) HasOpenPage() bool {
	return w.BrowserRunning && w.BrowserLastURL != "" || slices.Contains(w.RecentFacts, PageOpen)
}

// Facts returns the world as a list of facts: browser_running, app_running:<id>,
// window_active:<id> and the recent facts. The list is sorted and has no duplicates.
func (w World) Facts() []string {
	facts := slices.Clone(w.RecentFacts)
	if w.BrowserRunning {
		facts = append(facts, "browser_running")
	}
	for _, app := range w.RunningApps {
		facts = append(facts, "app_running:"+app)
	}
	if w.ActiveWindow != "" {
		facts = append(facts, "window_active:"+w.ActiveWindow)
	}
	slices.Sort(facts)
	return slices.Compact(facts)
}

// Capability is the planner's view of a tool (GoalPlanner contract, section 3.3). It is
// derived from the tool registry before planning; a planner never discovers tools.
type Capability struct {
	Name       string   `json:"name"`
	CanAchieve []string `json:"can_achieve"`
	Requires   []string `json:"requires"` // facts; "!fact" for a fact that must not hold
	Effects    []string `json:"effects"`  // facts; "!fact" for a fact that ends

	// Params names the tool's arguments, from its args_schema. If it is nil, the arguments
	// are unknown and the planner uses those of the goal's type.
	Params []string `json:"params,omitempty"`
	// ReadOnly and RiskLevel are copied into the actions that use the tool.
	ReadOnly  bool      `json:"read_only,omitempty"`
	RiskLevel RiskLevel `json:"risk_level,omitempty"`
	// Preference says which of the tools that can do the same is taken: only those of the
	// highest preference are candidates. It is 0 for the program's own tools, 1 for those of
	// a plugin that the user prefers, and -1 for those of any other installed plugin.
	Preference int `json:"preference,omitempty"`
}

// Problem is a planning problem in terms of facts: those that hold, those to reach
// ("!fact": to end) and the available tools. Planning uses the effects of a tool;
// can_achieve is only informative.
type Problem struct {
	World        []string     `json:"world"`
	Goal         []string     `json:"goal"`
	Capabilities []Capability `json:"capabilities"`
}
