package cli

import (
	"time"

	"github.com/spf13/cobra"

	"errand/app/core"
)

func (s *shell) pruneCommand() *cobra.Command {
	var days int
	var dryRun bool
	c := &cobra.Command{
		Use:   "prune",
		Short: "Forget old runs, with what was written down of them",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("older-than") {
				days = app.Config().Store.RetentionDays
				if days == 0 {
					return usagef("nothing says how old is too old").hint("give --older-than DAYS; [store] retention_days is 0, so nothing is forgotten by itself")
				}
			}
			if days < 0 {
				return usagef("--older-than %d is negative", days)
			}
			r, err := app.Prune(cmd.Context(), time.Duration(days)*24*time.Hour, dryRun)
			if err != nil {
				return err
			}
			if s.json {
				s.document(r)
				return nil
			}
			verb := "forgot"
			if dryRun {
				verb = "would forget"
			}
			s.print("%s %s, %s and %s (%s)", verb, plural(r.Runs, "run", "runs"), plural(r.Drafts, "draft", "drafts"),
				plural(r.Artifacts, "file", "files"), plural(int(r.Bytes), "byte", "bytes"))
			return nil
		},
	}
	s.jsonFlag(c)
	c.Flags().IntVar(&days, "older-than", 0, "those that began more than `DAYS` ago (default: retention_days)")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "only count")
	return c
}
