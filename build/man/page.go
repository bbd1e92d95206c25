package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"errand/app/cli/print"
	"errand/app/i18n"
)

// page returns the manual page of a command with the man macros of groff_man(7). The date
// may be empty.
func page(c *cobra.Command, date string) []byte {
	root := c.Root()
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s %s %s %s %s\n", quoteRoff(strings.ToUpper(pageName(c))), section(c), quoteRoff(date),
		quoteRoff(root.Name()+" "+root.Version), quoteRoff("Errand's manual"))
	// Don't hyphenate words.
	b.WriteString(".nh\n.ad l\n.SH NAME\n")
	fmt.Fprintf(&b, "%s \\- %s\n", literal(pageName(c)), text(c.Short))

	if section(c) == "7" {
		b.WriteString(".SH DESCRIPTION\n")
		prose(&b, c.Long)
		seeAlso(&b, c)
		return b.Bytes()
	}
	b.WriteString(".SH SYNOPSIS\n")
	if c.Runnable() && c.HasParent() {
		fmt.Fprintf(&b, ".B %s\n", literal(c.UseLine()))
	} else {
		fmt.Fprintf(&b, ".B %s\n.I command\n[\\fIflags\\fR]\n", literal(c.CommandPath()))
	}
	b.WriteString(".SH DESCRIPTION\n")
	long := c.Long
	if long == "" {
		long = c.Short + "."
	}
	prose(&b, long)

	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", literal(pageName(sub)), text(sub.Short))
			}
		}
	}
	options(&b, "OPTIONS", c.LocalFlags())
	options(&b, "OPTIONS OF EVERY COMMAND", c.InheritedFlags())
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		verbatim(&b, strings.Split(c.Example, "\n"))
	}
	exitStatus(&b, c)
	if !c.HasParent() {
		b.WriteString(places)
	}
	seeAlso(&b, c)
	return b.Bytes()
}

// places lists the files that the help texts don't mention.
const places = `.SH FILES
.TP
.I ~/.config/errand/errand.toml
The configuration. It is optional:
.B errand config init
writes one with every default.
.TP
.I ~/.local/share/errand
Runs, drafts, pictures and installed plugins.
.TP
.I ~/.cache/errand
Compiled plugins and browser profiles. You can delete it.
.SH ENVIRONMENT
.BR errand.toml (5)
lists the keys of the configuration and the environment variables.
`

func exitStatus(b *bytes.Buffer, c *cobra.Command) {
	b.WriteString(".SH EXIT STATUS\n")
	for _, s := range print.StatusOf(c) {
		fmt.Fprintf(b, ".TP\n.B %d\n%s\n", s.Code, text(i18n.English().Text(s.Meaning)))
	}
}

func options(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(b, "\\fB%s\\fR, ", literal("-"+f.Shorthand))
		}
		fmt.Fprintf(b, "\\fB%s\\fR", literal("--"+f.Name))
		if value != "" {
			fmt.Fprintf(b, " \\fI%s\\fR", literal(value))
		}
		fmt.Fprintf(b, "\n%s", text(usage))
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" && d != "0s" {
			fmt.Fprintf(b, " (default %s)", literal(d))
		}
		b.WriteString("\n")
	})
}

func seeAlso(b *bytes.Buffer, c *cobra.Command) {
	var pages []string
	for p := c.Parent(); p != nil; p = p.Parent() {
		pages = append(pages, pageName(p))
	}
	for i, p := range pages {
		pages[i] = literal(p) + " (1)"
	}
	if len(pages) == 0 {
		pages = []string{`errand\-desktop (1)`, "errand.toml (5)", `errand\-goals (7)`}
	}
	fmt.Fprintf(b, ".SH SEE ALSO\n.BR %s\n", strings.Join(pages, ",\n.BR "))
}

// prose writes a help text: it fills paragraphs and keeps indented lines.
func prose(b *bytes.Buffer, s string) {
	var still []string // indented lines that are not written yet
	started := false
	for _, line := range append(strings.Split(strings.TrimSpace(s), "\n"), "") {
		if strings.HasPrefix(line, " ") {
			still = append(still, line)
			continue
		}
		if len(still) > 0 {
			verbatim(b, still)
			still, started = nil, false
		}
		switch {
		case line == "":
			started = false
		case !started:
			fmt.Fprintf(b, ".PP\n%s\n", text(line))
			started = true
		default:
			fmt.Fprintf(b, "%s\n", text(line))
		}
	}
}

// verbatim writes lines unchanged, without their common indentation.
func verbatim(b *bytes.Buffer, lines []string) {
	margin := len(lines[0])
	for _, line := range lines {
		if trimmed := strings.TrimLeft(line, " "); trimmed != "" {
			margin = min(margin, len(line)-len(trimmed))
		}
	}
	b.WriteString(".PP\n.RS 4\n.nf\n")
	for _, line := range lines {
		b.WriteString(literal(line[min(margin, len(line)):]) + "\n")
	}
	b.WriteString(".fi\n.RE\n")
}

// pageName returns the name of a command's page, such as "errand-plugin-call".
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// text escapes text for groff, so that no character is a request or an escape.
func text(s string) string {
	s = strings.ReplaceAll(s, `\`, `\e`)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// literal is like [text], for text to type: hyphens and quotes stay ASCII.
func literal(s string) string {
	return strings.NewReplacer("-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text(s))
}

func quoteRoff(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
