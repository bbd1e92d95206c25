package plugincmd

import (
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s commands) enableCommand() *cobra.Command {
	return s.switchCommand("enable", "on", true)
}

func (s commands) disableCommand() *cobra.Command {
	return s.switchCommand("disable", "off", false)
}

func (s commands) switchCommand(name, state string, on bool) *cobra.Command {
	c := &cobra.Command{
		Use:  name,
		Args: print.AtLeastOne("cli_plugin.want_plugin", "cli_plugin.see_plugins"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			switched := []map[string]string{}
			for _, id := range once(args) {
				if err := app.PluginInstaller().Enable(cmd.Context(), id, on); err != nil {
					return err
				}
				switched = append(switched, map[string]string{"id": id, "state": state})
				if !s.JSON {
					s.Print("cli_plugin.switched", "state", state, "plugin", id)
				}
			}
			if s.JSON {
				s.Document(map[string]any{"plugins": switched})
			}
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}

// once is words without those that were said before.
func once(words []string) []string {
	var said []string
	for _, w := range words {
		if !slices.Contains(said, w) {
			said = append(said, w)
		}
	}
	return said
}
