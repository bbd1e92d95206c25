package plugincmd

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s commands) verifyCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use: "verify",
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			list, err := app.Plugins().Verify(ctx, uniqueWords(args)...)
			if err != nil {
				return err
			}
			for _, v := range list {
				if !v.OK {
					s.Code = print.Failed
				}
			}
			return s.Show(map[string]any{"plugins": list}, func() {
				if len(list) == 0 {
					s.Note("cli_plugin.none_installed")
				}
				for _, v := range list {
					switch {
					case !v.OK:
						what := "cli_plugin.differs"
						if v.IsIntact {
							what = "cli_plugin.cannot_run"
						}
						s.Printf("%s  %s %s: %s", print.PaintMessage(print.Red, what), v.ID, v.Version, v.Problem.Message)
						s.SayHint(v.Problem.Hint)
					case v.Signer != "":
						s.Print("cli_plugin.whole_signed", "whole", print.PaintMessage(print.Green, "cli_plugin.whole"), "plugin", v.ID, "version", v.Version, "key", v.Signer)
					default:
						s.Printf("%s  %s %s", print.PaintMessage(print.Green, "cli_plugin.whole"), v.ID, v.Version)
					}
				}
			})
		}),
	})
}
