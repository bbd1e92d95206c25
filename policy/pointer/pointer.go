// Package pointer finds values in the arguments of calls by JSON pointers (RFC 6901), and
// reads them as texts.
package pointer

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Pointer has the unescaped tokens of a JSON pointer.
type Pointer []string

// Parse reads a pointer such as "/path". A text without the first slash counts as if it had
// one.
func Parse(text string) (p Pointer) {
	for token := range strings.SplitSeq(strings.TrimPrefix(text, "/"), "/") {
		p = append(p, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	}
	return p
}

// Find returns the value at p, false if there is none.
func (p Pointer) Find(args map[string]any) (value any, ok bool) {
	value = args
	for _, token := range p {
		switch v := value.(type) {
		case map[string]any:
			if value, ok = v[token]; !ok {
				return nil, false
			}
		case []any:
			i, ok := parseIndex(token)
			if !ok || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// parseIndex reads digits without a sign or a leading zero.
func parseIndex(token string) (int, bool) {
	n, err := strconv.Atoi(token)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == token
}

// Text returns a string unchanged and everything else as JSON, "" if it can't be
// marshalled.
func Text(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	b, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(b)
}

// Items returns the items of a list as texts, including those of lists in it. It
// returns false if the value is neither []any nor []string.
func Items(value any) (items []string, isList bool) {
	switch list := value.(type) {
	case []string:
		return list, true
	case []any:
		for _, item := range list {
			if inner, ok := Items(item); ok {
				items = append(items, inner...)
			} else {
				items = append(items, Text(item))
			}
		}
		return items, true
	}
	return nil, false
}
