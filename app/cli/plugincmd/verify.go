package plugincmd

import (
	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s *Shell) verifyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "verify [ID…]",
		Short: "Check installed plugins against plugins.lock",
		Long: `Verify compares the files and signatures of all plugins, or of those named, with
plugins.lock, and checks whether this version of Errand can run them. It exits with 1
if a plugin differs or can't run.`,
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
				s.Note("no plugin is installed")
			}
			for _, v := range list {
				switch {
				case !v.OK:
					what := "differs"
					if v.Whole {
						what = "can't run"
					}
					s.Print("%s  %s %s: %s", print.Paint(print.Red, what), v.ID, v.Version, v.Problem.Message)
					s.Say("  hint: %s", v.Problem.Hint)
				case v.Signer != "":
					s.Print("%s  %s %s, signed by key %s", print.Paint(print.Green, "whole"), v.ID, v.Version, v.Signer)
				default:
					s.Print("%s  %s %s", print.Paint(print.Green, "whole"), v.ID, v.Version)
				}
			}
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}
