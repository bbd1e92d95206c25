package trace

import (
	"slices"
	"strings"

	"errand/host/tool"
)

// HasPrefix reports whether the run id starts with what a person typed of it.
// The empty prefix fits no run: a forgotten id must not find the only one.
func HasPrefix(runID, typed string) bool {
	return typed != "" && len(runID) >= len(typed) && strings.EqualFold(runID[:len(typed)], typed)
}

// Only picks the one run that a person meant with typed from those that fit.
// It is for implementations of [Reader].
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

// RunNotBegun is a [Log]'s answer to a step or an event of an unknown run.
func RunNotBegun(runID string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeRunNotBegun, "record in run %q: it was not begun", runID)
}

// RunBegunTwice is a [Log]'s answer to a run id that is taken.
func RunBegunTwice(runID string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeRunBegunTwice, "begin run %q: a run of this id exists", runID)
}

// RunEnded is a [Log]'s answer to a claim in a run that the program does not
// carry out.
func RunEnded(runID string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeRunEnded, "call in run %q: it is not under way in this program", runID)
}

// RunUnderWay is a [Log]'s answer to the resumption of a run that goes on.
func RunUnderWay(runID string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeRunUnderWay, "resume run %q: it is under way", runID).
		WithHint("wait until it has ended, or stop the program that carries it out")
}

// EffectUnderWay is a [Log]'s answer to a claim of what is claimed already.
func EffectUnderWay(step Step) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeEffectUnderWay, "%s is being called for this already (%s)", step.ToolName, step.EffectKey).
		WithHint("wait until it has ended")
}

// EffectSettled is a [Log]'s answer to a decision about an effect that is not
// unknown.
func EffectSettled(key string, is tool.EffectState) *tool.Error {
	known := "it is " + string(is)
	if is == "" {
		known = "there is none of this key"
	}
	return tool.Errorf(tool.ValidationError, CodeEffectSettled, "settle the effect %q: %s", key, known)
}

// EffectUnnamed is a [Log]'s answer to a claim without a key.
func EffectUnnamed(step Step) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeEffectUnnamed, "claim the effect of %s: it has no key", step.ToolName)
}
