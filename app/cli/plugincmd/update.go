package plugincmd

import (
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
			args = uniqueWords(args)
			if len(args) != 1 && f.sha256 != "" {
				return print.BadUsage("cli_plugin.flag_for_one", "flag", "--sha256").Hint("cli_plugin.name_plugin")
			}
			if len(args) != 1 && len(grantFlags) > 0 {
				return print.BadUsage("cli_plugin.flag_for_one", "flag", "--grant").Hint("cli_plugin.name_plugin")
			}
			if len(args) != 1 && reading.names(cmd) != nil {
				return print.BadUsage("cli_plugin.flag_for_one", "flag", "--reading").Hint("cli_plugin.name_plugin")
			}
			grants, err := parseGrants(grantFlags)
			if err != nil {
				return err
			}
			keys, err := readKeys(f.keys)
			if err != nil {
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
			done, failed := []installation{}, []notUpdated{}
			var first error // the others are updated all the same
			for _, id := range ids {
				p, err := app.PluginInstaller().ProposeUpdate(cmd.Context(), id, plugins.Update{SHA256: f.sha256, Keys: keys, Grants: grants, Reading: reading.names(cmd)})
				if err == nil {
					var one installation
					if one, err = s.agreeAndInstall(cmd.Context(), app, p, f); err == nil {
						done = append(done, one)
					}
				}
				if cmd.Context().Err() != nil {
					return err
				}
				if len(args) == 0 && err != nil && tool.AsError(err).Code == plugins.CodePinned {
					s.Sayf("%s", tool.AsError(err).Message)
					continue
				}
				if err != nil && len(ids) > 1 && !s.JSON {
					s.PrintError(tool.AsError(err))
				}
				if err != nil {
					failed = append(failed, notUpdated{id, tool.AsError(err)})
				}
				if err != nil && first == nil {
					first = err
				}
			}
			switch {
			case first != nil && len(ids) == 1:
				return first
			case first != nil:
				_, s.Code = print.TypedError(first)
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

// notUpdated is a plugin that stays as it is.
type notUpdated struct {
	ID    string      `json:"id"`
	Error *tool.Error `json:"error"`
}
