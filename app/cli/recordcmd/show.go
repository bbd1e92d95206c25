package recordcmd

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/record"
	"errand/app/cli/shell"
	"errand/app/planning"
	"errand/host/trace"
)

// excerpt is how many steps and events are shown from each end of a long run.
const excerpt = 100

func (s commands) showCommand() *cobra.Command {
	var verbose bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "show",
		Args:              print.OneArg("cli.want_run", "cli.see_runs"),
		ValidArgsFunction: s.CompleteRuns,
		RunE: s.WithID(shell.ResolveRun, func(ctx context.Context, app *app.App, id string, rest []string) error {
			if s.JSON {
				report, err := app.ShowRun(ctx, id)
				if err != nil {
					return err
				}
				s.SpeakOf(planning.LanguageOf(trace.Record{Run: trace.Run{Interpretation: report.Interpretation}}))
				s.Document(report)
				print.NoteRun(s.Console, s.Stdout, report.RunID)
				return nil
			}
			look := app.Record
			if !verbose {
				look = func(ctx context.Context, id string) (trace.Record, error) { return app.Excerpt(ctx, id, excerpt) }
			}
			rec, err := look(ctx, id)
			if err != nil {
				return err
			}
			s.SpeakOf(planning.LanguageOf(rec))
			print.NoteRun(s.Console, s.Stdout, rec.RunID)
			return record.Print(s.Stdout, rec, record.Options{Color: s.Color, Verbose: verbose, Language: s.SpokenLanguage()})
		}),
	})
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "")
	return c
}
