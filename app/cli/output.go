package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"errand/host/tool"
)

// sink remembers the first write that failed: an answer that nobody got is no
// success, whichever command wrote it.
type sink struct {
	io.Writer
	err error
}

func (w *sink) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

// document prints one JSON document for machines: indented, no HTML escapes.
func (s *shell) document(v any) {
	e := json.NewEncoder(s.Stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		s.say("errand: write the answer: %v", err)
		s.code = Failed
	}
}

// say writes a message for people.
func (s *shell) say(format string, args ...any) {
	fmt.Fprintf(s.Stderr, format+"\n", args...)
}

// print writes a part of the answer for people.
func (s *shell) print(format string, args ...any) {
	fmt.Fprintf(s.Stdout, format+"\n", args...)
}

// complain writes an error: what was wrong, and what to do.
func (s *shell) complain(e *tool.Error) {
	for line := range strings.Lines(e.Message) {
		s.say("errand: %s", strings.TrimSuffix(line, "\n"))
	}
	if e.Hint != "" {
		s.say("  hint: %s", e.Hint)
	}
}

// paint colours text on a terminal and leaves it alone elsewhere.
func (s *shell) paint(color, text string) string {
	if !s.Color {
		return text
	}
	return color + text + "\x1b[0m"
}

const (
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	red    = "\x1b[31m"
	quiet  = "\x1b[2m"
	bold   = "\x1b[1m"
)

// columns prints rows with their cells aligned.
func columns(w io.Writer, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-len([]rune(cell))+2))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}
