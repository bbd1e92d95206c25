package trace

import "slices"

// LastDone are the steps of a record that were done, each action's last one, in
// the order in which they were. That a later attempt was skipped or refused
// takes nothing back.
func LastDone(steps []Step) []Step {
	var out []Step
	for i, step := range steps {
		again := slices.ContainsFunc(steps[i+1:], func(later Step) bool {
			return later.StepID == step.StepID && later.Status == Done
		})
		if step.Status == Done && !again {
			out = append(out, step)
		}
	}
	return out
}
