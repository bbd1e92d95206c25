package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"errand/app/core"
	"errand/host/trace"
)

// excerpt is how many steps and events are shown from each end of a long run.
const excerpt = 100

type runRow struct {
	RunID      string       `json:"run_id"`
	Goal       string       `json:"goal"`
	Status     trace.Status `json:"status"`
	StartedAt  time.Time    `json:"started_at"`
	DurationMS int64        `json:"duration_ms"`
	Actions    int          `json:"actions"`
}

func (s *shell) runsCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:   "runs",
		Short: "List what was done, the newest first",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return usagef("--limit %d is negative", limit)
			}
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			runs, err := app.Runs(cmd.Context(), limit)
			if err != nil {
				return err
			}
			rows := make([]runRow, len(runs))
			for i, r := range runs {
				rows[i] = runRow{r.RunID, r.Goal, r.Status, r.StartedAt, r.DurationMS, r.Actions}
			}
			if s.json {
				s.document(map[string]any{"runs": rows})
				return nil
			}
			if len(rows) == 0 {
				s.say("nothing was run yet")
			}
			var table [][]string
			for _, r := range rows {
				table = append(table, []string{
					r.RunID, r.StartedAt.Local().Format("2006-01-02 15:04"), string(r.Status),
					fmt.Sprintf("%.1f s", float64(r.DurationMS)/1000), shorten(r.Goal, 60),
				})
			}
			s.columns(table)
			return nil
		},
	}
	s.jsonFlag(c)
	c.Flags().IntVar(&limit, "limit", 50, "at most this many; 0: all")
	c.AddCommand(s.pruneCommand())
	return c
}

func (s *shell) showCommand() *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show what happened in a run",
		Args:  oneArg("the id of a run", "errand runs lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			if s.json {
				report, err := app.Show(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				s.document(report)
				return nil
			}
			look := app.Record
			if !verbose {
				look = func(ctx context.Context, id string) (trace.Record, error) { return app.Excerpt(ctx, id, excerpt) }
			}
			rec, err := look(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return trace.Print(s.Stdout, rec, trace.PrintOptions{Color: s.Color, Verbose: verbose})
		},
	}
	s.jsonFlag(c)
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show payloads and every connection")
	return c
}

// shorten cuts text to n characters for a table.
func shorten(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, not %q", cmd.CommandPath(), args[0]).hint("see %s --help", cmd.CommandPath())
	}
	return nil
}

func oneArg(what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("%s takes one argument, %s, and not %d: %q is too much", cmd.CommandPath(), what, len(args), args[1]).hint("%s", hint)
		}
		if len(args) == 0 {
			return usagef("%s needs %s", cmd.CommandPath(), what).hint("%s", hint)
		}
		return nil
	}
}
