package app

import (
	"context"
	"os"
	"slices"

	"errand/host/tool"
	"errand/host/trace"
)

// made is what a step of a run made and the record keeps, with its data: the
// last artifact of several. A run that is under way is on record up to the step
// before this one.
func (a *App) made(ctx context.Context, runID, callID string) (tool.Artifact, error) {
	s, err := a.storage()
	if err != nil {
		return tool.Artifact{}, err
	}
	rec, err := s.Record(ctx, runID)
	if err != nil {
		return tool.Artifact{}, err
	}
	at := slices.IndexFunc(rec.Steps, func(s trace.Step) bool { return s.StepID == callID })
	if at < 0 || len(rec.Steps[at].Artifacts) == 0 {
		return tool.Artifact{}, tool.Errorf(tool.ValidationError, "nothing_made", "step %s made nothing that could be kept", callID)
	}
	artifacts := rec.Steps[at].Artifacts
	made := artifacts[len(artifacts)-1]
	if made.Data, err = os.ReadFile(made.Path); err != nil {
		return made, tool.Errorf(tool.ExecutionError, "artifact_lost", "what step %s made can't be read: %v", callID, err)
	}
	return made, nil
}
