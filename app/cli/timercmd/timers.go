// Package timercmd has the commands for timers, reminders and goals for later.
package timercmd

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/host/trace"
)

// commands has the commands of one invocation.
type commands struct{ *shell.Shell }

// Commands returns the command that lists and cancels what is due later.
func Commands(sh *shell.Shell) []*cobra.Command {
	s := commands{sh}
	c := s.listCommand()
	c.AddCommand(s.cancelCommand())
	return []*cobra.Command{c}
}

func (s commands) listCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "timers",
		Args: print.NoArgs,
		RunE: s.WithApp(func(ctx context.Context, a *app.App, _ []string) error {
			all, err := app.TimersOf(a).List(ctx)
			if err != nil {
				return err
			}
			missed, err := app.TimersOf(a).Unshown(ctx)
			if err != nil {
				return err
			}
			if !s.JSON {
				if err := print.NoteUnshown(ctx, s.Console, a); err != nil {
					return err
				}
			}
			kept := a.Agent().KeepTimers(ctx)
			return s.Show(map[string]any{"timers": all, "kept": kept, "not_shown": len(missed)}, func() {
				for _, t := range all {
					s.Print("cli.timer", "timer", app.TimersOf(a).Line(t))
				}
				if len(all) == 0 {
					s.Note("timer.none")
				} else {
					s.Note("cli.timers_kept", "kept", kept)
				}
			})
		}),
	})
}

func (s commands) cancelCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "cancel",
		Args: print.OneArg("cli.want_timer", "cli.see_timers"),
		RunE: s.WithApp(func(ctx context.Context, a *app.App, args []string) error {
			t, report, err := app.TimersOf(a).Cancel(ctx, args[0], s.SpokenLanguage().Tag(), s.TextOf)
			if err != nil {
				return err
			}
			if report.Status != trace.Done {
				(&print.RunPrinter{Console: s.Console, Yes: true}).Finish(report)
				return nil
			}
			return s.Show(map[string]any{"cancelled": t, "run_id": report.RunID}, func() { s.Print("cli.timer_cancelled", "timer", app.TimersOf(a).Line(t)) })
		}),
	})
}
