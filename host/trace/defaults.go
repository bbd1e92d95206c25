package trace

import "errand/host/tool"

// WithDefaults returns s as a [Log] keeps it: lists and arguments that are
// empty rather than nil, so that the JSON has [] and {}, and the time in UTC
// without a monotonic clock.
func (s Step) WithDefaults() Step {
	if s.Artifacts == nil {
		s.Artifacts = []tool.Artifact{}
	}
	if s.PolicyFlags == nil {
		s.PolicyFlags = []string{}
	}
	if s.Args == nil {
		s.Args = map[string]any{}
	}
	s.StartedAt = s.StartedAt.Round(0).UTC()
	return s
}

// Unsettled is the step that a record shows for an intent without an outcome:
// under way while its run is, else interrupted with an outcome that nobody
// knows.
func Unsettled(intent Step, running bool) Step {
	intent = intent.WithDefaults()
	if running {
		intent.Status = Running
		return intent
	}
	intent.Status, intent.ErrorCode = Interrupted, CodeOutcomeUnknown
	intent.Error = tool.Errorf(tool.ExecutionError, CodeOutcomeUnknown,
		"%s was called and the program ended before it was known what came of it", intent.ToolName).
		WithHint("look whether the effect is there before running the goal again")
	return intent
}
