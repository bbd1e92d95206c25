// Package keyline returns the line numbers of the keys in a TOML document. The decoder
// gives positions only for its own errors, but errors in well-typed values need a line
// number too.
package keyline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Mark is the byte order mark that some editors put at the start of UTF-8 files. The
// decoder doesn't accept it, so callers remove it.
var Mark = []byte("\xef\xbb\xbf")

// Lines maps each key of a TOML document to its line, starting at 1. Array elements have keys
// such as "policy.rules[0].verdict". For a document with a syntax error it returns the
// keys before the error.
func Lines(doc []byte) map[string]int {
	doc = bytes.TrimPrefix(doc, Mark)
	l := lines{at: map[string]int{}, tableCounts: map[string]int{}}
	for i, b := range doc {
		if b == '\n' {
			l.ends = append(l.ends, uint32(i))
		}
	}
	l.p.Reset(doc)
	table := ""
	for l.p.NextExpression() {
		switch e := l.p.Expression(); e.Kind {
		case unstable.Table:
			table = l.path("", e.Key())
		case unstable.ArrayTable:
			key := l.path("", e.Key())
			table = fmt.Sprintf("%s[%d]", key, l.tableCounts[key])
			l.tableCounts[key]++
			l.at[table] = l.at[key]
		case unstable.KeyValue:
			l.keyValue(table, e)
		}
	}
	return l.at
}

type lines struct {
	p           unstable.Parser
	at          map[string]int
	tableCounts map[string]int // number of elements so far of each array of tables
	ends        []uint32       // the end of each line; the parser would count from the start each time
}

// line returns the line, starting at 1, of a range.
func (l *lines) line(r unstable.Range) int {
	before, _ := slices.BinarySearch(l.ends, r.Offset)
	return before + 1
}

func (l *lines) keyValue(table string, e *unstable.Node) {
	key := l.path(table, e.Key())
	switch v := e.Value(); v.Kind {
	case unstable.InlineTable:
		for c := v.Children(); c.Next(); {
			l.keyValue(key, c.Node())
		}
	case unstable.Array:
		i := 0
		for c := v.Children(); c.Next(); {
			n := c.Node()
			if n.Kind == unstable.Comment {
				continue
			}
			element := fmt.Sprintf("%s[%d]", key, i)
			i++
			l.at[element] = l.at[key]
			if n.Kind == unstable.InlineTable {
				for k := n.Children(); k.Next(); {
					l.keyValue(element, k.Node())
				}
				if first := n.Child(); first != nil { // an inline table has no position of its own
					key := first.Key()
					key.Next()
					l.at[element] = l.line(key.Node().Raw)
				}
			} else if n.Raw.Length > 0 {
				l.at[element] = l.line(n.Raw)
			}
		}
	}
}

// path appends the parts of a key to a table's key and stores the line of each. A part
// that names an array of tables refers to its last element.
func (l *lines) path(table string, key unstable.Iterator) string {
	path := table
	for key.Next() {
		n := key.Node()
		if path != "" {
			path += "."
		}
		path += string(n.Data)
		if _, known := l.at[path]; !known || key.IsLast() {
			l.at[path] = l.line(n.Raw)
		}
		if count := l.tableCounts[path]; count > 0 && !key.IsLast() {
			path = fmt.Sprintf("%s[%d]", path, count-1)
		}
	}
	return path
}

// Nearest returns the line of a key, or of the nearest table that contains it, or 0. The
// map is a result of [Lines].
func Nearest(at map[string]int, key string) int {
	for key != "" {
		if line, ok := at[key]; ok {
			return line
		}
		i := strings.LastIndexAny(key, ".[")
		if i < 0 {
			return 0
		}
		key = key[:i]
	}
	return 0
}
