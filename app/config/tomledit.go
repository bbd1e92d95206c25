package config

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"errand/planner/message"
)

// This file edits TOML as text, so that comments, order and spacing stay. The result is
// parsed and compared with the intended values. If they differ, because the document is
// written in a style that the editor doesn't support, the edit is rejected.

// errByHand is returned for a document in a style that the editor doesn't support.
var errByHand = message.Error("config.unsupported_style")

// applyEdit returns the document with one edit applied.
func applyEdit(doc []byte, e Edit) ([]byte, error) {
	if e.Append != "" {
		return appendText(doc, e.Append)
	}
	if KindOf(e.Key) == "" {
		return nil, message.Error("config.not_editable")
	}
	want, err := tree(doc)
	if err != nil {
		return nil, message.Error("config.invalid_toml")
	}
	path := strings.Split(e.Key, ".")
	plant(want, path, e.Value)

	var out []byte
	at, found := find(doc, path)
	switch {
	case e.Value == nil && !found:
		return doc, nil
	case e.Value == nil:
		out, err = at.remove(doc)
	default:
		value, lerr := literal(e.Value)
		if lerr != nil {
			return nil, lerr
		}
		list, isList := e.Value.([]string)
		switch {
		case found && isList:
			out = at.setList(doc, list, value)
		case found:
			out = at.set(doc, value)
		default:
			out = insert(doc, path, value)
		}
	}
	if err != nil {
		return nil, err
	}
	if got, err := tree(out); err != nil || !reflect.DeepEqual(prune(got), prune(want)) {
		return nil, errByHand
	}
	return out, nil
}

func appendText(doc []byte, text string) ([]byte, error) {
	eol := endOfLine(doc)
	out := bytes.TrimRight(bytes.Clone(doc), " \t\r\n")
	if len(out) > 0 {
		out = append(out, eol+eol...)
	}
	out = append(out, strings.ReplaceAll(strings.TrimSpace(text), "\n", eol)+eol...)
	if _, err := tree(out); err != nil {
		return nil, errByHand
	}
	return out, nil
}

func tree(doc []byte) (map[string]any, error) {
	t := map[string]any{}
	return t, toml.Unmarshal(doc, &t)
}

// plant sets a value in a decoded document, in the form that decoding produces. A nil
// value removes the key.
func plant(t map[string]any, path []string, value any) {
	for _, part := range path[:len(path)-1] {
		inner, ok := t[part].(map[string]any)
		if !ok {
			inner = map[string]any{}
			t[part] = inner
		}
		t = inner
	}
	last := path[len(path)-1]
	switch v := value.(type) {
	case nil:
		delete(t, last)
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
		}
		t[last] = list
	default:
		t[last] = v
	}
}

// prune returns the document without empty tables.
func prune(t map[string]any) map[string]any {
	for key, v := range t {
		if inner, ok := v.(map[string]any); ok {
			if len(prune(inner)) == 0 {
				delete(t, key)
			}
		}
	}
	return t
}

// spot is the position of a key and its value in a document.
type spot struct {
	key, value, end int      // offsets: start of the key, start of the value, end of the value
	braces          bool     // the key is in an inline table
	items           [][2]int // for a list of strings: the position of each element
}

// find returns the position of a key's value.
func find(doc []byte, path []string) (found spot, ok bool) {
	walk(doc, func(table []string, node *unstable.Node) {
		if e, hit := match(doc, table, node, path, false); hit {
			found, ok = e, true
		}
	})
	return found, ok
}

// walk visits every key-value line with the table that contains it. It skips arrays of
// tables, because the editor changes no keys in them.
func walk(doc []byte, visit func(table []string, node *unstable.Node)) {
	var p unstable.Parser
	p.Reset(doc)
	var table []string
	rows := false
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			table, rows = parts(e), false
		case unstable.ArrayTable:
			rows = true
		case unstable.KeyValue:
			if !rows {
				visit(table, e)
			}
		}
	}
}

func parts(n *unstable.Node) (out []string) {
	for k := n.Key(); k.Next(); {
		out = append(out, string(k.Node().Data))
	}
	return out
}

// match looks for path in a key-value and in its inline tables.
func match(doc []byte, table []string, node *unstable.Node, path []string, braces bool) (spot, bool) {
	here := slices.Concat(table, parts(node))
	value := node.Value()
	if slices.Equal(here, path) {
		k := node.Key()
		k.Next()
		e := spot{key: int(k.Node().Raw.Offset), braces: braces}
		e.value = valueStart(doc, e.key)
		e.end = valueEnd(doc, e.value)
		if value.Kind == unstable.Array {
			for c := value.Children(); c.Next(); {
				if n := c.Node(); n.Kind == unstable.String {
					e.items = append(e.items, [2]int{int(n.Raw.Offset), int(n.Raw.Offset + n.Raw.Length)})
				}
			}
		}
		return e, true
	}
	if value.Kind == unstable.InlineTable && len(here) < len(path) && slices.Equal(here, path[:len(here)]) {
		for c := value.Children(); c.Next(); {
			if e, ok := match(doc, here, c.Node(), path, true); ok {
				return e, true
			}
		}
	}
	return spot{}, false
}

// valueStart returns the offset of the value whose key starts at the given offset.
func valueStart(doc []byte, key int) int {
	for i := key; i < len(doc); {
		switch c := doc[i]; c {
		case '"', '\'':
			i = stringEnd(doc, i)
		case '=':
			for i++; i < len(doc) && (doc[i] == ' ' || doc[i] == '\t'); i++ {
			}
			return i
		default:
			i++
		}
	}
	return len(doc)
}

// valueEnd returns the end of the value that starts at an offset. The value ends before a
// comma, comment, brace or line break that it doesn't contain.
func valueEnd(doc []byte, from int) int {
	depth, i := 0, from
	for i < len(doc) {
		switch c := doc[i]; {
		case c == '"' || c == '\'':
			i = stringEnd(doc, i)
			continue
		case c == '[' || c == '{':
			depth++
		case (c == ']' || c == '}') && depth > 0:
			depth--
		case depth > 0 && c == '#':
			for i < len(doc) && doc[i] != '\n' {
				i++
			}
			continue
		case depth == 0 && strings.IndexByte("\n\r#,}]", c) >= 0:
			return from + len(bytes.TrimRight(doc[from:i], " \t"))
		}
		i++
	}
	return from + len(bytes.TrimRight(doc[from:i], " \t"))
}

// stringEnd returns the offset after the string literal that starts at the given offset.
func stringEnd(doc []byte, from int) int {
	quote := doc[from : from+1]
	if three := bytes.Repeat(quote, 3); bytes.HasPrefix(doc[from:], three) {
		for i := from + 3; i < len(doc); i++ {
			switch {
			case doc[i] == '\\' && quote[0] == '"':
				i++
			case bytes.HasPrefix(doc[i:], three):
				for i += 3; i < len(doc) && doc[i] == quote[0]; i++ { // up to two quotes may precede the closing three
				}
				return i
			}
		}
		return len(doc)
	}
	for i := from + 1; i < len(doc); i++ {
		switch {
		case doc[i] == '\\' && quote[0] == '"':
			i++
		case doc[i] == quote[0]:
			return i + 1
		}
	}
	return len(doc)
}

func (e spot) set(doc []byte, value string) []byte {
	return slices.Concat(doc[:e.value], []byte(value), doc[e.end:])
}

// remove removes the key's line, including a comment at its end.
func (e spot) remove(doc []byte) ([]byte, error) {
	if e.braces {
		return nil, errByHand
	}
	from, to := e.key, e.end
	for from > 0 && (doc[from-1] == ' ' || doc[from-1] == '\t') {
		from--
	}
	if i := bytes.IndexByte(doc[to:], '\n'); i >= 0 {
		to += i + 1
	} else {
		to = len(doc)
	}
	return slices.Concat(doc[:from], doc[to:]), nil
}

// insert adds a new key: after the last key of its table, below the table's header, or in
// a new table at the end.
func insert(doc []byte, path []string, value string) []byte {
	eol := endOfLine(doc)
	parent := path[:len(path)-1]
	line := path[len(path)-1] + " = " + value
	after := -1
	walk(doc, func(table []string, node *unstable.Node) {
		here := slices.Concat(table, parts(node))
		if len(here) == 0 || !slices.Equal(here[:len(here)-1], parent) || len(table) > len(parent) {
			return
		}
		k := node.Key()
		k.Next()
		after = valueEnd(doc, valueStart(doc, int(k.Node().Raw.Offset)))
		line = strings.Join(append(slices.Clone(parent[len(table):]), path[len(path)-1]), ".") + " = " + value
	})
	if after < 0 {
		after = headerEnd(doc, parent)
	}
	if after < 0 {
		out, _ := appendText(doc, fmt.Sprintf("[%s]\n%s", strings.Join(parent, "."), line))
		return out
	}
	if i := bytes.IndexByte(doc[after:], '\n'); i >= 0 {
		after += i + 1
	} else {
		doc = append(bytes.Clone(doc), eol...)
		after = len(doc)
	}
	return slices.Concat(doc[:after], []byte(line+eol), doc[after:])
}

// headerEnd returns the offset after the header of a table, or -1 if it has none.
func headerEnd(doc []byte, table []string) int {
	var p unstable.Parser
	p.Reset(doc)
	for p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.Table && slices.Equal(parts(e), table) {
			k := e.Key()
			end := 0
			for k.Next() {
				end = int(k.Node().Raw.Offset + k.Node().Raw.Length)
			}
			return end
		}
	}
	return -1
}

func endOfLine(doc []byte) string {
	if bytes.Contains(doc, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
