package plugincmd

import (
	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s *Shell) removeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "remove ID…",
		Short: "Remove installed plugins and their permissions",
		Args:  print.AtLeastOne("the id of a plugin", "errand plugin list shows them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			removed := []map[string]string{}
			for _, id := range once(args) {
				version, err := app.PluginInstaller().Uninstall(cmd.Context(), id)
				if err != nil {
					return err
				}
				removed = append(removed, map[string]string{"id": id, "version": version})
				if s.JSON {
					continue
				}
				s.Print("%s  %s %s", print.Paint(print.Yellow, "removed"), id, version)
				if _, set := app.Config().Plugins.ByID[id]; set {
					s.Note("  [plugins.%s] in %s is yours, and still there", id, app.Config().Paths.File)
				}
			}
			if s.JSON {
				s.Document(map[string]any{"removed": removed})
			}
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}
