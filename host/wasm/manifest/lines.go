package manifest

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// keyLines maps each key that is written to its line, an element of an array of
// tables by its index: "tool[0].case[1].args". The decoder says where a value
// stands only if it is of the wrong type; one of the right type can be wrong too.
func keyLines(doc []byte) map[string]int {
	w := walk{doc: doc, at: map[string]int{}, elements: map[string]int{}}
	w.parser.Reset(doc)
	table := ""
	for w.parser.NextExpression() {
		switch e := w.parser.Expression(); e.Kind {
		case unstable.Table:
			table = w.path("", e.Key())
		case unstable.ArrayTable:
			array := w.path("", e.Key())
			table = fmt.Sprintf("%s[%d]", array, w.elements[array])
			w.elements[array]++
			w.at[table] = w.line
		case unstable.KeyValue:
			w.value(w.path(table, e.Key()), e.Value())
		}
	}
	return w.at
}

type walk struct {
	doc      []byte
	parser   unstable.Parser
	at       map[string]int
	elements map[string]int // so far, of each array of tables
	offset   uint32         // in doc, of where line was counted
	line     int            // of the last key
}

// value goes into tables and lists of tables that are written in place.
func (w *walk) value(key string, v *unstable.Node) {
	if v.Kind != unstable.InlineTable && v.Kind != unstable.Array {
		return
	}
	i := 0
	for c := v.Children(); c.Next(); {
		switch n := c.Node(); {
		case n.Kind == unstable.KeyValue:
			w.value(w.path(key, n.Key()), n.Value())
		case n.Kind != unstable.Comment:
			w.value(fmt.Sprintf("%s[%d]", key, i), n)
			i++
		}
	}
}

// path joins the parts of a key onto a table and notes where they stand. A part
// that names an array of tables on the way stands for its last element.
func (w *walk) path(table string, key unstable.Iterator) string {
	path := table
	for key.Next() {
		if path != "" {
			path += "."
		}
		path += string(key.Node().Data)
		w.move(key.Node().Raw.Offset)
		if _, known := w.at[path]; !known {
			w.at[path] = w.line
		}
		if n := w.elements[path]; n > 0 && !key.IsLast() {
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
	}
	return path
}

// move counts lines up to an offset. Keys come in the order of the document.
func (w *walk) move(offset uint32) {
	if w.line == 0 {
		w.line = 1
	}
	if offset > w.offset {
		w.line += bytes.Count(w.doc[w.offset:offset], []byte("\n"))
		w.offset = offset
	}
}

// CaseLines answers the line of each case of a manifest, in the order of the
// document; 0 for one that is written in a way that has none of its own.
func CaseLines(doc []byte) []int {
	at := keyLines(doc)
	var lines []int
	for tool := 0; at[fmt.Sprintf("tool[%d]", tool)] > 0; tool++ {
		for n := 0; ; n++ {
			line, ok := at[fmt.Sprintf("tool[%d].case[%d]", tool, n)]
			if !ok {
				break
			}
			lines = append(lines, line)
		}
	}
	return lines
}
