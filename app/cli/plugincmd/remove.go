package plugincmd

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s commands) removeCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "remove",
		Args: print.AtLeastOne("cli_plugin.want_plugin", "cli_plugin.see_plugins"),
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			removed := []map[string]string{}
			for _, id := range uniqueWords(args) {
				version, err := app.PluginInstaller().Uninstall(ctx, id)
				if err != nil {
					return err
				}
				removed = append(removed, map[string]string{"id": id, "version": version})
				if s.JSON {
					continue
				}
				s.Printf("%s  %s %s", print.PaintMessage(print.Yellow, "cli_plugin.removed"), id, version)
				if _, set := app.Config().Plugins.ByID[id]; set {
					s.Note("cli_plugin.settings_kept", "plugin", id, "file", app.Config().Paths.File)
				}
			}
			if s.JSON {
				s.Document(map[string]any{"removed": removed})
			}
			return nil
		}),
	})
}
