// Package plugincmd has the commands of `errand plugin`, one file for each.
package plugincmd

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/input"
	"errand/app/cli/print"
)

// Shell is what the commands share with the rest of the command line.
type Shell struct {
	*print.Console
	*input.Reader
	Env  []string // as os.Environ gives it
	Open func(app.Options) (*app.App, error)
}

// Command returns errand plugin with all its subcommands.
func (s *Shell) Command() *cobra.Command {
	c := &cobra.Command{Use: "plugin"}
	c.AddCommand(s.newCommand(), s.buildCommand(), s.testCommand(), s.devCommand(), s.schemaCommand())
	c.AddCommand(s.callCommand(), s.inspectCommand(), s.benchCommand())
	c.AddCommand(
		s.installCommand(), s.updateCommand(), s.removeCommand(), s.enableCommand(), s.disableCommand(),
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
