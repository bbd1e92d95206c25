package shell

import (
	"context"
	"maps"
	"slices"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/trace"
)

// ResolveUnknown calls do, asks about steps with an unknown outcome, and calls do
// again with the answers. Without a terminal or an answer the report says how to
// answer later. Each step is asked about once. do gets the draft of the attempt
// before, at first none.
func (s *Shell) ResolveUnknown(ctx context.Context, app *app.App, do func(*drafts.View) (runs.Report, error)) (runs.Report, error) {
	answered := map[string]bool{}
	var draft *drafts.View
	for {
		report, err := do(draft)
		if err != nil || !s.CanAsk || s.JSON {
			return report, err
		}
		answers, err := s.askUnknown(ctx, report, answered)
		if err != nil || len(answers) == 0 {
			return report, err
		}
		if _, err := app.Answer(ctx, report.RunID, answers, nil); err != nil {
			return report, err
		}
		draft = report.Draft
	}
}

// askUnknown asks whether steps with an unknown outcome were done. Any other answer
// than done or not-done leaves a step unknown.
func (s *Shell) askUnknown(ctx context.Context, report runs.Report, answered map[string]bool) (map[string]string, error) {
	answers := map[string]string{}
	for _, step := range report.Steps {
		if step.ErrorCode != trace.CodeOutcomeUnknown || answered[step.StepID] {
			continue
		}
		answered[step.StepID] = true
		s.Say("cli.outcome_unknown", "step", step.StepID, "tool", step.ToolName)
		for _, name := range slices.Sorted(maps.Keys(step.Args)) {
			s.Sayf("      %s: %s", name, print.Argument(step.Args[name]))
		}
		line, err := s.ReadLine(ctx, "cli.ask_outcome")
		if err != nil {
			return nil, err
		}
		switch {
		case s.Means(line, "cli.answer_done"):
			answers[step.StepID] = "done"
		case s.Means(line, "cli.answer_not_done"):
			answers[step.StepID] = "not-done"
		}
	}
	return answers, nil
}
