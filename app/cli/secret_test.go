package cli

import (
	"os"
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/build/must"
)

// TestMissingSecretPrompt checks that a run asks for a recipe's missing secrets, and that it does
// not ask if the terminal would show the input.
func TestMissingSecretPrompt(t *testing.T) {
	p := sit(t)
	file := p.home + "/pin.toml"
	text := `schema = 1
name = "pin"
[params.pin]
type = "secret"
pattern = "[0-9]+"
description = "of the door"
[[step]]
tool = "browser.fill"
args = { locator = { label = "Door" }, value = "{pin}" }
`
	must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
	for _, c := range []struct {
		name  string
		hides bool
		args  []string
		want  string
	}{
		{"asked for", true, nil, "pin: of the door\npin (not shown): errand: pin.toml:3: parameter pin: it does not match the pattern [0-9]+"},
		{"given", true, []string{"--param", "pin=x"}, "errand: pin.toml:3: parameter pin: it does not match"},
		{"would be seen", false, nil, "errand: pin.toml:3: the secret pin is missing: give it with --param-file pin=FILE (- is standard input), or run the recipe at a terminal"},
		{"for a script", true, []string{"--json"}, "the secret pin is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var shown strings.Builder
			code := Main(t.Context(), System{
				Args: append([]string{"run", "--recipe", file}, c.args...), Env: p.env, Stdin: strings.NewReader("sesame\n"), Stdout: &shown, Stderr: &shown, CanAsk: true,
				Hide: func() (func(), bool) { return func() {}, c.hides },
			})
			got := strings.ReplaceAll(shown.String(), file, "pin.toml")
			if code != int(print.Usage) || !strings.Contains(got, c.want) || strings.Contains(got, "sesame") {
				t.Errorf("exit %d, want %q in\n%s", code, c.want, got)
			}
		})
	}
}
