package print

import (
	"fmt"

	"github.com/spf13/cobra"
)

// UsageError reports a command that was called in a wrong way.
type UsageError struct {
	message, help string
}

// Usagef returns a usage error.
func Usagef(format string, args ...any) *UsageError {
	return &UsageError{message: fmt.Sprintf(format, args...)}
}

// Hint returns the error with a line that says what to do.
func (e *UsageError) Hint(format string, args ...any) *UsageError {
	return &UsageError{e.message, fmt.Sprintf(format, args...)}
}

func (e *UsageError) Error() string { return e.message }

// NoArgs rejects arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no arguments, not %q", cmd.CommandPath(), args[0]).Hint("see %s --help", cmd.CommandPath())
	}
	return nil
}

// OneArg wants exactly one argument.
func OneArg(what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return Usagef("%s takes one argument, %s, and not %d: %q is too much", cmd.CommandPath(), what, len(args), args[1]).Hint("%s", hint)
		}
		if len(args) == 0 {
			return Usagef("%s needs %s", cmd.CommandPath(), what).Hint("%s", hint)
		}
		return nil
	}
}

// AtMostOne accepts one id or none.
func AtMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return Usagef("%s takes one id, not %d", cmd.CommandPath(), len(args)).Hint("see %s --help", cmd.CommandPath())
	}
	return nil
}

// AtLeastOne wants an argument or more.
func AtLeastOne(what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Usagef("%s needs %s", cmd.CommandPath(), what).Hint("%s", hint)
		}
		return nil
	}
}
