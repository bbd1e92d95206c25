// Package answers puts calls and their results into words for people: a call in
// one line, a run's result in a few. It knows kinds of results and no tool; what
// is a tool's own stands in its package, as package display describes it.
package answers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/host/browser/locator"
	"errand/host/tool/display"
)

// maxValueRunes bounds one argument in a summary.
const maxValueRunes = 200

// SummarizeCall says in one line what a call does, from its arguments alone: the
// words of who proposed it might say something else. Every argument is in it.
func SummarizeCall(language, tool string, args map[string]any) string {
	d, _ := displayOf(tool)
	summary, rest := summarize(language, tool, args)
	for _, key := range slices.Sorted(maps.Keys(rest)) {
		switch value := rest[key]; {
		case key == "recursive" && value == true:
			summary += say(language, "recursive")
		case key == "if_unchanged":
			summary += say(language, "if_unchanged")
		default:
			if words, ok := argumentWords(d, value); ok {
				value = words
			}
			summary += ", " + FormatValue(key) + " = " + FormatValue(value)
		}
	}
	return summary
}

// SummarizeBriefly says what a call is about and leaves its other arguments out.
func SummarizeBriefly(language, tool string, args map[string]any) string {
	summary, _ := summarize(language, tool, args)
	return summary
}

// summarize returns a summary of a call, and the arguments that are not in it.
func summarize(language, tool string, args map[string]any) (summary string, rest map[string]any) {
	d, known := displayOf(tool)
	rest = maps.Clone(args)
	if !known {
		return say(language, "run", "tool", tool), rest
	}
	for _, s := range d.Summary {
		values := map[string]string{}
		for _, name := range s.Args {
			if words, ok := argumentWords(d, args[name]); ok && (words != "" || len(s.Args) == 1) {
				values[name] = FormatValue(words)
			}
		}
		if len(values) < len(s.Args) {
			continue
		}
		for _, name := range s.Args {
			delete(rest, name)
		}
		return display.Fill(s.Text.In(language), values), rest
	}
	return d.Title.In(language), rest
}

// argumentWords returns an argument in words: a text, or where the tool has such
// arguments, a list of texts or an element of a page.
func argumentWords(d display.Tool, arg any) (string, bool) {
	switch arg := arg.(type) {
	case string:
		return arg, true
	case []any:
		var all []string
		for _, v := range arg {
			text, ok := v.(string)
			if !ok {
				return "", false
			}
			all = append(all, text)
		}
		return strings.Join(all, ", "), len(all) > 0 && d.Lists
	case map[string]any:
		if d.Locators {
			l, err := locator.Parse(arg)
			return l.String(), err == nil
		}
	}
	return "", false
}

// FormatValue writes a value on one line, without line breaks and control
// characters. What is left out of a long one is counted.
func FormatValue(v any) string {
	text, isText := v.(string)
	if !isText {
		b, err := json.Marshal(v)
		if err != nil {
			return "?"
		}
		text = string(b)
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsGraphic(r) {
			return '\uFFFD' // among them what turns the direction of writing
		}
		return r
	}, text)
	if n := utf8.RuneCountInString(text); n > maxValueRunes {
		text = fmt.Sprintf("%s… (+%d)", string([]rune(text)[:maxValueRunes]), n-maxValueRunes)
	}
	return text
}
