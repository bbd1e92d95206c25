package notebook

import (
	"encoding/json"
	"errors"

	"errand/app/planning"
	"errand/app/secrets"
	"errand/planner/message"
	"errand/planner/plan"
)

// PlanRecord has the request and its plan for the record.
type PlanRecord struct {
	clean            secrets.Cleaner
	ofInterpretation *planning.Interpretation
	ofResult         *plan.Result

	Goal                   string
	Interpretation, Result json.RawMessage
}

// Update removes secrets from the request and the plan: once, unless they or the known secrets
// change.
func (p *PlanRecord) Update(clean secrets.Cleaner, words string, in *planning.Interpretation, result *plan.Result) error {
	if p.Interpretation != nil && p.clean.Equal(clean) && p.ofInterpretation == in && p.ofResult == result {
		return nil
	}
	*p = PlanRecord{clean: clean, ofInterpretation: in, ofResult: result, Goal: clean.Text(words)}
	var err1, err2 error
	p.Interpretation, err1 = clean.JSON(in)
	p.Result, err2 = clean.JSON(result)
	if err := errors.Join(err1, err2); err != nil {
		*p = PlanRecord{}
		return message.Error("runs.write_record", "cause", err)
	}
	return nil
}
