package recordcmd

import (
	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
)

func (s commands) replayCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "replay",
		Args:              print.OneArg("cli.want_run_or_file", "cli.see_runs"),
		ValidArgsFunction: s.CompleteRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, id, err := s.OpenAndResolve(cmd.Context(), args[0], shell.ResolveRun, app.Options{})
			if err != nil {
				return err
			}
			r, err := app.Replay(cmd.Context(), id)
			if err != nil {
				return err
			}
			if !r.Same {
				s.Code = print.Failed
			}
			if s.JSON {
				s.Document(r)
				return nil
			}
			s.PrintReplay(r)
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}
