package plugincmd

import (
	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/core"
)

func (s *Shell) verifyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "verify [ID…]",
		Short: "Hold installed plugins against plugins.lock, byte for byte",
		Long: `Verify reads the files of installed plugins, of all or of those named, and compares their
digests with those of plugins.lock, and their signatures with the keys that they
were signed by; what is whole it looks at as inspect does. It exits with 1 where
something differs, or can't be run by this version of the program.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(core.Options{})
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
