package cli

import (
	"context"
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func init() {
	addCommand(app.AgentCommand, (*commands).agentCommand)
	addCommand("stop", (*commands).stopCommand)
}

// agentCommand is the resident process.
func (s *commands) agentCommand() *cobra.Command {
	var o runOptions
	var demo bool
	c := &cobra.Command{
		Use:  app.AgentCommand,
		Args: print.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := s.Open(app.Options{Demo: demo, Profile: o.profileFlag(cmd), Text: s.TextOf})
			if err != nil {
				return err
			}
			err = a.Agent().Serve(cmd.Context(), slog.New(slog.NewTextHandler(s.Stderr, nil)))
			if errors.Is(err, app.ErrAgentRunning) {
				s.Code = print.Exit(app.ExitAgentRunning)
				return nil
			}
			return err
		},
	}
	c.Flags().BoolVar(&demo, "demo", false, "")
	c.Flags().StringVar(&o.profile, "profile", "", "")
	return c
}

func (s *commands) stopCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "stop",
		Args: print.NoArgs,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, _ []string) error {
			stopped, err := app.Agent().Stop(ctx)
			if err != nil {
				return err
			}
			waiting, err := timersOf(ctx, app)
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"stopped": stopped, "timers": waiting}, func() {
				if stopped {
					s.Note("cli.agent_stopped")
				} else {
					s.Note("cli.no_agent")
				}
				if waiting > 0 {
					s.Note("cli.timers_wait", "count", waiting)
				}
			})
		}),
	})
}

// timersOf counts what is due later.
func timersOf(ctx context.Context, a *app.App) (int, error) {
	all, err := app.TimersOf(a).List(ctx)
	return len(all), err
}
