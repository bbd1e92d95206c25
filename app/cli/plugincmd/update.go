package plugincmd

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plugins"
	"errand/host/tool"
)

func (s commands) updateCommand() *cobra.Command {
	var f installFlags
	var grantFlags []string
	var reading readingFlag
	c := s.AddJSONFlag(&cobra.Command{
		Use: "update",
		RunE: func(cmd *cobra.Command, args []string) error {
			if args = uniqueWords(args); len(args) != 1 {
				if flag := cmp.Or(named("--sha256", f.sha256 != ""), named("--grant", len(grantFlags) > 0), named("--reading", reading.names(cmd) != nil)); flag != "" {
					return print.BadUsage("cli_plugin.flag_for_one", "flag", flag).Hint("cli_plugin.name_plugin")
				}
			}
			u := plugins.Update{SHA256: f.sha256, Reading: reading.names(cmd)}
			var err error
			if u.Grants, err = parseGrants(grantFlags); err != nil {
				return err
			}
			if u.Keys, err = readKeys(f.keys); err != nil {
				return err
			}
			app, err := s.Open(app.Options{Allow: f.allowed})
			if err != nil {
				return err
			}
			ids := args
			if len(args) == 0 {
				if ids, err = app.Plugins().InstalledIDs(); err != nil {
					return err
				}
			}
			done, failed, err := s.updateAll(cmd.Context(), app, ids, len(args) == 0, u, f)
			if err != nil {
				return err
			}
			switch {
			case s.JSON && len(failed) > 0:
				s.Document(map[string]any{"plugins": done, "failed": failed})
			case s.JSON:
				s.Document(map[string]any{"plugins": done})
			case len(ids) == 0:
				s.Note("cli_plugin.none_installed")
			}
			return nil
		},
	})
	f.add(c)
	reading.add(c)
	c.Flags().StringArrayVar(&grantFlags, "grant", nil, "")
	return c
}

// named returns the name of a flag if it was given, else "".
func named(flag string, given bool) string {
	if given {
		return flag
	}
	return ""
}

// updateAll updates plugins, each whether or not the others fail. If unnamed, the command
// named no plugin, and those that are pinned stay as they are. The error of a single
// plugin is returned; of several, the first sets the exit code.
func (s commands) updateAll(ctx context.Context, app *app.App, ids []string, unnamed bool, u plugins.Update, f installFlags) ([]installation, []notUpdated, error) {
	done, failed := []installation{}, []notUpdated{}
	var first error
	for _, id := range ids {
		p, err := app.PluginInstaller().ProposeUpdate(ctx, id, u)
		if err == nil {
			var one installation
			if one, err = s.agreeAndInstall(ctx, app, p, f); err == nil {
				done = append(done, one)
			}
		}
		switch {
		case ctx.Err() != nil:
			return nil, nil, err
		case err == nil:
			continue
		case unnamed && tool.AsError(err).Code == plugins.CodePinned:
			s.Sayf("%s", tool.AsError(err).Message)
			continue
		case len(ids) > 1 && !s.JSON:
			s.PrintError(tool.AsError(err))
		}
		failed = append(failed, notUpdated{id, tool.AsError(err)})
		if first == nil {
			first = err
		}
	}
	if first != nil && len(ids) == 1 {
		return nil, nil, first
	}
	if first != nil {
		_, s.Code = print.TypedError(first)
	}
	return done, failed, nil
}

// notUpdated is a plugin that was not updated.
type notUpdated struct {
	ID    string      `json:"id"`
	Error *tool.Error `json:"error"`
}
