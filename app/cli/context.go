package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func init() { addCommand("context", (*commands).contextCommand) }

func (s *commands) contextCommand() *cobra.Command {
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "context",
		Args: print.NoArgs,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, _ []string) error {
			known := app.Context(ctx, "")
			return s.Show(known, func() { print.Context(s.Console, known, app.ShortenPath) })
		}),
	})
	c.AddCommand(&cobra.Command{
		Use:  "clear",
		Args: print.NoArgs,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, _ []string) error {
			if err := app.ClearContext(ctx, ""); err != nil {
				return err
			}
			s.Note("cli.context_cleared")
			return nil
		}),
	})
	return c
}
