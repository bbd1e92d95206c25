package cli

import (
	"regexp"
	"strings"
	"testing"

	"errand/app/cli/help"
	"errand/app/i18n"
)

// shellWord is a word of an example, with or without quotes.
var shellWord = regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s"']+`)

// TestHelpExamples checks that the program accepts each example in a command's help, in each
// language.
func TestHelpExamples(t *testing.T) {
	for _, tag := range i18n.Tags() {
		root := newCommands(t.Context(), System{}).root()
		help.Describe(root, i18n.ForTag(tag))
		examples := 0
		for _, c := range help.Commands(root) {
			for line := range strings.Lines(c.Example + "\n" + c.Long) {
				rest, ok := strings.CutPrefix(strings.TrimSpace(line), "errand ")
				if !ok || !strings.HasPrefix(line, "  ") {
					continue
				}
				rest = redirection.Split(rest, 2)[0]
				rest, _, _ = strings.Cut(rest, "    ") // what it does
				var args []string
				for _, w := range shellWord.FindAllString(rest, -1) {
					args = append(args, strings.Trim(w, `"'`))
				}
				examples++
				testAccepted(t, tag, args)
			}
		}
		if examples < 40 {
			t.Errorf("%s: only %d examples", tag, examples)
		}
	}
}

// redirection matches shell syntax after a command.
var redirection = regexp.MustCompile(`\s[|<>]`)

// testAccepted checks arguments like the program does before it runs a command.
func testAccepted(t *testing.T, tag string, args []string) {
	t.Helper()
	args, _ = expandGoal(args)
	c, rest, err := newCommands(t.Context(), System{Args: args}).root().Find(args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil {
		t.Errorf("%s: errand %q: %v", tag, args, err)
	}
}
