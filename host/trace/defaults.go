package trace

import "errand/host/tool"

// WithDefaults returns s as a [Log] stores it. Nil lists and arguments become
// empty, so that JSON has [] and {}. The time is in UTC without a monotonic clock.
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
