package i18n

import (
	"fmt"
	"strconv"
	"strings"
)

// scan reads a language file: tables of basic strings, which is the part of TOML
// that language files use. It is some thirty times as fast as a TOML library,
// and every command needs texts; a test compares both.
func scan(doc string) (map[string]string, error) {
	texts := make(map[string]string, strings.Count(doc, "\n"))
	table := ""
	for n := 1; doc != ""; n++ {
		line, rest, _ := strings.Cut(doc, "\n")
		doc = rest
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[':
			table = strings.Trim(line, "[]") + "."
			continue
		}
		key, value, ok := strings.Cut(line, " = ")
		if !ok {
			return nil, fmt.Errorf("line %d: want key = \"text\", have %.60q", n, line)
		}
		if value == `"""` {
			text, after, ok := strings.Cut(doc, `"""`+"\n")
			if !ok {
				return nil, fmt.Errorf("line %d: the text of %s does not end", n, key)
			}
			n += strings.Count(text, "\n") + 1
			doc, value = after, `"`+escapeLines.Replace(text)+`"`
		}
		text, err := strconv.Unquote(value)
		if err != nil {
			return nil, fmt.Errorf("line %d: the text of %s is not a basic string: %.60s", n, key, value)
		}
		if _, twice := texts[table+key]; twice {
			return nil, fmt.Errorf("line %d: %s is there twice", n, table+key)
		}
		texts[table+key] = text
	}
	return texts, nil
}

// escapeLines makes a text of several lines one of one.
var escapeLines = strings.NewReplacer("\n", `\n`, `"`, `\"`, `\"`, `\"`, `\\`, `\\`)
