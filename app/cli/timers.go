package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func init() { addCommand("timers", (*commands).timersCommand) }

// timersCommand lists what is due later.
func (s *commands) timersCommand() *cobra.Command {
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "timers",
		Args: print.NoArgs,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, _ []string) error {
			all, err := app.Timers(ctx)
			if err != nil {
				return err
			}
			app.Agent().KeepTimers(ctx)
			return s.Show(map[string]any{"timers": all}, func() {
				for _, t := range all {
					s.Print("cli.timer", "timer", app.TimerLine(t))
				}
				if len(all) == 0 {
					s.Note("timer.none")
				}
			})
		}),
	})
	c.AddCommand(s.AddJSONFlag(&cobra.Command{
		Use:  "cancel",
		Args: cobra.ExactArgs(1),
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			t, err := app.CancelTimer(ctx, args[0])
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"cancelled": t}, func() { s.Print("cli.timer_cancelled", "timer", app.TimerLine(t)) })
		}),
	}))
	return c
}
