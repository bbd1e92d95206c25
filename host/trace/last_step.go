package trace

// LastDone returns the last completed step of each action, in their order. A later
// attempt that was skipped or refused does not change that.
func LastDone(steps []Step) []Step {
	last := make(map[string]int, len(steps))
	for i, step := range steps {
		if step.Status == Done {
			last[step.StepID] = i
		}
	}
	var out []Step
	for i, step := range steps {
		if step.Status == Done && last[step.StepID] == i {
			out = append(out, step)
		}
	}
	return out
}
