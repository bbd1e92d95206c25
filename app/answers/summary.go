// Package answers makes the messages about calls and their results: a call in one
// line, a run's result in a few. It knows kinds of results and no tool; what is a
// tool's own stands in its package, as package display describes it.
package answers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"errand/host/browser/locator"
	"errand/host/tool/display"
	"errand/planner/message"
	"errand/policy/website"
)

// maxValueRunes bounds one argument in a summary.
const maxValueRunes = 200

// SummarizeCall says in one line what a call does, from its arguments alone: the
// words of who proposed it might say something else. Every argument is in it, but for internal ones.
func SummarizeCall(tool string, args map[string]any) message.Message {
	d, _ := displayOf(tool)
	summary, rest := summarize(tool, args)
	if rest["recursive"] == true {
		summary = message.New("answer.call_recursive", "summary", summary)
		delete(rest, "recursive")
	}
	for _, name := range d.Internal {
		delete(rest, name)
	}
	if len(rest) == 0 {
		return summary
	}
	var others []message.Message
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		value, ok := argumentWords(d, rest[name])
		if !ok {
			value = message.Verbatim(FormatValue(rest[name]))
		}
		others = append(others, message.New("answer.argument", "name", FormatValue(name), "value", value))
	}
	return message.New("answer.call_with", "summary", summary, "arguments", others)
}

// WithContents is a summary of a call that deletes a folder, with the number of things in it.
func WithContents(summary message.Message, count int) message.Message {
	if inner, ok := cutClaim(summary); ok {
		return claimed(WithContents(inner, count), summary.Params["claim"])
	}
	if inner, ok := summary.Params["summary"].(message.Message); ok && summary.Code == "answer.call_recursive" {
		summary = inner
	}
	return message.New("answer.call_with_contents", "summary", summary, "count", count)
}

// OnSite is a summary of a call that acts on the page of a site. It gives the page files, or
// does something else there.
func OnSite(summary message.Message, site string, gives bool) message.Message {
	if inner, ok := cutClaim(summary); ok {
		return claimed(OnSite(inner, site, gives), summary.Params["claim"])
	}
	if inner, ok := summary.Params["summary"].(message.Message); ok && summary.Code == "answer.call_with" {
		return message.New("answer.call_with", "summary", OnSite(inner, site, gives), "arguments", summary.Params["arguments"])
	}
	return message.New("answer.call_on_site", "summary", summary, "site", website.Host(site), "gives", gives)
}

// IsInternal reports whether people need not see an argument of a tool's calls.
func IsInternal(tool, arg string) bool {
	d, _ := displayOf(tool)
	return slices.Contains(d.Internal, arg)
}

// SummarizeBriefly says what a call is about and leaves its other arguments out.
func SummarizeBriefly(tool string, args map[string]any) message.Message {
	summary, _ := summarize(tool, args)
	return summary
}

// summarize returns a summary of a call, and the arguments that are not in it.
func summarize(tool string, args map[string]any) (summary message.Message, rest map[string]any) {
	d, known := displayOf(tool)
	rest = maps.Clone(args)
	if !known {
		return message.New("answer.run", "tool", tool), rest
	}
	if paths := DeletedPaths(tool, args); len(paths) > 0 {
		delete(rest, "path")
		delete(rest, d.Deletes)
		return d.Summarize(display.DeletedArgs, deletionParams(paths)...), rest
	}
	for _, names := range d.Summary {
		var values []any
		for _, name := range names {
			if words, ok := argumentWords(d, args[name]); ok && (!words.IsZero() || len(names) == 1) {
				values = append(values, name, words)
			}
		}
		if len(values) < 2*len(names) {
			continue
		}
		for _, name := range names {
			delete(rest, name)
		}
		return d.Summarize(names, values...), rest
	}
	return d.Title, rest
}

// argumentWords returns an argument in words, on one line: a text, or where the tool
// has such arguments, a list of texts or an element of a page.
func argumentWords(d display.Tool, arg any) (message.Message, bool) {
	switch arg := arg.(type) {
	case string:
		return message.Verbatim(FormatValue(arg)), true
	case []any:
		var all []string
		for _, v := range arg {
			text, ok := v.(string)
			if !ok {
				return message.Message{}, false
			}
			if strings.Contains(text, ", ") { // else it looks like two
				text = strconv.Quote(text)
			}
			all = append(all, text)
		}
		return message.Verbatim(FormatValue(strings.Join(all, ", "))), len(all) > 0 && d.Lists
	case map[string]any:
		if d.Locators {
			l, err := locator.Parse(arg)
			return l.Message().MapText(func(s string) string { return FormatValue(s) }), err == nil
		}
	}
	return message.Message{}, false
}

// FormatValue writes a value on one line as [message.Visible] does. It shortens a long value
// and says how much it left out.
func FormatValue(v any) string {
	text, isText := v.(string)
	if !isText {
		b, err := json.Marshal(v)
		if err != nil {
			return "?"
		}
		text = string(b)
	}
	more := ""
	if n := utf8.RuneCountInString(text); n > maxValueRunes {
		text, more = string([]rune(text)[:maxValueRunes]), fmt.Sprintf("… (+%d)", n-maxValueRunes)
	}
	return message.Visible(text) + more
}

// FormatJSON writes a value as JSON on one line, without escapes for HTML.
func FormatJSON(v any) string {
	b, err := message.EncodeJSON(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
