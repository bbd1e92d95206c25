package replay

import (
	"context"
	"slices"

	"errand/host/tool"
	"errand/host/trace"
)

// recordedClass is a tool of the record that told what its calls would come to
// by what was there then. It says again what the step says.
type recordedClass struct {
	tool.Tool
	t *tape
}

var _ tool.Classifier = recordedClass{}

// isClassified reports whether a tool told what a call of it would come to.
func (t *tape) isClassified(name string) bool {
	return slices.ContainsFunc(t.r.rec.Steps, func(s trace.Step) bool { return s.ToolName == name && s.EffectClass != "" })
}

// DeclaredEffect implements [tool.Classifier]. What the arguments alone said is not on
// record where the look said otherwise; the look is what counted.
func (c recordedClass) DeclaredEffect(call tool.Call) tool.Effect {
	if e := c.t.steps[call.ActionID].EffectClass; e != "" {
		return e
	}
	return c.Spec().Effect
}

// Classify implements [tool.Classifier]: also a look that failed fails again.
func (c recordedClass) Classify(_ context.Context, call tool.Call) (tool.Effect, error) {
	if s := c.t.steps[call.ActionID]; lookFailed(s) {
		return "", s.Error
	}
	return c.DeclaredEffect(call), nil
}

// lookFailed reports whether a step ended when its tool looked at what it would
// meet: it was let through, and nothing was called.
func lookFailed(s trace.Step) bool {
	return s.EffectClass != "" && s.Attempts == 0 && s.Status == trace.Failed && s.Error != nil
}
