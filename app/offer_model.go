package app

import (
	"context"

	"errand/app/runs"
	"errand/planner/message"
)

// Start is [runs.Runs.Start]. Where the rules don't understand a goal, and the user has set up the
// model-driven agent, the report's hint has the command that asks a language model. Nothing is sent.
func (a *App) Start(ctx context.Context, r runs.Request) (runs.Report, error) {
	report, err := a.Runs.Start(ctx, r)
	in := report.Interpretation
	if err != nil || report.Error == nil || r.Words == "" || !a.conf.Agent.Internal.Enabled ||
		in == nil || !a.ModelAgent.MayAsk(*in, r.Words) {
		return report, err
	}
	offer := message.New("runs.ask_model", "words", r.Words)
	if hint := report.Error.Hint; !hint.IsZero() {
		offer = message.New("message.lines", "lines", []message.Message{hint, offer})
	}
	report.Error = report.Error.WithHint(offer)
	return report, nil
}
