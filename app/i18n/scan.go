package i18n

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// A Language file is scanned here instead of by a TOML library, because every
// command needs a few texts and no command needs all: splitting a file of 4,000
// lines takes some 50 µs, and a table is read when its first text is needed. A
// test compares the result with a TOML library.

// table has the texts of one table by key.
type table func() (map[string]string, error)

// split finds the tables of a language file, by name. Nothing else begins a line
// with a bracket.
func split(doc string) map[string]table {
	tables := make(map[string]table, 64)
	add := func(part string) {
		header, body, _ := strings.Cut(part, "\n")
		name := strings.TrimSuffix(strings.TrimSpace(header), "]")
		if _, twice := tables[name]; twice {
			tables[name] = func() (map[string]string, error) { return nil, fmt.Errorf("the table %s is there twice", name) }
			return
		}
		tables[name] = sync.OnceValues(func() (map[string]string, error) { return scan(name, body) })
	}
	doc = "\n" + doc
	_, doc, _ = strings.Cut(doc, "\n[")
	for doc != "" {
		part, rest, _ := strings.Cut(doc, "\n[")
		add(part)
		doc = rest
	}
	return tables
}

// scan reads the lines of a table: comments and basic strings, which is the part
// of TOML that language files use.
func scan(name, body string) (map[string]string, error) {
	texts := make(map[string]string, strings.Count(body, "\n"))
	for body != "" {
		line, rest, _ := strings.Cut(body, "\n")
		body = rest
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, " = ")
		if !ok {
			return nil, fmt.Errorf("[%s]: want key = \"text\", have %.60q", name, line)
		}
		if value == `"""` {
			text, after, ok := strings.Cut(body, `"""`+"\n")
			if !ok {
				return nil, fmt.Errorf("[%s]: the text of %s does not end", name, key)
			}
			body, value = after, `"`+escapeLines.Replace(text)+`"`
		}
		text, err := strconv.Unquote(value)
		if err != nil || value[0] != '"' {
			return nil, fmt.Errorf("[%s]: the text of %s is not a basic string: %.60s", name, key, value)
		}
		if _, twice := texts[key]; twice {
			return nil, fmt.Errorf("[%s]: %s is there twice", name, key)
		}
		texts[key] = text
	}
	return texts, nil
}

// escapeLines makes a text of several lines one of one. A backslash at the end of a
// line stays invalid.
var escapeLines = strings.NewReplacer("\\\n", `\ `, "\n", `\n`, `\\`, `\\`, `\"`, `\"`, `"`, `\"`)
