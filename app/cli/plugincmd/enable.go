package plugincmd

import (
	"slices"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/core"
)

func (s *Shell) enableCommand() *cobra.Command {
	return s.switchCommand("enable ID…", "Switch installed plugins on again", "on", true)
}

func (s *Shell) disableCommand() *cobra.Command {
	return s.switchCommand("disable ID…", "Leave installed plugins out until they are enabled", "off", false)
}

func (s *Shell) switchCommand(use, short, state string, on bool) *cobra.Command {
	c := &cobra.Command{
		Use:   use,
		Short: short,
		Long: short + `.

A plugin is loaded where both this and the config say so: enabled = false in
[plugins.ID] switches it off, whatever is said here. What was granted to it at its
installation stays.`,
		Args: print.AtLeastOne("the id of a plugin", "errand plugin list shows them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(core.Options{})
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
