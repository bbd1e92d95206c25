package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"errand/build/must"
)

var (
	// namedCommand is a command line in a text: errand, its words and flags.
	namedCommand = regexp.MustCompile(`(?:^|[^A-Za-z/._-])errand((?: +(?:[a-z][a-z-]*|--[a-z][a-z0-9-]*|[A-Z][A-Z_=.]*|…|\{+[a-z_]+\}+))+)`)
	namedFlag    = regexp.MustCompile(`(?:^|[\s"'(` + "`" + `«])(--[a-z][a-z0-9-]+)`)
)

// foreignTexts are the texts that name options of other programs: compilers, Chromium, shells and keyrings.
var foreignTexts = regexp.MustCompile(`^(module\.|help\.completion\.|browser\.start_with_port|session\.cdp_unreachable_hint|web\.no_page|keyring\.store_hint)`)

// TestTextReferences checks that the commands and flags named in any text, in each language,
// exist.
func TestTextReferences(t *testing.T) {
	root := newCommands(t.Context(), System{}).root()
	flags := flagNames(root)
	named := 0
	for _, file := range []string{"../i18n/en.toml", "../i18n/ru.toml"} {
		b := must.ReadFile(t, file)
		var doc map[string]any
		must.Succeed(t, toml.Unmarshal(b, &doc))
		eachText("", doc, func(code, text string) {
			if foreignTexts.MatchString(code) {
				return
			}
			for _, m := range namedCommand.FindAllStringSubmatch(text, -1) {
				named++
				if fault := commandFault(root, strings.Fields(m[1])); fault != "" {
					t.Errorf("%s: %s: %q: %s", file, code, text, fault)
				}
			}
			for _, m := range namedFlag.FindAllStringSubmatch(text, -1) {
				if !slices.Contains(flags, m[1]) {
					t.Errorf("%s: %s: %q: no command has the flag %s", file, code, text, m[1])
				}
			}
		})
	}
	if named < 200 {
		t.Errorf("only %d commands in the texts: the test does not find them", named)
	}
}

// TestCommandFault checks the test above.
func TestCommandFault(t *testing.T) {
	root := newCommands(t.Context(), System{}).root()
	for words, fault := range map[string]bool{
		"runs": false, "plugin list": false, "run --allow": false, "plugin build --json": false, "run GOAL --yes": false, "runs lists them": false,
		"run --tool": false, "--json": false, "fly": true, "plugin fly": true, "runs --allow": true, "plugin enable --force": true, "plan --yes": true,
	} {
		if got := commandFault(root, strings.Fields(words)); (got != "") != fault {
			t.Errorf("errand %s: %q", words, got)
		}
	}
}

// commandFault returns what is wrong with the words after "errand", or "".
func commandFault(root *cobra.Command, words []string) string {
	const group = 3 // subcommands of a command that does nothing alone
	c := root
	for len(words) > 0 && c.HasSubCommands() && !strings.HasPrefix(words[0], "-") {
		i := slices.IndexFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Name() == words[0] })
		if i < 0 && (c == root || len(c.Commands()) >= group) && words[0][0] >= 'a' && words[0][0] <= 'z' && words[0] != "help" {
			return "there is no command " + c.CommandPath() + " " + words[0]
		}
		if i < 0 {
			break
		}
		c, words = c.Commands()[i], words[1:]
	}
	for _, w := range words {
		if name, ok := strings.CutPrefix(w, "--"); ok && name != "help" && c.Flags().Lookup(name) == nil && c.InheritedFlags().Lookup(name) == nil && c.PersistentFlags().Lookup(name) == nil {
			return c.CommandPath() + " has no flag --" + name
		}
	}
	return ""
}

func flagNames(c *cobra.Command) []string {
	names := []string{"--help"}
	add := func(f *pflag.Flag) { names = append(names, "--"+f.Name) }
	c.Flags().VisitAll(add)
	c.PersistentFlags().VisitAll(add)
	for _, sub := range c.Commands() {
		names = append(names, flagNames(sub)...)
	}
	return names
}

// eachText calls f for each text of a language file.
func eachText(code string, v any, f func(code, text string)) {
	switch v := v.(type) {
	case string:
		f(code, v)
	case map[string]any:
		for name, item := range v {
			eachText(strings.TrimPrefix(code+"."+name, "."), item, f)
		}
	}
}
