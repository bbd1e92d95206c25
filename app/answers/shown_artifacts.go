package answers

import (
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// ShownArtifacts returns the artifacts to show of steps beside their answer, each once. It omits those that
// the answer names, and screenshots of opened pages of which another step made something.
func ShownArtifacts(answer message.Message, steps []trace.Step) []tool.Artifact {
	var all []tool.Artifact
	made := false
	for _, s := range steps {
		made = made || ShowsPage(s.ToolName) && len(s.Artifacts) > 0
	}
	for _, s := range steps {
		for _, a := range s.Artifacts {
			switch {
			case made && !ShowsPage(s.ToolName):
			case a.Path != "" && containsText(answer, a.Path):
			case a.Path != "" && slices.ContainsFunc(all, func(b tool.Artifact) bool { return b.Path == a.Path }):
			default:
				all = append(all, a)
			}
		}
	}
	return all
}

// containsText reports whether a text in a message contains part.
func containsText(m message.Message, part string) bool {
	found := false
	m.MapText(func(text string) string {
		found = found || strings.Contains(text, part)
		return text
	})
	return found
}
