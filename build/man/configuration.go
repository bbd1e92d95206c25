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
	fmt.Fprintf(&b, ".TH ERRAND.TOML 5 %s %s %s\n.nh\n.ad l\n", quoted(date), quoted("errand "+app.Version), quoted("Errand's manual"))
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
`

// configurationDocument returns docs/configuration.md.
func configurationDocument() []byte {
	var b bytes.Buffer
	b.WriteString("# Configuration\n\n")
	intro, commands, _ := strings.Cut(configurationIntro, "\n\n")
	fmt.Fprintf(&b, "%s\n\n```sh\n", intro)
	for line := range strings.Lines(commands) {
		command, what, _ := strings.Cut(strings.TrimPrefix(line, "  "), "   ")
		fmt.Fprintf(&b, "%-22s # %s", command, strings.TrimLeft(what, " "))
	}
	b.WriteString("```\n\nThis page is generated from the code: `UPDATE=1 go test ./build/man` writes it.\n\n## Keys\n")
	table := "\x00"
	for _, e := range config.Reference() {
		if name := tableOf(e.Key); name != table {
			table = name
			fmt.Fprintf(&b, "\n### %s\n\n", table)
		}
		fmt.Fprintf(&b, "- `%s`: %s", e.Key, e.Doc)
		for _, line := range facts(e) {
			fmt.Fprintf(&b, "\n  %s", line)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## Environment variables\n\nA variable named ERRAND_SECTION_KEY sets a key, as listed above. These set none:\n\n")
	for _, v := range config.Variables() {
		fmt.Fprintf(&b, "- `%s`: %s\n", v.Name, v.Doc)
	}
	return b.Bytes()
}

// tableOf returns the table of a key, as written in errand.toml.
func tableOf(key string) string {
	if list, _, ok := strings.Cut(key, "[]"); ok {
		return "[[" + list + "]]"
	}
	i := strings.LastIndexByte(key, '.')
	if i < 0 {
		return "[[" + key + "]]"
	}
	return "[" + key[:i] + "]"
}

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
