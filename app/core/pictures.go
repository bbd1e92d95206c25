package core

import (
	"slices"
	"strings"

	"errand/app/runs"
	"errand/host/tool"
)

// ArtifactsOf are the artifacts to be shown beside the answer of a run, each once: none that
// the answer names, and none of the pictures that opening a page takes along where
// another step made something of the page.
func ArtifactsOf(r runs.Report) []tool.Artifact {
	var all []tool.Artifact
	made := false
	for _, s := range r.Steps {
		made = made || tells(s.ToolName) && len(s.Artifacts) > 0
	}
	for _, s := range r.Steps {
		for _, a := range s.Artifacts {
			switch {
			case made && !tells(s.ToolName):
			case a.Path != "" && strings.Contains(r.Answer, a.Path):
			case a.Path != "" && slices.ContainsFunc(all, func(b tool.Artifact) bool { return b.Path == a.Path }):
			default:
				all = append(all, a)
			}
		}
	}
	return all
}
