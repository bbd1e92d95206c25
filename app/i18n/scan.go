package i18n

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// A Language file is scanned here instead of by a TOML library, because every
// command needs a few texts and no command needs all: finding the tables of a file of
// 4,000 lines takes some 50 µs and copies nothing, and a table is read when its first
// text is needed. A test compares the result with a TOML library.

// table has the texts of one table by key.
type table func() (map[string]string, error)

// document is the content of a language file.
type document interface {
	io.ReaderAt
	Size() int64
}

// split finds the tables of a language file, by name. Nothing else begins a line
// with a bracket.
func split(doc document) map[string]table {
	tables := make(map[string]table, 64)
	starts := append(lineStarts(doc, '['), doc.Size())
	header := make([]byte, maxHeader)
	for i, from := range starts[:len(starts)-1] {
		n, _ := doc.ReadAt(header, from) // at the end of the file it is shorter
		line, _, _ := bytes.Cut(header[:n], []byte{'\n'})
		name := string(bytes.TrimSuffix(bytes.TrimSpace(line[1:]), []byte{']'}))
		if _, twice := tables[name]; twice {
			tables[name] = func() (map[string]string, error) { return nil, fmt.Errorf("the table %s is there twice", name) }
			continue
		}
		tables[name] = sync.OnceValues(func() (map[string]string, error) {
			_, body, _ := strings.Cut(part(doc, from, starts[i+1]), "\n")
			return scan(name, body)
		})
	}
	return tables
}

// maxHeader is the most bytes of a table's line.
const maxHeader = 128

// lineStarts returns the offsets of lines that start with a byte.
func lineStarts(doc document, first byte) (at []int64) {
	if part(doc, 0, min(1, doc.Size())) == string(first) {
		at = append(at, 0)
	}
	block, want := make([]byte, 16<<10), []byte{'\n', first}
	for from := int64(0); ; {
		n, err := doc.ReadAt(block, from)
		for read := 0; ; {
			next := bytes.Index(block[read:n], want)
			if next < 0 {
				break
			}
			read += next + 1
			at = append(at, from+int64(read))
		}
		if err != nil { // the end: the documents are in memory
			return at
		}
		from += int64(n - 1) // a line may start with the next block
	}
}

// part returns the bytes from one offset to another.
func part(doc document, from, to int64) string {
	var b strings.Builder
	b.Grow(int(to - from))
	var block [1 << 10]byte // not to copy all of it twice
	for from < to {
		n, err := doc.ReadAt(block[:min(to-from, int64(len(block)))], from)
		if n == 0 {
			panic(err) // the documents are in memory
		}
		b.Write(block[:n])
		from += int64(n)
	}
	return b.String()
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
