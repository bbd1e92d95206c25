package print

import (
	"github.com/spf13/cobra"

	"errand/planner/message"
)

// UsageError is the error of a wrong command line.
type UsageError struct {
	message, hint message.Message
}

// BadUsage returns a usage error.
func BadUsage(code string, pairs ...any) *UsageError {
	return &UsageError{message: message.New(code, pairs...)}
}

// Hint returns the error with a line that says what to do.
func (e *UsageError) Hint(code string, pairs ...any) *UsageError {
	return &UsageError{e.message, message.New(code, pairs...)}
}

// BadUsageOf returns a usage error of an error.
func BadUsageOf(err error) *UsageError { return &UsageError{message: message.FromError(err)} }

// HintOf is Hint for a message.
func (e *UsageError) HintOf(hint message.Message) *UsageError { return &UsageError{e.message, hint} }

func (e *UsageError) Error() string { return e.message.String() }

// AsMessage returns what was wrong.
func (e *UsageError) AsMessage() message.Message { return e.message }

// NoArgs rejects arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return BadUsage("cli.no_arguments", "command", cmd.CommandPath(), "argument", args[0]).Hint("cli.see_help", "command", cmd.CommandPath())
	}
	return nil
}

// OneArg requires exactly one argument. what and hint are codes.
func OneArg(what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return BadUsage("cli.one_argument", "command", cmd.CommandPath(), "what", message.New(what), "count", len(args), "argument", args[1]).Hint(hint)
		}
		if len(args) == 0 {
			return BadUsage("cli.argument_missing", "command", cmd.CommandPath(), "what", message.New(what)).Hint(hint)
		}
		return nil
	}
}

// AtMostOne accepts one id or none.
func AtMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return BadUsage("cli.one_id", "command", cmd.CommandPath(), "count", len(args)).Hint("cli.see_help", "command", cmd.CommandPath())
	}
	return nil
}

// AtLeastOne requires one argument or more. what and hint are codes.
func AtLeastOne(what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return BadUsage("cli.argument_missing", "command", cmd.CommandPath(), "what", message.New(what)).Hint(hint)
		}
		return nil
	}
}

// OptionalArg accepts one argument or none. what and hint are codes.
func OptionalArg(what, hint string) cobra.PositionalArgs {
	exact := OneArg(what, hint)
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return exact(cmd, args)
	}
}
