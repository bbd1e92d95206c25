package plugincmd

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s commands) switchCommand(name, state string, on bool) *cobra.Command {
	var f installFlags
	c := s.AddJSONFlag(&cobra.Command{
		Use:  name,
		Args: print.AtLeastOne("cli_plugin.want_plugin", "cli_plugin.see_plugins"),
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			switched := []map[string]string{}
			for _, id := range uniqueWords(args) {
				asked, err := s.enableDropped(ctx, app, id, on, f)
				if err != nil {
					return err
				}
				if asked && s.Code != 0 {
					return nil
				}
				if err := app.PluginInstaller().Enable(ctx, id, on); err != nil {
					return err
				}
				switched = append(switched, map[string]string{"id": id, "state": state})
				if !s.JSON && !asked {
					s.Print("cli_plugin.switched", "state", state, "plugin", id)
				}
			}
			if s.JSON {
				s.Document(map[string]any{"plugins": switched})
			}
			return nil
		}),
	})
	if on {
		c.Flags().BoolVar(&f.yes, "yes", false, "")
	}
	return c
}

// enableDropped asks the user to agree to a plugin that somebody put into the data
// folder. asked is false for other plugins and for one that needs no answer.
func (s commands) enableDropped(ctx context.Context, app *app.App, id string, on bool, f installFlags) (asked bool, err error) {
	if !on {
		return false, nil
	}
	p, err := app.PluginInstaller().ProposeEnable(ctx, id)
	if err != nil || p == nil {
		return false, err
	}
	_, err = s.agreeAndInstall(ctx, app, p, f)
	return true, err
}

// uniqueWords returns words without duplicates.
func uniqueWords(words []string) []string {
	var said []string
	for _, w := range words {
		if !slices.Contains(said, w) {
			said = append(said, w)
		}
	}
	return said
}
