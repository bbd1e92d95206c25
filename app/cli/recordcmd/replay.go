package recordcmd

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
)

func (s commands) replayCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:               "replay",
		Args:              print.OneArg("cli.want_run_or_file", "cli.see_runs"),
		ValidArgsFunction: s.CompleteRuns,
		RunE: s.WithID(shell.ResolveRun, func(ctx context.Context, app *app.App, id string, rest []string) error {
			r, err := app.Replay(ctx, id)
			if err != nil {
				return err
			}
			if !r.IsSame {
				s.Code = print.Failed
			}
			return s.Show(r, func() { s.PrintReplay(r) })
		}),
	})
}
