package cli

import (
	_ "embed"

	"github.com/spf13/cobra"
)

// goalExamples are goals by kind: a title, then one goal a line, indented. A test
// has the interpreter understand each of them.
//
//go:embed goals.txt
var goalExamples string

// goalsTopic is the text of `errand help goals`.
func goalsTopic() *cobra.Command {
	return &cobra.Command{Use: "goals", Short: "Examples of goals", Long: goalExamples}
}
