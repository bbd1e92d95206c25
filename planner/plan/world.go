package plan

import (
	"slices"
)

// World is a frozen snapshot of what is known to hold (GoalPlanner contract,
// section 3.2). Planning reads it and never changes it; only the executor
// makes a new one, after it has acted.
type World struct {
	BrowserRunning bool     `json:"browser_running"`
	BrowserLastURL string   `json:"browser_last_url"`
	ActiveWindow   string   `json:"active_window"` // catalogue id of the app in front
	RunningApps    []string `json:"running_apps"`  // catalogue ids
	RecentFacts    []string `json:"recent_facts"`  // facts as they are written, such as "exists:/home/ann/Reports"
}

// Facts spells the world as plain facts: browser_running, app_running:<id>,
// window_active:<id>, and the recent facts as written; sorted, without
// repetition.
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

// Capability is what the planner may know of a tool (GoalPlanner contract,
// section 3.3). It is derived from the tool registry before planning; a
// planner never discovers tools.
type Capability struct {
	Name       string   `json:"name"`
	CanAchieve []string `json:"can_achieve"`
	Requires   []string `json:"requires"` // facts, "!fact" where a fact must not hold
	Effects    []string `json:"effects"`  // facts, "!fact" where a fact ends

	// Params names the arguments that the tool takes, from its args_schema; nil
	// means unknown, and the planner then uses the arguments of the goal's type.
	Params []string `json:"params,omitempty"`
	// ReadOnly and RiskLevel are copied into the actions that use the tool.
	ReadOnly  bool      `json:"read_only,omitempty"`
	RiskLevel RiskLevel `json:"risk_level,omitempty"`
}

// Problem is planning without words: facts that hold, facts that shall hold
// ("!fact": shall not), and the tools to get there. A tool supplies its
// effects; can_achieve only informs.
type Problem struct {
	World        []string     `json:"world"`
	Goal         []string     `json:"goal"`
	Capabilities []Capability `json:"capabilities"`
}
