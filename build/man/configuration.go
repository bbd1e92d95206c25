package main

import (
	"bytes"
	"fmt"
	"strings"

	"errand/app"
	"errand/app/config"
)

// configurationPage returns errand.toml(5).
func configurationPage(date string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH ERRAND.TOML 5 %s %s %s\n.nh\n.ad l\n", quoteRoff(date), quoteRoff("errand "+app.Version), quoteRoff("Errand's manual"))
	b.WriteString(".SH NAME\nerrand.toml \\- configuration of Errand\n.SH DESCRIPTION\n")
	prose(&b, configurationIntro)
	b.WriteString(".SH KEYS\n")
	for _, e := range config.Reference() {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", literal(e.Key), text(plainText(e.Doc)))
		for _, line := range facts(e) {
			fmt.Fprintf(&b, ".br\n%s\n", literal(plainText(line)))
		}
	}
	b.WriteString(".SH ENVIRONMENT\n")
	for _, v := range config.Variables() {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", literal(v.Name), text(v.Doc))
	}
	b.WriteString(".SH SEE ALSO\n.BR errand (1)\n")
	return b.Bytes()
}

const configurationIntro = `The configuration is optional. Errand reads errand.toml in the configuration folder
(~/.config/errand on Linux), the file that ERRAND_CONFIG names, or the one given
with --config. A wrong key or value is an error with its line: Errand doesn't start
with it. An environment variable beats the file. Lists are separated by commas there.

  errand config init     writes a file with every default
  errand config check    checks the file and the environment
  errand config show     prints every value and where it came from
  errand config get      prints one value
  errand config set      changes a setting; add and remove change a list, reset restores the default
`

// facts returns the default, the choices and the environment variable of a key as
// Markdown.
func facts(e config.Entry) []string {
	var out []string
	if e.Default != "" {
		out = append(out, "Default: `"+e.Default+"`.")
	}
	if len(e.Choices) > 0 {
		var quotes []string
		for _, c := range e.Choices {
			quotes = append(quotes, fmt.Sprintf("`%q`", c))
		}
		out = append(out, "One of "+strings.Join(quotes, ", ")+".")
	}
	if e.Env != "" {
		out = append(out, "Environment: `"+e.Env+"`.")
	}
	return out
}

// plainText removes code and link marks from Markdown.
func plainText(s string) string {
	for {
		before, rest, found := strings.Cut(s, "[")
		label, after, isLink := strings.Cut(rest, "](")
		if !found || !isLink {
			return strings.ReplaceAll(s, "`", "")
		}
		_, after, _ = strings.Cut(after, ")")
		s = before + label + after
	}
}
