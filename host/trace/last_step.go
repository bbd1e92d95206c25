package trace

import "slices"

// LastDone returns the last completed step of each action, in their order. A later
// attempt that was skipped or refused does not change that.
func LastDone(steps []Step) []Step {
	var out []Step
	for i, step := range steps {
		repeated := slices.ContainsFunc(steps[i+1:], func(later Step) bool {
			return later.StepID == step.StepID && later.Status == Done
		})
		if step.Status == Done && !repeated {
			out = append(out, step)
		}
	}
	return out
}
