package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"errand/app/cli/help"
	"errand/app/i18n"
	"errand/build/must"
)

// TestLanguageOfACommand checks that help, errors and answers of one command are in the language
// that it chose. An error in the configuration is in the system's language.
func TestLanguageOfACommand(t *testing.T) {
	tests := []struct {
		name, config, locale string
		args                 []string
		want                 string
	}{
		{"help by locale", "", "ru_RU.UTF-8", []string{"runs", "--help"}, "Использование:"},
		{"help by setting", "[ui]\nlanguage = \"en\"\n", "ru_RU.UTF-8", []string{"runs", "--help"}, "Usage:"},
		{"usage error by setting", "[ui]\nlanguage = \"ru\"\n", "", []string{"show"}, "для errand show нужно указать: id выполнения"},
		{"usage error in JSON", "[ui]\nlanguage = \"ru\"\n", "", []string{"show", "--json"}, `"message": "errand show needs the id of a run"`},
		{"flag", "", "ru", []string{"runs", "--limit", "x"}, "неверное значение «x» флага --limit"},
		{"wrong configuration", "[ui]\nlanguage = 5\n", "ru", []string{"runs"}, "подсказка: исправьте настройки"},
		{"plan by goal", "", "en_US.UTF-8", []string{"plan", "открой ютуб"}, "1 шаг"},
		{"plan by setting", "[ui]\nlanguage = \"en\"\n", "", []string{"plan", "открой ютуб"}, "1 step"},
		{"plan in JSON", "[ui]\nlanguage = \"en\"\n", "", []string{"plan", "--json", "открой ютуб"}, `"preview": "Открыть`},
		{"plan of an English goal in JSON", "", "ru", []string{"plan", "--json", "open youtube"}, `"preview": "Open `},
		{"completion", "", "ru", []string{"__complete", "policy", "re"}, "revoke\tОтозвать разрешения узлов"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t)
			if tt.config != "" {
				place := filepath.Join(p.home, ".config", "errand", "errand.toml")
				must.Succeed(t, os.MkdirAll(filepath.Dir(place), 0o700))
				must.Succeed(t, os.WriteFile(place, []byte(tt.config), 0o600))
			}
			var shown bytes.Buffer
			Main(t.Context(), System{
				Args: tt.args, Env: append(p.env, "LANG="+tt.locale), Stdin: strings.NewReader(""), Stdout: &shown, Stderr: &shown,
			})
			if !strings.Contains(shown.String(), tt.want) {
				t.Errorf("%q is not in\n%s", tt.want, shown.String())
			}
		})
	}
}

// TestHelpTexts checks that each command has a short text and each flag has a text, in every
// language, and that the area help has no other texts.
func TestHelpTexts(t *testing.T) {
	root := newCommands(t.Context(), System{}).root()
	documentStatus(root)
	used := map[string]bool{}
	for _, c := range help.Commands(root) {
		c.InitDefaultHelpFlag()
		c.InitDefaultVersionFlag()
		for _, name := range []string{"short", "long", "example", "use"} {
			used[help.Key(c)+name] = true
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			name := "flag." + strings.ReplaceAll(f.Name, "-", "_")
			used[help.Key(c)+name], used["help."+name] = true, true
		})
	}
	for _, tag := range i18n.Tags() {
		l := i18n.ForTag(tag)
		help.Describe(root, l)
		for _, c := range help.Commands(root) {
			if c.Short == "" {
				t.Errorf("%s: %s has no %sshort", tag, c.CommandPath(), help.Key(c))
			}
			c.LocalFlags().VisitAll(func(f *pflag.Flag) {
				if f.Usage == "" || strings.HasPrefix(f.Usage, "help.") {
					t.Errorf("%s: %s --%s has no text", tag, c.CommandPath(), f.Name)
				}
			})
		}
		for code := range textsOf(t, tag, "help") {
			if !used[code] && !strings.HasPrefix(code, "help.exit.") { // which the source names
				t.Errorf("%s: nothing shows %s", tag, code)
			}
		}
	}
}

// textsOf reads the texts of an area from a language's file.
func textsOf(t *testing.T, tag, area string) map[string]string {
	t.Helper()
	b := must.ReadFile(t, filepath.Join(repository, "app", "i18n", tag+".toml"))
	var tables map[string]map[string]any
	must.Succeed(t, toml.Unmarshal(b, &tables))
	texts := map[string]string{}
	var walk func(prefix string, table map[string]any)
	walk = func(prefix string, table map[string]any) {
		for key, v := range table {
			switch v := v.(type) {
			case string:
				texts[prefix+key] = v
			case map[string]any:
				walk(prefix+key+".", v)
			}
		}
	}
	walk(area+".", tables[area])
	return texts
}
