package cli

import (
	"github.com/spf13/cobra"

	"errand/app/core"
)

func (s *shell) pluginRemoveCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "remove ID…",
		Short: "Take installed plugins out, with all that was granted to them",
		Args:  atLeastOne("the id of a plugin", "errand plugin list shows them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			removed := []map[string]string{}
			for _, id := range once(args) {
				version, err := app.RemovePlugin(cmd.Context(), id)
				if err != nil {
					return err
				}
				removed = append(removed, map[string]string{"id": id, "version": version})
				if s.json {
					continue
				}
				s.print("%s  %s %s", paint(yellow, "removed"), id, version)
				if _, set := app.Config().Plugins.ByID[id]; set {
					s.say("  [plugins.%s] in %s is yours, and still there", id, app.Config().Paths.File)
				}
			}
			if s.json {
				s.document(map[string]any{"removed": removed})
			}
			return nil
		},
	}
	s.jsonFlag(c)
	return c
}
