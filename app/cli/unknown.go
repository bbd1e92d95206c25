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

// resolveUnknown calls do, asks about steps with an unknown outcome, and calls do
// again with the answers. Without a terminal or an answer the report says how to
// answer later. Each step is asked about once. do gets the draft of the attempt
// before, at first none.
func (s *shell) resolveUnknown(ctx context.Context, app *app.App, do func(*drafts.View) (runs.Report, error)) (runs.Report, error) {
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

// askUnknown asks whether steps with an unknown outcome were done. Any other answer
// than done or not-done leaves a step unknown.
func (s *shell) askUnknown(ctx context.Context, report runs.Report, asked map[string]bool) (map[string]string, error) {
	answers := map[string]string{}
	for _, step := range report.Steps {
		if step.ErrorCode != trace.CodeOutcomeUnknown || asked[step.StepID] {
			continue
		}
		asked[step.StepID] = true
		s.Say("%s  %s: outcome unknown", step.StepID, step.ToolName)
		for _, name := range slices.Sorted(maps.Keys(step.Args)) {
			s.Say("      %s: %s", name, print.Argument(step.Args[name]))
		}
		line, err := s.ReadLine(ctx, "was it done? [done/not-done/N] ")
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
