// Package help has the texts of commands and prints the help that is made of them.
//
// The texts are in the area help of the catalogue, by the path of the command:
// help.plugin.call.short, .long, .example, .use (its arguments) and .flag.NAME.
// help.flag.NAME is for flags that mean the same in several commands. They are looked
// up when help is shown.
package help

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"errand/app/i18n"
)

// Describe sets the texts of a command and of all commands below it.
func Describe(root *cobra.Command, l *i18n.Language) {
	for _, c := range Commands(root) {
		key := Key(c)
		c.Short = sayIf(l, key+"short")
		c.Long = sayIf(l, key+"long")
		c.Example = sayIf(l, key+"example")
		c.Use = strings.TrimSpace(c.Name() + " " + sayIf(l, key+"use"))
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { f.Usage = flagText(l, c, f.Name) })
	}
}

// Key returns the prefix of the codes of a command's texts.
func Key(c *cobra.Command) string {
	path := c.Name()
	for p := c.Parent(); p != nil && p.HasParent(); p = p.Parent() {
		path = p.Name() + "." + path
	}
	return "help." + strings.ReplaceAll(path, "-", "_") + "."
}

// flagText returns the text of a flag: that of its command, or the one shared by all commands.
func flagText(l *i18n.Language, c *cobra.Command, name string) string {
	name = "flag." + strings.ReplaceAll(name, "-", "_")
	if code := Key(c) + name; l.Has(code) {
		return l.Say(code)
	}
	return l.Say("help."+name, "command", c.Name())
}

func sayIf(l *i18n.Language, code string) string {
	if !l.Has(code) {
		return ""
	}
	return l.Say(code)
}

// Print writes the help of a command.
func Print(w io.Writer, c *cobra.Command, l *i18n.Language) {
	Describe(c.Root(), l)
	text := c.Long
	if text == "" {
		text = c.Short
	}
	text = strings.TrimRight(text, " \n")
	if text != "" {
		text += "\n\n"
	}
	if c.Runnable() || c.HasSubCommands() {
		text += usage(c, l)
	}
	fmt.Fprint(w, text)
}

// Commands returns a command and all below it.
func Commands(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		all = append(all, Commands(sub)...)
	}
	return all
}

// usage describes the arguments, examples, commands and flags of a command.
func usage(c *cobra.Command, l *i18n.Language) string {
	var b strings.Builder
	heading := func(code string) { b.WriteString("\n" + l.Say(code) + "\n") }
	b.WriteString(l.Say("cli.help_usage") + "\n")
	if c.Runnable() {
		b.WriteString("  " + strings.Replace(c.UseLine(), "[flags]", l.Say("cli.help_any_flags"), 1) + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("  " + c.CommandPath() + " " + l.Say("cli.help_any_command") + "\n")
	}
	if c.HasExample() {
		heading("cli.help_examples")
		b.WriteString(c.Example + "\n")
	}
	if c.HasAvailableSubCommands() {
		heading("cli.help_commands")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	if c.HasAvailableLocalFlags() {
		heading("cli.help_flags")
		b.WriteString(flagTable(c.LocalFlags(), l))
	}
	if c.HasAvailableInheritedFlags() {
		heading("cli.help_global_flags")
		b.WriteString(flagTable(c.InheritedFlags(), l))
	}
	if c.HasHelpSubCommands() {
		heading("cli.help_topics")
		for _, sub := range c.Commands() {
			if sub.IsAdditionalHelpTopicCommand() {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.CommandPathPadding(), sub.CommandPath(), sub.Short)
			}
		}
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n" + l.Say("cli.help_more", "command", c.CommandPath()) + "\n")
	}
	return b.String()
}

// flagTable formats flags with their values, texts and defaults in aligned columns.
func flagTable(flags *pflag.FlagSet, l *i18n.Language) string {
	var names, texts []string
	widest := 0
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "      --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		value, text := pflag.UnquoteUsage(f)
		if value != "" {
			if !strings.Contains(f.Usage, "`") {
				value = l.Say("cli.help_value", "type", value)
			}
			name += " " + value
		}
		if isSet(f) {
			defaultText := f.DefValue
			if f.Value.Type() == "string" {
				defaultText = strconv.Quote(defaultText)
			}
			text += " " + l.Say("cli.help_default", "value", defaultText)
		}
		names, texts = append(names, name), append(texts, text)
		widest = max(widest, utf8.RuneCountInString(name))
	})
	var b strings.Builder
	for i, name := range names {
		fmt.Fprintf(&b, "%s%s   %s\n", name, strings.Repeat(" ", widest-utf8.RuneCountInString(name)), texts[i])
	}
	return b.String()
}

// isSet reports whether a flag's default is worth showing.
func isSet(f *pflag.Flag) bool {
	switch f.DefValue {
	case "", "false", "0", "0s", "[]":
		return false
	}
	return true
}
