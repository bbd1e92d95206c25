package cli

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"errand/app/cli/help"
)

// TestOnlyTheNeededCommands checks that each command is found by its name and is the same without
// the other groups.
func TestOnlyTheNeededCommands(t *testing.T) {
	s := newCommands(t.Context(), System{})
	all := s.root()
	seen := 2 // help and completion
	for _, g := range groups {
		var names []string
		for _, c := range s.root(g).Commands() {
			names = append(names, c.Name())
			whole, _, err := all.Find([]string{c.Name()})
			if err != nil || len(help.Commands(whole)) != len(help.Commands(c)) {
				t.Errorf("%s is another command alone: %v", c.Name(), err)
			}
		}
		if slices.Sort(names); !slices.Equal(names, slices.Sorted(slices.Values(g.names))) {
			t.Errorf("the group %q has the commands %q", g.names, names)
		}
		for _, name := range g.names {
			if found, ok := findGroup([]string{name, "--help"}); !ok || !slices.Equal(found.names, g.names) {
				t.Errorf("%s is in the group %q", name, found.names)
			}
		}
		seen += len(g.names)
	}
	if got := len(all.Commands()); got != seen {
		t.Errorf("%d commands, and %d in groups", got, seen)
	}
	for _, args := range [][]string{nil, {"help"}, {"--quiet", "plan"}, {"pla"}, {"completion"}, {cobra.ShellCompRequestCmd}} {
		if g, ok := findGroup(args); ok {
			t.Errorf("%q needs all commands, not %q", args, g.names)
		}
	}
}
