package runs

import (
	"slices"
	"strings"

	"errand/app/answers"
	"errand/host/tool"
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
			case a.Path != "" && strings.Contains(r.Answer, a.Path):
			case a.Path != "" && slices.ContainsFunc(all, func(b tool.Artifact) bool { return b.Path == a.Path }):
			default:
				all = append(all, a)
			}
		}
	}
	return all
}
