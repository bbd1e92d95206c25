package trace

import (
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
)

// HasPrefix reports whether the run id starts with the prefix that a user typed.
// The empty prefix matches no run, so that a missing id can't select the only run.
func HasPrefix(runID, typed string) bool {
	return typed != "" && len(runID) >= len(typed) && strings.EqualFold(runID[:len(typed)], typed)
}

// OnlyMatch returns the one run that matches what a user typed, or an error. It is for
// implementations of [Reader].
func OnlyMatch(typed string, found []string) (string, error) {
	for _, id := range found {
		if strings.EqualFold(id, typed) {
			return id, nil
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", tool.NewError(tool.ValidationError, CodeRunNotFound, message.New("record.run_not_found", "id", typed)).
			WithHint(message.New("record.list_runs"))
	}
	slices.Sort(found)
	shown := found[:min(len(found), 3)]
	return "", tool.NewError(tool.ValidationError, CodeRunAmbiguous,
		message.New("record.run_ambiguous", "count", len(found), "id", typed, "ids", shown)).
		WithHint(message.New("record.type_more"))
}

// RunNotBegun is the error of a [Log] for a step or an event of an unknown run.
func RunNotBegun(runID string) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodeRunNotBegun, message.New("record.run_not_begun", "run_id", runID))
}

// RunBegunTwice is the error of a [Log] for a run id that exists.
func RunBegunTwice(runID string) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodeRunBegunTwice, message.New("record.run_begun_twice", "run_id", runID))
}

// RunEnded is the error of a [Log] for a claim in a run that this program does not
// execute.
func RunEnded(runID string) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodeRunEnded, message.New("record.run_ended", "run_id", runID))
}

// RunUnderWay is the error of a [Log] for resuming a run that is under way.
func RunUnderWay(runID string) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodeRunUnderWay, message.New("record.run_under_way", "run_id", runID)).
		WithHint(message.New("record.wait_or_stop"))
}

// EffectUnderWay is the error of a [Log] for a key with a pending claim.
func EffectUnderWay(step Step) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodeEffectUnderWay, message.New("record.effect_under_way", "tool", step.ToolName, "key", step.EffectKey)).
		WithHint(message.New("record.wait"))
}

// EffectSettled is the error of a [Log] for a decision about an effect that is not
// unknown.
func EffectSettled(key string, is tool.EffectState) *tool.Error {
	m := message.New("record.effect_settled", "key", key, "state", is)
	if is == "" {
		m = message.New("record.no_effect", "key", key)
	}
	return tool.NewError(tool.ValidationError, CodeEffectSettled, m)
}

// EffectUnnamed is the error of a [Log] for a claim without a key.
func EffectUnnamed(step Step) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodeEffectUnnamed, message.New("record.effect_unnamed", "tool", step.ToolName))
}
