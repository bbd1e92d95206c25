package app

import (
	"context"
	"os"
	"slices"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// lastArtifact is what a step of a run lastArtifact and the record keeps, with its data: the
// last artifact of several. A run that is under way is on record up to the step
// before this one.
func (a *App) lastArtifact(ctx context.Context, runID, callID string) (tool.Artifact, error) {
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
		return tool.Artifact{}, tool.NewError(tool.ValidationError, "nothing_made", message.New("app.nothing_made", "step", callID))
	}
	artifacts := rec.Steps[at].Artifacts
	made := artifacts[len(artifacts)-1]
	if made.Data, err = os.ReadFile(made.Path); err != nil {
		return made, tool.NewError(tool.ExecutionError, "artifact_lost", message.New("app.artifact_lost", "step", callID, "cause", err))
	}
	return made, nil
}
