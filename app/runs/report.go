package runs

import (
	"errand/app/drafts"
	"errand/app/planning"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// Verdict is the policy decision about one action of a plan, under a name that faces may use.
type Verdict = run.Verdict

// Report is the result of a run: the document of `run --json`, `demo --json` and `show --json`.
type Report struct {
	RunID          string                   `json:"run_id"`
	Status         trace.Status             `json:"status"`
	Interpretation *planning.Interpretation `json:"interpretation"`
	Result         *plan.Result             `json:"result"`
	Verdicts       []Verdict                `json:"verdicts,omitempty"`
	Steps          []trace.Step             `json:"steps"`
	Answer         message.Message          `json:"answer"`
	Confirm        int                      `json:"confirm,omitempty"` // of a rehearsal: the count that will have to be confirmed

	StopReason trace.StopReason `json:"stop_reason,omitempty"`
	DraftID    string           `json:"draft_id,omitempty"` // that it waits for, or was applied under
	Draft      *drafts.View     `json:"draft,omitempty"`    // the draft, where one waits
	Applied    []string         `json:"applied,omitempty"`  // actions of the draft that are done
	Failed     []FailedAction   `json:"failed,omitempty"`   // those that are not, though they were approved
	Changes    []drafts.Change  `json:"changes,omitempty"`  // of the draft since the revision that was approved

	// NetworkPolicy is "not enforced" where pages were opened in the user's own
	// browser. Empty: it was.
	NetworkPolicy string `json:"network_policy,omitempty"`

	Error *tool.Error `json:"error,omitempty"`
	Demo  *DemoHosts  `json:"demo,omitempty"`

	forecasts []Verdict // on the actions of the plan, before the first call
}

// WithForecasts returns the report with the risks of its plan according to the forecasts of its
// calls. The digest of its plan differs from the one that an approval is bound to.
func (r Report) WithForecasts() Report {
	r.Result = drafts.ForecastResult(r.Result, r.forecasts)
	return r
}

// Outlook returns whether a stopped run can succeed in another attempt: the best outlook of the
// steps that failed.
func (r Report) Outlook() tool.Outlook {
	best, isFailed := tool.NeverSucceeds, false
	for _, s := range r.Steps {
		if s.Status == trace.Failed || s.Status == trace.Denied || s.Status == trace.Interrupted {
			best, isFailed = max(best, s.Error.Outlook()), true
		}
	}
	if !isFailed {
		return r.Error.Outlook()
	}
	return best
}

// FailedAction is an approved action that failed, with the reason.
type FailedAction struct {
	ActionID string          `json:"action_id"`
	Status   trace.Status    `json:"status"`
	Code     string          `json:"code"`
	Reason   message.Message `json:"reason,omitzero"`
}

// DemoHosts are the demo's exceptions from policy: the loopback addresses that names stand for.
type DemoHosts struct {
	Hosts map[string]string `json:"hosts"`
}
