// Package plugincmd has the commands of `errand plugin`, one file for each.
package plugincmd

import (
	"strings"

	"errand/app/cli/shell"

	"github.com/spf13/cobra"
)

// commands has the commands of one invocation.
type commands struct{ *shell.Shell }

// Command returns errand plugin with all its subcommands.
func Command(sh *shell.Shell) *cobra.Command {
	s := commands{sh}
	c := &cobra.Command{Use: "plugin"}
	c.AddCommand(s.newCommand(), s.buildCommand(), s.testCommand(), s.devCommand(), s.schemaCommand())
	c.AddCommand(s.callCommand(), s.inspectCommand(), s.benchCommand())
	c.AddCommand(
		s.installCommand(), s.updateCommand(), s.removeCommand(), s.switchCommand("enable", "on", true), s.switchCommand("disable", "off", false),
		s.verifyCommand(), s.listCommand(),
	)
	return c
}

func dash(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, " ")
}
