package cli

import "github.com/spf13/cobra"

func init() { addCommand("goals", func(*commands) *cobra.Command { return goalsTopic() }) }

// goalsTopic is the help topic with examples of goals. A test checks that the interpreter
// understands each of them.
func goalsTopic() *cobra.Command { return &cobra.Command{Use: "goals"} }
