package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app/cli/help"
	"errand/app/i18n"
)

// Tree returns the program's commands with their texts and flags in English, for manual pages.
// They can't be run; use [Main].
func Tree() *cobra.Command {
	root := newCommands(context.Background(), System{}).root()
	documentStatus(root)
	help.Describe(root, i18n.English())
	return root
}
