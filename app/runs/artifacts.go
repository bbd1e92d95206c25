package runs

import (
	"slices"
	"strings"

	"errand/app/answers"
	"errand/host/tool"
	"errand/planner/message"
)

// ShownArtifacts are the artifacts to be shown beside the answer, each once: none that
// the answer names, and none of the pictures that opening a page takes along where
// another step made something of the page.
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

// containsText reports whether a text in a message has a part.
func containsText(m message.Message, part string) bool {
	found := false
	m.MapText(func(text string) string {
		found = found || strings.Contains(text, part)
		return text
	})
	return found
}
