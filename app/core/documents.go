package core

import (
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// Verdict is what policy says of one action of a plan, before anything runs.
type Verdict struct {
	ActionID string          `json:"action_id"`
	Tool     string          `json:"tool"`
	Decision policy.Decision `json:"decision"`
	Error    *tool.Error     `json:"error,omitempty"`    // the call is not valid at all
	Forecast *tool.Forecast  `json:"forecast,omitempty"` // what it would do, where its tool can say so
}

// Report is how one run went: the document of `run --json`, `demo --json` and
// `show --json`.
type Report struct {
	RunID          string          `json:"run_id"`
	Status         trace.Status    `json:"status"`
	Interpretation *Interpretation `json:"interpretation"`
	Result         *plan.Result    `json:"result"`
	Verdicts       []Verdict       `json:"verdicts,omitempty"`
	Steps          []trace.Step    `json:"steps"`
	Answer         string          `json:"answer"`
	Confirm        int             `json:"confirm,omitempty"` // of a rehearsal: the count that will have to be confirmed

	StopReason trace.StopReason `json:"stop_reason,omitempty"`
	DraftID    string           `json:"draft_id,omitempty"` // that it waits for, or was carried out under
	Draft      *DraftView       `json:"draft,omitempty"`    // the draft, where one waits
	Applied    []string         `json:"applied,omitempty"`  // actions of the draft that are done
	Failed     []FailedAction   `json:"failed,omitempty"`   // those that are not, though they were approved

	// NetworkPolicy is "not enforced" where pages were opened in the person's own
	// browser. Empty: it was.
	NetworkPolicy string `json:"network_policy,omitempty"`

	Error *tool.Error `json:"error,omitempty"`
	Demo  *DemoHosts  `json:"demo,omitempty"`
}

// NeedsPerson says of a failure that it is for a person at the browser's window:
// a page wants to see one, or wants a yes, before it shows what was asked for.
func NeedsPerson(e *tool.Error) bool {
	return e != nil && (e.Code == page.CodeChallenge || e.Code == page.CodeConsent)
}

// DemoHosts is the exception that the demo makes and prints: which names stand
// for which loopback addresses.
type DemoHosts struct {
	Hosts map[string]string `json:"hosts"`
}
