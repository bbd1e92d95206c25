package manifest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"errand/host/tool/keyline"
	"errand/planner/message"
)

// Pin sets sha256 in a manifest and leaves the rest unchanged. If the key is
// missing, it inserts a line below that of the module.
func Pin(doc []byte, digest string) ([]byte, error) {
	module, pinned := -1, -1 // offsets of keys of the top-level table
	expressions(doc, func(path string, at int) {
		switch path {
		case "module":
			module = at
		case "sha256":
			pinned = at
		}
	})
	at := pinned
	if at < 0 {
		at = module
	}
	if at < 0 {
		return nil, message.Error("manifest.no_module_key")
	}
	after := at + len(line(doc, at))
	text := string(line(doc, at))
	newline := "\n"
	if strings.HasSuffix(text, "\r\n") {
		newline = "\r\n"
	}
	if pinned < 0 {
		// Align the equals sign with the line above.
		head, _, _ := strings.Cut(text, "=")
		text = fmt.Sprintf("%-*s= %q%s", max(len(head), len("sha256 ")), "sha256", digest, newline)
		if !strings.HasSuffix(string(doc[:after]), "\n") {
			text = newline + text
		}
		at = after
	} else {
		head, value, _ := strings.Cut(text, "=")
		if comment := strings.Index(value, "#"); comment >= 0 {
			text = fmt.Sprintf("%s= %q %s", head, digest, value[comment:])
		} else {
			text = fmt.Sprintf("%s= %q%s", head, digest, newline)
		}
	}
	return checkEdit(splice(doc, at, after, text), func(m Manifest) bool { return m.SHA256 == digest })
}

// Record sets the recorded requests of a manifest's n-th case, counted from 0, and
// leaves the rest unchanged.
func Record(doc []byte, n int, http []Exchange) ([]byte, error) {
	type span struct{ from, to int }
	var begins []int   // offset of each expression
	var paths []string // its path
	expressions(doc, func(path string, at int) {
		begins, paths = append(begins, at), append(paths, path)
	})
	end := func(i int) int { // end of the expression, without comments above the next one
		to := len(doc)
		if i+1 < len(begins) {
			to = begins[i+1]
		}
		return expressionEnd(doc, begins[i], to)
	}
	var old []span
	insert, seen := -1, -1
	for i, path := range paths {
		if path == "[[tool.case]]" {
			seen++
		}
		if seen != n || !strings.HasPrefix(strings.Trim(path, "[]"), "tool.case") {
			continue
		}
		if strings.HasPrefix(strings.Trim(path, "[]"), "tool.case.http") {
			old = append(old, span{begins[i], end(i)})
			continue
		}
		insert = end(i)
	}
	if insert < 0 {
		return nil, message.Error("manifest.no_case", "number", n+1)
	}
	var text strings.Builder
	for _, x := range http {
		x.write(&text)
	}
	out := doc
	for i := len(old) - 1; i >= 0; i-- {
		if old[i].from >= insert {
			out = splice(out, old[i].from, old[i].to, "")
		}
	}
	out = splice(out, insert, insert, text.String())
	for i := len(old) - 1; i >= 0; i-- {
		if old[i].from < insert {
			out = splice(out, old[i].from, old[i].to, "")
		}
	}
	return checkEdit(out, func(m Manifest) bool {
		for _, t := range m.Tools {
			if n < len(t.Cases) {
				return len(t.Cases[n].HTTP) == len(http)
			}
			n -= len(t.Cases)
		}
		return false
	})
}

func (x Exchange) write(w *strings.Builder) {
	fmt.Fprintf(w, "[[tool.case.http]]\nmethod = %s\nurl = %s\nstatus = %d\n", quoteString(x.Method), quoteString(x.URL), x.Status)
	if len(x.Headers) > 0 {
		var fields []string
		for _, name := range sortedKeys(x.Headers) {
			fields = append(fields, quoteString(name)+" = "+quoteString(x.Headers[name]))
		}
		fmt.Fprintf(w, "headers = { %s }\n", strings.Join(fields, ", "))
	}
	if x.Body != "" {
		fmt.Fprintf(w, "body = %s\n", quoteString(x.Body))
	}
}

// expressions calls visit for every table header and every key of the document,
// with its path, such as "module", "[[tool.case]]" or "tool.case.args", and the
// offset of its line.
func expressions(doc []byte, visit func(path string, at int)) {
	var p unstable.Parser
	text := doc
	if bytes.HasPrefix(doc, keyline.Mark) { // replace with spaces to keep offsets
		text = append([]byte("   "), doc[len(keyline.Mark):]...)
	}
	p.Reset(text)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		var parts []string
		at := -1
		for k := e.Key(); k.Next(); {
			parts = append(parts, string(k.Node().Data))
			if at < 0 {
				at = int(k.Node().Raw.Offset)
			}
		}
		if at < 0 {
			continue
		}
		at = bytes.LastIndexByte(doc[:at], '\n') + 1
		name := strings.Join(parts, ".")
		switch e.Kind {
		case unstable.Table:
			table = name + "."
			visit("["+name+"]", at)
		case unstable.ArrayTable:
			table = name + "."
			visit("[["+name+"]]", at)
		case unstable.KeyValue:
			visit(table+name, at)
		}
	}
}

// line returns the line at an offset, including its newline.
func line(doc []byte, at int) []byte {
	if n := bytes.IndexByte(doc[at:], '\n'); n >= 0 {
		return doc[at : at+n+1]
	}
	return doc[at:]
}

// expressionEnd returns the end of the expression at offset at: to, without blank lines and
// comments directly above to.
func expressionEnd(doc []byte, at, to int) int {
	for to > at {
		start := bytes.LastIndexByte(doc[:to-1], '\n') + 1
		text := strings.TrimSpace(string(doc[start:to]))
		if text != "" && !strings.HasPrefix(text, "#") || start <= at {
			return to
		}
		to = start
	}
	return to
}

func splice(doc []byte, from, to int, text string) []byte {
	return bytes.Join([][]byte{doc[:from], []byte(text), doc[to:]}, nil)
}

// checkEdit returns doc if it is still a valid manifest with the wanted content.
func checkEdit(doc []byte, wanted func(Manifest) bool) ([]byte, error) {
	m, err := Parse(doc)
	if err != nil {
		return nil, message.Error("manifest.not_editable", "cause", err)
	}
	if !wanted(m) {
		return nil, message.Error("manifest.not_editable_as_is")
	}
	return doc, nil
}

// quoteString returns s as a TOML string.
func quoteString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
