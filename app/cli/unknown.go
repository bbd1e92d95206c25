package cli

import (
	"context"
	"maps"
	"slices"
	"strings"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/trace"
)

// seenThrough carries something out, asks a person about the steps of which
// nobody saw the end, and goes on with what they know. Where nobody sits, or
// they can't tell, the report says how to say it later. Each step is asked about
// once. do gets the draft that the stretch before left behind, at first none.
func (s *shell) seenThrough(ctx context.Context, app *app.App, do func(*drafts.View) (runs.Report, error)) (runs.Report, error) {
	asked := map[string]bool{}
	var left *drafts.View
	for {
		report, err := do(left)
		if err != nil || !s.CanAsk || s.JSON {
			return report, err
		}
		answers, err := s.askUnknown(ctx, report, asked)
		if err != nil || len(answers) == 0 {
			return report, err
		}
		if _, err := app.Answer(ctx, report.RunID, answers); err != nil {
			return report, err
		}
		left = report.Draft
	}
}

// askUnknown asks whether the steps of unknown outcome were done. What is
// neither a yes nor a no leaves a step as it is.
func (s *shell) askUnknown(ctx context.Context, report runs.Report, asked map[string]bool) (map[string]string, error) {
	answers := map[string]string{}
	for _, step := range report.Steps {
		if step.ErrorCode != trace.CodeOutcomeUnknown || asked[step.StepID] {
			continue
		}
		asked[step.StepID] = true
		s.Say("%s  %s was begun, and nobody saw what came of it", step.StepID, step.ToolName)
		for _, name := range slices.Sorted(maps.Keys(step.Args)) {
			s.Say("      %s: %s", name, print.Argument(step.Args[name]))
		}
		line, err := s.ReadLine(ctx, "look whether the effect is there: was it done? [done/not-done/N] ")
		if err != nil {
			return nil, err
		}
		switch said := strings.ToLower(line); said {
		case "done", "not-done":
			answers[step.StepID] = said
		}
	}
	return answers, nil
}
