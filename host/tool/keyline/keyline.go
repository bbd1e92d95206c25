// Package keyline says on which lines of a TOML document its keys stand. The
// decoder gives positions only to what it refuses; a value that is well-typed
// and still wrong needs its line too.
package keyline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Mark is the byte order mark that some editors put before a text in UTF-8. It is
// no part of a document, and the decoder takes it for one.
var Mark = []byte("\xef\xbb\xbf")

// Of maps each key of a TOML document to the line where it stands, from 1, with
// elements of arrays as "policy.rules[0].verdict". A document that does not
// parse answers for what comes before its fault.
func Of(doc []byte) map[string]int {
	doc = bytes.TrimPrefix(doc, Mark)
	l := lines{at: map[string]int{}, seen: map[string]int{}}
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
			table = fmt.Sprintf("%s[%d]", key, l.seen[key])
			l.seen[key]++
			l.at[table] = l.at[key]
		case unstable.KeyValue:
			l.keyValue(table, e)
		}
	}
	return l.at
}

type lines struct {
	p    unstable.Parser
	at   map[string]int
	seen map[string]int // elements so far of each array of tables
	ends []uint32       // where each line ends: the parser counts from the start each time
}

// line is the line, from 1, of what stands at a range.
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
				if first := n.Child(); first != nil { // a table in braces has no place of its own
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

// path joins the parts of a key onto a table and notes the line of each. A part
// that names an array of tables on the way stands for its last element.
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
		if count := l.seen[path]; count > 0 && !key.IsLast() {
			path = fmt.Sprintf("%s[%d]", path, count-1)
		}
	}
	return path
}

// Nearest is the line of a key, or of the nearest table around it; 0 where
// nothing of it is written. at is what [Of] answers.
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
