package plugincmd

import (
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s *Shell) enableCommand() *cobra.Command {
	return s.switchCommand("enable ID…", "Enable installed plugins", "on", true)
}

func (s *Shell) disableCommand() *cobra.Command {
	return s.switchCommand("disable ID…", "Disable installed plugins", "off", false)
}

func (s *Shell) switchCommand(use, short, state string, on bool) *cobra.Command {
	c := &cobra.Command{
		Use:   use,
		Short: short,
		Long: short + `.

Errand loads a plugin only if it is enabled here and errand.toml does not disable it
with enabled = false in [plugins.ID]. The plugin keeps its permissions.`,
		Args: print.AtLeastOne("the id of a plugin", "errand plugin list shows them"),
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
					s.Print("%s  %s", state, id)
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
