// Package jsonkeys finds keys that stand twice in one object of a JSON text.
// encoding/json takes the last of them without a word, other readers the first,
// so that two who look at one text can see two things.
package jsonkeys

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Twice answers where an object has a key for the second time: "items[2].name".
// found is false where none has. The text must be valid JSON, of which more than
// one value may follow each other; it takes time linear in it.
func Twice(text []byte) (at string, found bool) {
	var open []level
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[':
			open = append(open, level{object: c == '{', key: c == '{'})
		case '}', ']':
			open = open[:max(len(open)-1, 0)]
		case ',':
			if l := top(open); l != nil {
				l.key = l.object
				l.index++
			}
		case '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if l := top(open); l != nil && l.key {
				l.key = false
				if !l.add(name(text[i:min(end+1, len(text))])) {
					return path(open), true
				}
			}
			i = end
		}
	}
	return "", false
}

// Spelled answers a key of an object that is one of its own in other capitals, and
// that one: encoding/json takes OK for ok, and of both the last. found is false where
// there is none.
func Spelled[V any](object map[string]V, keys ...string) (wrong, own string, found bool) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		for _, own := range keys {
			if key != own && strings.EqualFold(key, own) {
				return key, own, true
			}
		}
	}
	return "", "", false
}

// level is an object or list that is open.
type level struct {
	object bool
	key    bool // the next text is one
	index  int  // of the element
	last   string
	few    []string
	many   map[string]bool // nil while few will do
}

func top(open []level) *level {
	if len(open) == 0 {
		return nil
	}
	return &open[len(open)-1]
}

// add notes a key and reports whether it is new.
func (l *level) add(key string) bool {
	l.last = key
	if l.many != nil {
		known := l.many[key]
		l.many[key] = true
		return !known
	}
	for _, k := range l.few {
		if k == key {
			return false
		}
	}
	if l.few = append(l.few, key); len(l.few) > 16 {
		l.many = map[string]bool{}
		for _, k := range l.few {
			l.many[k] = true
		}
	}
	return true
}

// name reads a key with its quotes.
func name(quoted []byte) string {
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return string(quoted)
	}
	return s
}

func path(open []level) string {
	var b strings.Builder
	for _, l := range open {
		switch {
		case !l.object:
			fmt.Fprintf(&b, "[%d]", l.index)
		case strings.ContainsAny(l.last, ".[] \"") || l.last == "":
			fmt.Fprintf(&b, "[%q]", l.last)
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(l.last)
		}
	}
	return b.String()
}
