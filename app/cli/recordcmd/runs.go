// Package recordcmd has the commands for records of runs.
package recordcmd

import (
	"math"
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/host/trace"
)

type runRow struct {
	RunID      string       `json:"run_id"`
	Goal       string       `json:"goal"`
	Status     trace.Status `json:"status"`
	StartedAt  time.Time    `json:"started_at"`
	DurationMS int64        `json:"duration_ms"`
	Actions    int          `json:"actions"`

	State      trace.RunState   `json:"state"`
	StopReason trace.StopReason `json:"stop_reason"` // empty while it runs
}

// commands has the commands of one invocation.
type commands struct{ *shell.Shell }

// Commands returns the commands that read, replay, export, undo and delete records.
func Commands(sh *shell.Shell) []*cobra.Command {
	s := commands{sh}
	return []*cobra.Command{s.runsCommand(), s.showCommand(), s.replayCommand(), s.exportCommand(), s.undoCommand()}
}

func (s commands) runsCommand() *cobra.Command {
	var limit int
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "runs",
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return print.BadUsage("cli.negative", "flag", "--limit", "number", limit)
			}
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			runs, err := app.ListRuns(cmd.Context(), limit)
			if err != nil {
				return err
			}
			rows := make([]runRow, len(runs))
			for i, r := range runs {
				rows[i] = runRow{r.RunID, r.Goal, r.Status, r.StartedAt, r.DurationMS, r.Actions, r.State, r.StopReason}
			}
			return s.Show(map[string]any{"runs": rows}, func() {
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
			})
		},
	})
	c.Flags().IntVar(&limit, "limit", 50, "")
	c.AddCommand(s.pruneCommand())
	return c
}
