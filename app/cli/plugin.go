package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app/core"
)

func (s *shell) pluginCommand() *cobra.Command {
	c := &cobra.Command{Use: "plugin", Short: "Call, inspect and list WebAssembly plugins"}
	c.AddCommand(s.pluginCallCommand(), s.pluginInspectCommand(), s.pluginListCommand())
	c.AddCommand(s.pluginNewCommand(), s.pluginBuildCommand(), s.pluginTestCommand(), s.pluginDevCommand(), s.pluginSchemaCommand())
	return c
}

func (s *shell) pluginListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "The plugins that are loaded, and what they may touch",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			list, err := app.Plugins()
			if err != nil {
				return err
			}
			if s.json {
				s.document(map[string]any{"plugins": list})
				return nil
			}
			rows := [][]string{{"PLUGIN", "VERSION", "ABI", "TOOLS", "HOSTS", "FOLDERS", "FROM"}}
			for _, p := range list {
				rows = append(rows, []string{
					p.ID, p.Version, p.ABI, strings.Join(p.Tools, " "), dash(p.Hosts), dash(p.Paths), p.From,
				})
			}
			s.columns(rows)
			return nil
		},
	}
	s.jsonFlag(c)
	return c
}

func dash(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, " ")
}
