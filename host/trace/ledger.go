package trace

import (
	"cmp"

	"errand/host/tool"
)

// This file has the rules of the ledger, for implementations of [Log]: what a
// step says of the claim of its key, and what a record shows of a claim that no
// step tells of.

// After is the claim once a step of its key was appended, and whether that
// changed it.
//
// Committed is final: nothing takes back that an effect is there, and whoever
// says that it is there is believed. Anything less is for the call that holds
// the claim to say, so that a step which was refused before it could claim
// leaves another call's unknown outcome as it is. A step that says nothing
// leaves its own claim unknown.
func (c Claim) After(step Step, owns bool) (Claim, bool) {
	recorded := Claim{Key: c.Key, Effect: step.Effect, Step: step, Recorded: true}
	switch {
	case c.Effect == tool.Committed:
		recorded.Effect = tool.Committed
		if owns && !c.Recorded { // somebody had decided it; this step tells of it
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

// Unsettled is the step that a record shows for a claim that no step of its run
// tells of: under way while it is pending, else interrupted. Its Effect says
// what is known by now.
func Unsettled(c Claim) Step {
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
		known := "its effect is there"
		if c.Effect == tool.Released {
			known = "it had no effect"
		}
		s.Error = tool.Errorf(tool.ExecutionError, s.ErrorCode,
			"%s was called and nobody saw its end; it was found since that %s", s.ToolName, known)
	default:
		s.Error = tool.Errorf(tool.ExecutionError, s.ErrorCode,
			"%s was called and the program ended before it was known what came of it", s.ToolName).
			WithHint("look whether the effect is there, then say so: errand answer %s %s=done, or =not-done", cmp.Or(s.RunID, "RUN"), s.StepID)
	}
	return s
}
