package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// setList replaces the elements of a list. A multi-line list keeps its lines and comments
// if elements are only removed or appended. Any other list is written on one line.
func (e spot) setList(doc []byte, list []string, oneLine string) []byte {
	old, ok := e.texts(doc)
	if !ok || !bytes.ContainsRune(doc[e.value:e.end], '\n') {
		return e.set(doc, oneLine)
	}
	keep, rest := make([]bool, len(old)), list
	for i, text := range old {
		if len(rest) > 0 && rest[0] == text {
			keep[i], rest = true, rest[1:]
		}
	}
	last := -1
	for i := range keep {
		if keep[i] {
			last = i
		}
	}
	if last < 0 {
		return e.set(doc, oneLine)
	}
	out := bytes.Clone(doc)
	if len(rest) > 0 {
		out = e.addItems(out, last, rest)
	}
	for i, entry := range slices.Backward(keep) {
		if !entry {
			out = e.dropItem(out, i)
		}
	}
	return out
}

// texts returns the elements of the list if all of them are strings.
func (e spot) texts(doc []byte) ([]string, bool) {
	var read struct{ V []string }
	err := toml.Unmarshal(slices.Concat([]byte("V = "), doc[e.value:e.end]), &read)
	return read.V, err == nil && len(read.V) == len(e.items)
}

// addItems adds elements after another one, each on a line formatted like that one's.
func (e spot) addItems(doc []byte, behind int, texts []string) []byte {
	at := e.items[behind][1]
	start := bytes.LastIndexByte(doc[:e.items[behind][0]], '\n') + 1
	indent := doc[start:e.items[behind][0]]
	if len(bytes.TrimSpace(indent)) > 0 { // the element shares its line
		indent = nil
	}
	var b strings.Builder
	for _, text := range texts {
		value, err := literal(text)
		if err != nil {
			continue // TOML can't represent the text; the final validation reports it
		}
		if indent == nil {
			b.WriteString(", " + value)
		} else {
			b.WriteString("," + endOfLine(doc) + string(indent) + value)
		}
	}
	return slices.Concat(doc[:at], []byte(b.String()), doc[at:])
}

// dropItem removes an element and its comma. It also removes the line if the element is
// alone on it.
func (e spot) dropItem(doc []byte, i int) []byte {
	from, to := e.items[i][0], e.items[i][1]
	rest := bytes.TrimLeft(doc[to:], " \t")
	if bytes.HasPrefix(rest, []byte(",")) {
		to = len(doc) - len(rest) + 1
	}
	start := bytes.LastIndexByte(doc[:from], '\n') + 1
	end := len(doc)
	if n := bytes.IndexByte(doc[to:], '\n'); n >= 0 {
		end = to + n + 1
	}
	behind := bytes.TrimSpace(doc[to:end])
	if len(bytes.TrimSpace(doc[start:from])) == 0 && (len(behind) == 0 || behind[0] == '#') {
		return slices.Concat(doc[:start], doc[end:])
	}
	for to < len(doc) && (doc[to] == ' ' || doc[to] == '\t') {
		to++
	}
	return slices.Concat(doc[:from], doc[to:])
}
