package trace

import (
	"slices"
	"strings"

	"errand/host/tool"
)

// HasPrefix reports whether the run id starts with the prefix that a user typed.
// The empty prefix matches no run, so that a missing id can't select the only run.
func HasPrefix(runID, typed string) bool {
	return typed != "" && len(runID) >= len(typed) && strings.EqualFold(runID[:len(typed)], typed)
}

// Only returns the one run that matches what a user typed, or an error. It is for
// implementations of [Reader].
func Only(typed string, found []string) (string, error) {
	for _, id := range found {
		if strings.EqualFold(id, typed) {
			return id, nil
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", tool.Errorf(tool.ValidationError, CodeRunNotFound, "no run has the id %q", typed).
			WithHint("errand runs lists what is recorded")
	}
	slices.Sort(found)
	shown := found[:min(len(found), 3)]
	return "", tool.Errorf(tool.ValidationError, CodeRunAmbiguous,
		"%d runs begin with %q, such as %s", len(found), typed, strings.Join(shown, " and ")).
		WithHint("type more of the id")
}

// RunNotBegun is the error of a [Log] for a step or an event of an unknown run.
func RunNotBegun(runID string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeRunNotBegun, "record in run %q: it was not begun", runID)
}

// RunBegunTwice is the error of a [Log] for a run id that exists.
func RunBegunTwice(runID string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeRunBegunTwice, "begin run %q: a run of this id exists", runID)
}

// RunEnded is the error of a [Log] for a claim in a run that this program does not
// execute.
func RunEnded(runID string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeRunEnded, "call in run %q: it is not under way in this program", runID)
}

// RunUnderWay is the error of a [Log] for resuming a run that is under way.
func RunUnderWay(runID string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeRunUnderWay, "resume run %q: it is under way", runID).
		WithHint("wait until it has ended, or stop the program that carries it out")
}

// EffectUnderWay is the error of a [Log] for a key with a pending claim.
func EffectUnderWay(step Step) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeEffectUnderWay, "%s is being called for this already (%s)", step.ToolName, step.EffectKey).
		WithHint("wait until it has ended")
}

// EffectSettled is the error of a [Log] for a decision about an effect that is not
// unknown.
func EffectSettled(key string, is tool.EffectState) *tool.Error {
	known := "it is " + string(is)
	if is == "" {
		known = "there is none of this key"
	}
	return tool.Errorf(tool.ValidationError, CodeEffectSettled, "settle the effect %q: %s", key, known)
}

// EffectUnnamed is the error of a [Log] for a claim without a key.
func EffectUnnamed(step Step) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeEffectUnnamed, "claim the effect of %s: it has no key", step.ToolName)
}
