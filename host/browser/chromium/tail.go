package chromium

import (
	"bytes"
	"strings"
	"sync"
)

// Limits of the stored output of a browser.
const (
	tailLines   = 20
	tailLineLen = 300 // bytes
)

// tail stores the last lines written to it. The output of a browser that has ended is the
// best explanation of why.
type tail struct {
	mu    sync.Mutex
	lines []string
	rest  []byte // an unfinished line
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	for {
		line, rest, whole := bytes.Cut(b, []byte{'\n'})
		if free := tailLineLen - len(t.rest); free > 0 {
			t.rest = append(t.rest, line[:min(free, len(line))]...)
		}
		if !whole {
			return n, nil
		}
		t.push(string(t.rest))
		t.rest, b = t.rest[:0], rest
	}
}

func (t *tail) push(line string) {
	if line = strings.TrimSpace(line); line == "" {
		return
	}
	if len(t.lines) == tailLines {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, line)
}

// String joins the kept lines.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := t.lines
	if len(t.rest) > 0 {
		lines = append(lines[:len(lines):len(lines)], string(t.rest))
	}
	return strings.ToValidUTF8(strings.Join(lines, "\n"), "�")
}
