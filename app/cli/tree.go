package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// Tree is the program's commands with their texts and flags, for what describes
// them: manual pages and completions. It is not for running; [Main] is.
func Tree() *cobra.Command {
	root := newShell(context.Background(), System{}).root()
	documentStatus(root)
	return root
}
