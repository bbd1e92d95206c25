package shell

import (
	"slices"

	"errand/host/tool"
	"errand/planner/message"
)

// codeLastNotShown is the code of the error for `last` where a command approves or applies
// something that its user has not seen.
const codeLastNotShown = "last_not_shown"

// ConfirmLast reports whether a command has to show what `last` stands for, and ask, before
// it approves or applies it: another program may have made a newer draft or run than the one
// that the user means. It does not if the terminal has shown one of the ids in shown. Where
// it can't ask, the error has the id and the command to type. Any other argument than `last`
// is exact.
func (s *Shell) ConfirmLast(arg, id, command string, shown ...string) (ask bool, err error) {
	if arg != lastAlias || slices.ContainsFunc(shown, s.hasShown) {
		return false, nil
	}
	return s.askAboutLast(id, command)
}

// ConfirmLastRecipe is ConfirmLast for a recipe, of which no terminal keeps whether it was
// shown. name is the one that was found for arg.
func (s *Shell) ConfirmLastRecipe(arg, name, command string) (ask bool, err error) {
	if arg != lastAlias || name == lastAlias { // a recipe may have that name
		return false, nil
	}
	return s.askAboutLast(name, command)
}

func (s *Shell) askAboutLast(id, command string) (bool, error) {
	if s.CanAsk && !s.JSON {
		return true, nil
	}
	return false, tool.NewError(tool.ValidationError, codeLastNotShown, message.New("cli.last_not_shown", "id", id)).
		WithHint(message.New("cli.last_not_shown_hint", "command", command))
}
