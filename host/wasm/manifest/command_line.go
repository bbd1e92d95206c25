package manifest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"errand/planner/message"
)

// Formats of [Tool.Stdout].
const (
	StdoutText = "text" // the payload is an object with the text
	StdoutJSON = "json" // the payload is the JSON value
)

// placeholder matches {{name}}, {{config.name}} and the condition {{?name}}.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{(\??)(config\.)?([A-Za-z_][A-Za-z0-9_-]*)\}\}`)
})

// RunsCommandLine reports whether the tool is a command with arguments of its own. Such a
// command neither reads nor writes Errand's JSON.
func (t *Tool) RunsCommandLine() bool { return t.Argv != nil }

// CommandLine fills in the templates of a command: its arguments after the program's
// name, and its standard input.
//
// An element whose placeholder has no value is left out, and so is one that begins with
// {{?name}} if the value is missing or false. An element with one placeholder is repeated
// for each item of a list. Texts are inserted as they are, other values as JSON.
//
// It refuses a text that the command would read as an option, and one with a NUL
// character.
func (t *Tool) CommandLine(args, config map[string]any) (argv []string, stdin []byte, err error) {
	v := templateValues{args, config}
	ended := false // by "--": what follows can't be an option
	for _, element := range t.Argv {
		expanded, fromText := v.expand(element)
		for _, value := range expanded {
			switch {
			case strings.ContainsRune(value, 0):
				return nil, nil, message.Error("manifest.argument_with_nul", "template", element)
			case fromText && !ended && strings.HasPrefix(value, "-") && value != "-":
				return nil, nil, message.Error("manifest.argument_is_option", "value", truncate(value, 80), "template", element)
			}
			argv = append(argv, value)
		}
		ended = ended || element == "--"
	}
	text := placeholder().ReplaceAllStringFunc(t.Stdin, func(s string) string {
		value, _ := v.get(placeholder().FindStringSubmatch(s))
		return valueText(value)
	})
	return argv, []byte(text), nil
}

// templateValues are the values for placeholders.
type templateValues struct{ args, config map[string]any }

// get returns the value of a placeholder's match. A null counts as missing.
func (v templateValues) get(match []string) (value any, ok bool) {
	values := v.args
	if match[2] != "" {
		values = v.config
	}
	value = values[match[3]]
	return value, value != nil
}

// expand returns the arguments that an element stands for. fromText reports that they
// begin with a text from the call.
func (v templateValues) expand(element string) (out []string, fromText bool) {
	for {
		at := placeholder().FindStringSubmatchIndex(element)
		if at == nil || at[0] > 0 || at[2] == at[3] {
			break
		}
		if value, ok := v.get(placeholder().FindStringSubmatch(element)); !ok || value == false {
			return nil, false
		}
		element = element[at[1]:]
	}
	matches := placeholder().FindAllStringSubmatch(element, -1)
	if len(matches) == 0 {
		return []string{element}, false
	}
	first := matches[0]
	fromArgs := first[2] == "" && strings.HasPrefix(element, first[0])
	if len(matches) == 1 {
		value, _ := v.get(first)
		if list, ok := value.([]any); ok {
			for _, item := range list {
				_, text := item.(string)
				fromText = fromText || fromArgs && text
				out = append(out, strings.Replace(element, first[0], valueText(item), 1))
			}
			return out, fromText
		}
	}
	var filled strings.Builder
	rest := element
	for _, m := range matches {
		value, ok := v.get(m)
		if !ok {
			return nil, false
		}
		before, after, _ := strings.Cut(rest, m[0])
		filled.WriteString(before + valueText(value))
		rest = after
	}
	value, _ := v.get(first)
	_, text := value.(string)
	return []string{filled.String() + rest}, fromArgs && text
}

// valueText returns a value as a text: a text itself, nothing for null, others as JSON.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	b, err := message.EncodeJSON(v)
	if err != nil {
		return fmt.Sprint(v) // can't happen: arguments come from JSON
	}
	return string(b)
}

// checkCommandLine checks the keys of a tool that runs a command line.
func (m *Manifest) checkCommandLine(f *problems, at string, where toolPlace, t Tool) {
	require := func(ok bool, key string, fault message.Message) { f.require(ok, at+"."+key, where.problem(fault)) }
	if !t.RunsCommandLine() {
		require(t.Stdin == "", "stdin", message.New("manifest.needs_argv", "key", "stdin"))
		require(t.Stdout == "", "stdout", message.New("manifest.needs_argv", "key", "stdout"))
		require(len(t.ExitCodes) == 0, "exit_codes", message.New("manifest.needs_argv", "key", "exit_codes"))
		return
	}
	require(m.ABI == WASI || m.ABI == "", "argv", message.New("manifest.argv_of_library"))
	require(!t.Reversible, "reversible", message.New("manifest.argv_has_no_answer", "key", "reversible"))
	require(t.Reconcile == "", "reconcile", message.New("manifest.argv_has_no_answer", "key", "reconcile"))
	require(slices.Contains([]string{"", StdoutText, StdoutJSON}, t.Stdout), "stdout", message.New("manifest.unknown_stdout", "stdout", t.Stdout))
	for _, code := range t.ExitCodes {
		require(code > 0 && code <= 255, "exit_codes", message.New("manifest.bad_exit_code", "code", code))
	}
	known := argumentNames(t.ArgsSchema)
	check := func(key, text string) {
		for _, match := range placeholder().FindAllStringSubmatchIndex(text, -1) {
			sub := placeholder().FindStringSubmatch(text[match[0]:match[1]])
			_, isSetting := m.Config[sub[3]]
			require(sub[2] == "" || isSetting, key, message.New("manifest.template_unknown_setting", "name", sub[3]))
			require(sub[2] != "" || slices.Contains(known, sub[3]), key, message.New("manifest.template_unknown_argument", "name", sub[3]))
		}
	}
	for i, element := range t.Argv {
		key := fmt.Sprintf("argv[%d]", i)
		check(key, element)
		require(!strings.ContainsRune(element, 0), key, message.New("manifest.argument_with_nul", "template", element))
		for _, match := range placeholder().FindAllStringSubmatchIndex(element, -1) {
			isCondition := match[2] != match[3]
			leading := placeholder().ReplaceAllString(element[:match[0]], "") == ""
			require(!isCondition || leading, key, message.New("manifest.condition_not_first", "condition", element[match[0]:match[1]]))
		}
	}
	check("stdin", t.Stdin)
	require(!strings.Contains(t.Stdin, "{{?"), "stdin", message.New("manifest.condition_in_stdin"))
}

// argumentNames returns the names of a schema's properties.
func argumentNames(schema string) (names []string) {
	var node struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal([]byte(schema), &node) // a bad schema is reported elsewhere
	for name := range node.Properties {
		names = append(names, name)
	}
	return names
}
