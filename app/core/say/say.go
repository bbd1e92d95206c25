// Package say puts calls into sentences: what each would do, from its arguments
// alone, because the words of whoever proposed it might say something else.
package say

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/host/browser/locator"
)

// valueRunes bounds one argument: what is asked about must fit where it is asked.
const valueRunes = 200

// Call says what a call does. Every argument is in it.
func Call(language, tool string, args map[string]any) string {
	said, rest := begin(language, tool, args)
	for _, key := range slices.Sorted(maps.Keys(rest)) {
		switch value := rest[key]; {
		case key == "recursive" && value == true:
			said += pick(language == "ru", " со всем, что в ней", " with all that is in it")
		case key == "if_unchanged":
			said += pick(language == "ru", ", если с тех пор ничего не изменилось", ", only while it is unchanged")
		default:
			if words, ok := inWords(tool, value); ok {
				value = words
			}
			said += ", " + Value(key) + " = " + Value(value)
		}
	}
	return said
}

// Brief says what a call is about and leaves its other arguments out.
func Brief(language, tool string, args map[string]any) string {
	said, _ := begin(language, tool, args)
	return said
}

// begin is the sentence about a call, and the arguments that are not in it.
func begin(language, tool string, args map[string]any) (said string, rest map[string]any) {
	rest = maps.Clone(args)
	russian := language == "ru"
	app, isText := args["app_name"].(string)
	if url, _ := args["url"].(string); url != "" && isText && sentences[tool] != nil { // the launcher, with a page
		delete(rest, "url")
		delete(rest, "app_name")
		return fmt.Sprintf(pick(russian, "Открыть %s в %s", "Open %s in %s"), Value(url), Value(app)), rest
	}
	for _, s := range sentences[tool] {
		if s.arg == "" {
			return pick(russian, s.ru, s.en), rest
		}
		if value, ok := inWords(tool, args[s.arg]); ok {
			delete(rest, s.arg)
			return fmt.Sprintf(pick(russian, s.ru, s.en), Value(value)), rest
		}
	}
	return fmt.Sprintf(pick(russian, "Выполнить %s", "Run %s"), tool), rest
}

// inWords is an argument that is a text, a list of texts, or a locator of the
// browser, in words.
func inWords(tool string, arg any) (string, bool) {
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
		return strings.Join(all, ", "), len(all) > 0 && tool == "browser.upload"
	case map[string]any:
		if !strings.HasPrefix(tool, "browser.") {
			return "", false
		}
		l, err := locator.Parse(arg)
		return l.String(), err == nil
	}
	return "", false
}

func pick(russian bool, ru, en string) string {
	if russian {
		return ru
	}
	return en
}

// Value is a value on one line: without line breaks and control characters, and
// with the number of what is left out.
func Value(v any) string {
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
	if n := utf8.RuneCountInString(text); n > valueRunes {
		text = fmt.Sprintf("%s… (+%d)", string([]rune(text)[:valueRunes]), n-valueRunes)
	}
	return text
}
