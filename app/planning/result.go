package planning

import (
	"encoding/json"

	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// ReadResult reads a recorded plan.Result. It refuses a plan whose words were
// redacted, because its plan_id is not that of the words any more.
func ReadResult(b json.RawMessage) (plan.Result, error) {
	var doc struct {
		Status plan.Status     `json:"status"`
		Plan   *plan.Plan      `json:"plan"`
		Reason message.Message `json:"reason"`
		Unmet  []string        `json:"unmet"`
		Proof  *plan.Proof     `json:"proof"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return plan.Result{}, message.Error("planning.read_recorded_result", "cause", err)
	}
	proof := plan.Proof{Kind: plan.Unproved}
	if doc.Proof != nil {
		proof = *doc.Proof
	}
	switch {
	case doc.Status == plan.Success && doc.Plan != nil:
		return plan.NewSuccess(*doc.Plan, proof), nil
	case doc.Status == plan.Partial && doc.Plan != nil:
		return plan.PartlySucceeded(*doc.Plan, doc.Reason, doc.Unmet, proof), nil
	case doc.Status == plan.AlreadySatisfied:
		return plan.NewSatisfied(doc.Reason), nil
	case doc.Status == plan.Blocked:
		return plan.BlockedBy(doc.Reason, doc.Unmet), nil
	case doc.Status == plan.NoCapability:
		return plan.Incapable(doc.Reason, doc.Unmet), nil
	}
	return plan.Result{}, message.Error("planning.no_recorded_plan", "status", doc.Status)
}

// ReadRedactedResult is [ReadResult] for a result whose words may have lost secrets: its
// plan has the id of the words as they are now. It is for looking at a plan and
// for making another one of it, never for carrying it out.
func ReadRedactedResult(b json.RawMessage) (plan.Result, error) {
	if r, err := ReadResult(b); err == nil {
		return r, nil
	}
	var doc, input map[string]json.RawMessage
	var fields struct {
		Origin   plan.Origin `json:"origin"`
		Language string      `json:"language"`
		Inputs   plan.Inputs `json:"inputs"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return plan.Result{}, message.Error("planning.read_recorded_result", "cause", err)
	}
	if json.Unmarshal(doc["plan"], &input) != nil || json.Unmarshal(doc["plan"], &fields) != nil || input == nil {
		return ReadResult(b)
	}
	var err error
	if input["plan_id"], err = json.Marshal(plan.ID(fields.Origin, fields.Inputs.RawText, fields.Language)); err == nil {
		if doc["plan"], err = json.Marshal(input); err == nil {
			b, err = json.Marshal(doc)
		}
	}
	if err != nil {
		return plan.Result{}, message.Error("planning.read_recorded_result", "cause", err)
	}
	return ReadResult(b)
}

// WithPlan is a result with another plan in it: one that a person changed is no
// longer proved to be the smallest.
func WithPlan(r *plan.Result, p plan.Plan) *plan.Result {
	changed := plan.NewSuccess(p, plan.Proof{Kind: plan.Unproved})
	if r != nil && r.Status() == plan.Partial {
		changed = plan.PartlySucceeded(p, r.Reason(), r.Unmet(), plan.Proof{Kind: plan.Unproved})
	}
	return &changed
}

// LanguageOf is the language that a run was understood in.
func LanguageOf(rec trace.Record) string {
	var in Interpretation
	if report := rec.Interpretation; len(report) > 0 {
		_ = json.Unmarshal(report, &in) // without one it is English
	}
	if in.Language == "" {
		return "en"
	}
	return in.Language
}
