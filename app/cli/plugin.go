package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func (s *shell) pluginCommand() *cobra.Command {
	c := &cobra.Command{Use: "plugin", Short: "Make, install, call, inspect and list WebAssembly plugins"}
	c.AddCommand(s.pluginNewCommand(), s.pluginBuildCommand(), s.pluginTestCommand(), s.pluginDevCommand(), s.pluginSchemaCommand())
	c.AddCommand(s.pluginCallCommand(), s.pluginInspectCommand())
	c.AddCommand(
		s.pluginInstallCommand(), s.pluginUpdateCommand(), s.pluginRemoveCommand(), s.pluginEnableCommand(), s.pluginDisableCommand(),
		s.pluginVerifyCommand(), s.pluginListCommand(),
	)
	return c
}

func dash(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, " ")
}
