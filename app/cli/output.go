package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"errand/host/tool"
	"errand/host/trace"
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

// document prints one JSON document for machines: indented, no HTML escapes. A
// write that fails is the sink's to remember.
func (s *shell) document(v any) {
	s.answered = true
	if err := encode(s.Stdout, v, "  "); err != nil {
		s.code = Failed
	}
}

// encode writes a JSON document and a newline. People read JSON at terminals, so
// what a terminal would not show as itself is escaped, which JSON's own escapes
// do for the first 32 characters alone; to who parses it, it is the same.
func encode(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escaped(b.Bytes()))
	return err
}

// escaped is a JSON document without hidden characters. Beyond ASCII they stand in
// texts alone.
func escaped(doc []byte) []byte {
	if !bytes.ContainsFunc(doc, func(r rune) bool { return r >= 0x7f && trace.Hidden(r) }) {
		return doc
	}
	out := make([]byte, 0, len(doc)+64)
	for _, r := range string(doc) { // an encoder writes valid UTF-8
		switch {
		case r < 0x7f || !trace.Hidden(r):
			out = utf8.AppendRune(out, r)
		case r <= 0xffff:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
	}
	return out
}

// raw writes an answer that is somebody else's bytes: exactly as they are, or,
// where a terminal would carry out what is in them, made safe for it.
func (s *shell) raw(b []byte) error {
	if s.Terminal {
		b = []byte(trace.PlainLines(string(b)))
	}
	_, err := s.Stdout.Write(b)
	return err
}

// say writes a message for people.
func (s *shell) say(format string, args ...any) { s.write(s.Stderr, format, args...) }

// print writes a part of the answer for people.
func (s *shell) print(format string, args ...any) { s.write(s.Stdout, format, args...) }

// write writes one line. Page titles, plugins' words and goals come from
// strangers: whatever is put into the format is made safe for a terminal, and
// coloured only where the stream shows colours.
func (s *shell) write(w io.Writer, format string, args ...any) {
	color := s.Color
	if w == s.Stderr {
		color = s.ColorErr
	}
	safe := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case painted:
			safe[i] = v.text
			if color {
				safe[i] = v.color + v.text + "\x1b[0m"
			}
		case int, int64, uint32:
			safe[i] = v
		default:
			safe[i] = trace.Plain(fmt.Sprint(v))
		}
	}
	s.question.end(s.Stderr)
	fmt.Fprintf(w, format+"\n", safe...)
}

// complain writes an error: what was wrong, and what to do.
func (s *shell) complain(e *tool.Error) {
	for line := range strings.Lines(e.Message) {
		s.say("errand: %s", strings.TrimSuffix(line, "\n"))
	}
	for _, line := range e.Details {
		s.say("  %s", line)
	}
	if e.Hint != "" {
		s.say("  hint: %s", e.Hint)
	}
}

// painted is text with a colour, for a stream that shows colours.
type painted struct{ color, text string }

func paint(color, text string) painted { return painted{color, trace.Plain(text)} }

const (
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	red    = "\x1b[31m"
	quiet  = "\x1b[2m"
	bold   = "\x1b[1m"
)

// columns prints rows with their cells aligned.
func (s *shell) columns(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(trace.Plain(cell))
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-width(cell)+2))
			}
		}
		s.print("%s", strings.TrimRight(line.String(), " "))
	}
}

func width(cell string) int { return utf8.RuneCountInString(trace.Plain(cell)) }
