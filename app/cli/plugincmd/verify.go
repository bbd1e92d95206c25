package plugincmd

import (
	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s commands) verifyCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "verify",
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			list, err := app.Plugins().Verify(cmd.Context(), once(args)...)
			if err != nil {
				return err
			}
			for _, v := range list {
				if !v.OK {
					s.Code = print.Failed
				}
			}
			if s.JSON {
				s.Document(map[string]any{"plugins": list})
				return nil
			}
			if len(list) == 0 {
				s.Note("cli_plugin.none_installed")
			}
			for _, v := range list {
				switch {
				case !v.OK:
					what := "cli_plugin.differs"
					if v.Whole {
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
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}
