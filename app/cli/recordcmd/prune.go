package recordcmd

import (
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s commands) pruneCommand() *cobra.Command {
	var days int
	var dryRun bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "prune",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("older-than") {
				days = app.Config().Store.RetentionDays
				if days == 0 {
					return print.BadUsage("cli.no_age_given").Hint("cli.no_age_given_hint")
				}
			}
			if days < 0 {
				return print.BadUsage("cli.negative", "flag", "--older-than", "number", days)
			}
			r, err := app.Prune(cmd.Context(), time.Duration(days)*24*time.Hour, dryRun)
			if err != nil {
				return err
			}
			return s.Show(r, func() {
				s.Print("cli.pruned", "dry_run", dryRun, "runs", r.Runs, "drafts", r.Drafts, "files", r.Artifacts, "size", r.Bytes)
			})
		},
	})
	c.Flags().IntVar(&days, "older-than", 0, "")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "")
	return c
}
