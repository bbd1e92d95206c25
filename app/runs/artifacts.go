package runs

import (
	"slices"
	"strings"

	"errand/app/answers"
	"errand/host/tool"
	"errand/planner/message"
)

// ShownArtifacts returns the artifacts to show beside the answer, each once. It omits those that
// the answer names, and screenshots of opened pages of which another step made something.
func (r Report) ShownArtifacts() []tool.Artifact {
	var all []tool.Artifact
	made := false
	for _, s := range r.Steps {
		made = made || answers.ShowsPage(s.ToolName) && len(s.Artifacts) > 0
	}
	for _, s := range r.Steps {
		for _, a := range s.Artifacts {
			switch {
			case made && !answers.ShowsPage(s.ToolName):
			case a.Path != "" && containsText(r.Answer, a.Path):
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
