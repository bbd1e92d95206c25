package cli

import (
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s recordCommands) pruneCommand() *cobra.Command {
	var days int
	var dryRun bool
	c := &cobra.Command{
		Use:   "prune",
		Short: "Delete old runs and their files",
		Args:  print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("older-than") {
				days = app.Config().Store.RetentionDays
				if days == 0 {
					return print.Usagef("nothing says how old is too old").Hint("give --older-than DAYS; [store] retention_days is 0, so nothing is forgotten by itself")
				}
			}
			if days < 0 {
				return print.Usagef("--older-than %d is negative", days)
			}
			r, err := app.Prune(cmd.Context(), time.Duration(days)*24*time.Hour, dryRun)
			if err != nil {
				return err
			}
			if s.JSON {
				s.Document(r)
				return nil
			}
			verb := "forgot"
			if dryRun {
				verb = "would forget"
			}
			s.Print("%s %s, %s and %s (%s)", verb, print.Count(r.Runs, "run", "runs"), print.Count(r.Drafts, "draft", "drafts"),
				print.Count(r.Artifacts, "file", "files"), print.Count(int(r.Bytes), "byte", "bytes"))
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().IntVar(&days, "older-than", 0, "delete runs older than `DAYS` (default: retention_days)")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "only count them")
	return c
}
