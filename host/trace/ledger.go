package trace

import (
	"cmp"

	"errand/host/tool"
	"errand/planner/message"
)

// This file has the rules of the ledger for implementations of [Log]: how a step
// changes the claim of its key, and which step a record shows for a claim without
// one.

// AfterStep returns the claim after a step with its key was appended, and whether the
// step changed it.
//
// Committed is final: any step may report that the effect has happened, and none
// can revoke it. Only the call that owns the claim may report another state, so a
// step that was refused before its claim leaves another call's unknown outcome
// unchanged. If the owner's step reports no state, its claim becomes unknown.
func (c Claim) AfterStep(step Step, owns bool) (Claim, bool) {
	recorded := Claim{Key: c.Key, Effect: step.Effect, Step: step, Recorded: true}
	switch {
	case c.Effect == tool.Committed:
		recorded.Effect = tool.Committed
		if owns && !c.Recorded { // the claim was decided before; this step records it
			return recorded, true
		}
	case step.Effect == tool.Committed:
		return recorded, true
	case c.Effect == tool.Pending && owns:
		if step.Effect != tool.Released {
			recorded.Effect = tool.Unknown
		}
		return recorded, true
	case c.Effect == tool.Unknown && owns && step.Effect == tool.Unknown:
		return recorded, true
	}
	return c, false
}

// UnsettledStep returns the step that a record shows for a claim without a step in its
// run. It is under way while the claim is pending, else interrupted. Its Effect is
// the current state.
func UnsettledStep(c Claim) Step {
	s := c.Step.WithDefaults()
	s.EffectKey, s.Effect = c.Key, c.Effect
	if c.Effect == tool.Pending {
		s.Status = Running
		return s
	}
	s.Status, s.ErrorCode = Interrupted, CodeOutcomeUnknown
	switch c.Effect {
	case tool.Committed, tool.Released:
		s.ErrorCode = "interrupted"
		s.Error = tool.NewError(tool.ExecutionError, s.ErrorCode,
			message.New("record.outcome_found", "tool", s.ToolName, "state", c.Effect))
	default:
		s.Error = tool.NewError(tool.ExecutionError, s.ErrorCode,
			message.New("record.outcome_unknown", "tool", s.ToolName)).
			WithHint(message.New("record.settle_effect", "run_id", cmp.Or(s.RunID, "RUN"), "step_id", s.StepID))
	}
	return s
}
