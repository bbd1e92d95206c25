package cli

import (
	"context"
	"math"
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/record"
	"errand/app/planning"
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

// recordCommands has the commands that read, replay, export, undo and delete records.
type recordCommands struct{ *shell }

func init() {
	addCommand("runs", func(s *shell) *cobra.Command { return recordCommands{s}.runsCommand() })
	addCommand("show", func(s *shell) *cobra.Command { return recordCommands{s}.showCommand() })
}

func (s recordCommands) runsCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:  "runs",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return print.BadUsage("cli.negative", "flag", "--limit", "number", limit)
			}
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			runs, err := app.ListRuns(cmd.Context(), limit)
			if err != nil {
				return err
			}
			rows := make([]runRow, len(runs))
			for i, r := range runs {
				rows[i] = runRow{r.RunID, r.Goal, r.Status, r.StartedAt, r.DurationMS, r.Actions}
			}
			if s.JSON {
				s.Document(map[string]any{"runs": rows})
				return nil
			}
			if len(rows) == 0 {
				s.Note("cli.nothing_run_yet")
			}
			var table [][]string
			for _, r := range rows {
				table = append(table, []string{
					r.RunID, r.StartedAt.Local().Format("2006-01-02 15:04"), s.Text("cli.status", "status", r.Status),
					s.Text("cli.seconds", "seconds", math.Round(float64(r.DurationMS)/100)/10), print.Shorten(s.GoalOf(r.Goal), 60),
				})
			}
			s.Columns(table)
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().IntVar(&limit, "limit", 50, "")
	c.AddCommand(s.pruneCommand())
	return c
}

func (s recordCommands) showCommand() *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use:               "show",
		Args:              print.OneArg("cli.want_run", "cli.see_runs"),
		ValidArgsFunction: s.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			id, err := resolveRun(cmd.Context(), app, args[0])
			if err != nil {
				return err
			}
			if s.JSON {
				report, err := app.ShowRun(cmd.Context(), id)
				if err != nil {
					return err
				}
				s.SpeakOf(planning.LanguageOf(trace.Record{Run: trace.Run{Interpretation: report.Interpretation}}))
				s.Document(report)
				return nil
			}
			look := app.Record
			if !verbose {
				look = func(ctx context.Context, id string) (trace.Record, error) { return app.Excerpt(ctx, id, excerpt) }
			}
			rec, err := look(cmd.Context(), id)
			if err != nil {
				return err
			}
			s.SpeakOf(planning.LanguageOf(rec))
			return record.Print(s.Stdout, rec, record.Options{Color: s.Color, Verbose: verbose, Language: s.SpokenLanguage()})
		},
	}
	s.AddJSONFlag(c)
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "")
	return c
}
