package drafts

import (
	"slices"

	"errand/app/answers"
	"errand/host/run"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// ActionsOf shows what a plan would do: every action with its preview, decision and
// forecast.
func ActionsOf(p plan.Plan, verdicts []run.Verdict) []Action {
	language := p.Content().Language
	out := make([]Action, 0, p.Len())
	for i, a := range p.Actions() {
		v := verdicts[i]
		d := Action{
			ActionID: a.ActionID, Tool: a.Tool, Args: a.Args, Preview: message.Verbatim(answers.SummarizeCall(language, a.Tool, a.Args)),
			RiskLevel: a.RiskLevel, ReadOnly: v.Class() == tool.Read, DependsOn: a.DependsOn, Status: ActionProposed, Error: v.Error,
			Verdict: v.Decision.Verdict, Reason: v.Decision.Reason, Flags: v.Decision.Flags, Reversible: v.Spec.Reversible,
		}
		if f := v.Forecast; f != nil {
			d.Destroys, d.Count, d.Reversible, d.Note, d.Identity = f.Destroys, f.Count, f.Reversible, f.Note, f.Identity
		}
		if d.Note.IsZero() && !a.Preview.Equal(d.Preview) { // what the proposer says of it is no more than a note
			d.Note = a.Preview
		}
		out = append(out, d)
	}
	return out
}

// CountToConfirm is how many things the remaining actions would change, where there
// are so many that the user has to confirm the number; else 0.
func CountToConfirm(actions []Action, left []string) int {
	count := 0
	for _, a := range actions {
		if !a.ReadOnly && slices.Contains(left, a.ActionID) {
			count += max(1, a.Count)
		}
	}
	if count < plan.BulkFrom {
		return 0
	}
	return count
}
