package apps

import (
	"slices"
	"strings"

	"errand/planner/message"
)

// maxArguments bounds a command line; longer ones are not started.
const maxArguments = 256

// Command returns the argument vector that starts the application without files. Nothing is
// passed to a shell: "$HOME", ";" and "*" are ordinary characters. The codes of files and
// addresses (%f, %F, %u, %U) and the deprecated ones are removed; %i, %c and %k are replaced. The error says
// what is wrong with the Exec key.
func (e Entry) Command() ([]string, error) {
	if strings.TrimSpace(e.Exec) == "" {
		return nil, message.Error("apps.no_exec")
	}
	words, err := splitCommand(e.Exec)
	if err != nil {
		return nil, err
	}
	var argv []string
	for i, word := range words {
		if word == "%i" {
			if e.Icon != "" {
				argv = append(argv, "--icon", e.Icon)
			}
			continue
		}
		arg, err := e.expand(word)
		if err != nil {
			return nil, err
		}
		if arg == "" && word != "" && i > 0 { // the code was all of it
			continue
		}
		argv = append(argv, arg)
	}
	switch {
	case len(argv) == 0 || argv[0] == "" || strings.Contains(argv[0], "=") || strings.Contains(argv[0], "/") && argv[0][0] != '/':
		return nil, message.Error("apps.bad_program", "exec", e.Exec)
	case len(argv) > maxArguments:
		return nil, message.Error("apps.too_many_arguments", "count", len(argv), "limit", maxArguments)
	case strings.ContainsRune(strings.Join(argv, ""), 0):
		return nil, message.Error("apps.null_character")
	}
	return argv, nil
}

// expand replaces the field codes in one argument.
func (e Entry) expand(word string) (string, error) {
	if !strings.Contains(word, "%") {
		return word, nil
	}
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		if word[i] != '%' {
			b.WriteByte(word[i])
			continue
		}
		if i++; i == len(word) {
			return "", message.Error("apps.lone_percent", "exec", e.Exec)
		}
		switch word[i] {
		case '%':
			b.WriteByte('%')
		case 'c':
			b.WriteString(e.Name(e.locale))
		case 'k':
			b.WriteString(e.File)
		case 'f', 'F', 'u', 'U', 'i', 'd', 'D', 'n', 'N', 'v', 'm':
		default:
			return "", message.Error("apps.unknown_field_code", "code", word[i-1:i+1], "exec", e.Exec)
		}
	}
	return b.String(), nil
}

// splitCommand splits a command line into words. Double quotes group words; inside them a
// backslash escapes `"`, "`", "$" and itself. As in GLib, single quotes group too, and outside of
// quotes a backslash escapes any character.
func splitCommand(line string) ([]string, error) {
	var words []string
	var b strings.Builder
	inWord := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if inWord {
				words = append(words, b.String())
				b.Reset()
			}
			inWord = false
			continue
		case c == '"' || c == '\'':
			end := quotedUntil(line, i)
			if end < 0 {
				return nil, message.Error("apps.open_quote", "exec", line)
			}
			b.WriteString(unquote(line[i+1:end], c))
			i = end
		case c == '\\' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
		default:
			b.WriteByte(c)
		}
		inWord = true
	}
	if inWord {
		words = append(words, b.String())
	}
	return words, nil
}

// quotedUntil is the index of the quote that ends the one at i; -1: none.
func quotedUntil(line string, i int) int {
	quote := line[i]
	for i++; i < len(line); i++ {
		switch {
		case line[i] == quote:
			return i
		case line[i] == '\\' && quote == '"':
			i++
		}
	}
	return -1
}

// unquote removes the backslashes of escapes in a quoted text.
func unquote(s string, quote byte) string {
	if quote == '\'' || !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\"`$\\", s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// shells are programs that run the text after -c.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "fish", "ash", "csh", "tcsh", "busybox", "pwsh"}

// StartsShell reports whether an argument vector runs a command shell, directly or by env.
func StartsShell(argv []string) bool {
	for i, arg := range argv {
		switch name := arg[strings.LastIndexByte(arg, '/')+1:]; {
		case slices.Contains(shells, name):
			return true
		case i == 0 && name == "env", i > 0 && (strings.HasPrefix(arg, "-") || strings.Contains(arg, "=")):
		default:
			return false
		}
	}
	return false
}
