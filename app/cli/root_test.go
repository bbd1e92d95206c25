package cli

import (
	"context"
	"testing"

	"errand/app/cli/help"
)

// TestOnlyTheNeededCommand: each command is added by its name, and can be made without the
// others.
func TestOnlyTheNeededCommand(t *testing.T) {
	s := newShell(context.Background(), System{})
	all := s.root()
	for _, c := range commands {
		root := s.root(only([]string{c.name})...)
		below := root.Commands()
		if len(below) != 1 || below[0].Name() != c.name {
			t.Fatalf("%s: %d commands, the first is %s", c.name, len(below), below[0].Name())
		}
		whole, _, err := all.Find([]string{c.name})
		if err != nil || len(help.Commands(whole)) != len(help.Commands(below[0])) {
			t.Errorf("%s is another command alone: %v", c.name, err)
		}
	}
	for _, args := range [][]string{nil, {"help"}, {"--quiet", "plan"}, {"pla"}, {"completion"}, {"__complete"}} {
		if len(only(args)) != 0 {
			t.Errorf("%q needs all commands", args)
		}
	}
	if got := len(s.root().Commands()); got < len(commands)+2 { // help and completion
		t.Errorf("all are %d commands of %d", got, len(commands))
	}
}
