// Package print writes what commands print, and asks the questions that they
// ask. Answers go to standard output, messages for people to standard error; with
// --json a command prints exactly one document.
package print

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"errand/host/tool"
	"errand/host/trace"
)

// Console is the terminal, or the pipes in its place, of one command.
type Console struct {
	In       io.Reader
	Stdout   io.Writer
	Stderr   io.Writer
	Terminal bool // standard output is a terminal
	Color    bool // standard output is a terminal that shows colours
	ColorErr bool // standard error is
	CanAsk   bool // standard input and error are a terminal
	// Discard throws away typed input that was not read yet. It is nil if standard
	// input is not a terminal.
	Discard func()
	// Hide stops the terminal from showing what is typed, until show is called. ok
	// is false where it can't. It may be nil.
	Hide func() (show func(), ok bool)

	JSON     bool // print one JSON document
	Quiet    bool // suppress notes
	Answered bool // a document was printed: there is no second one
	Code     Exit // the exit code of a command that returned no error

	typed    chan reply // lines that were typed; nil before the first question
	question question   // the one whose line is not ended
}

// AddJSONFlag gives a command the flag --json.
func (s *Console) AddJSONFlag(c *cobra.Command) {
	c.Flags().BoolVar(&s.JSON, "json", s.JSON, "print one JSON document")
}

// Sink remembers the first write that failed: a command whose answer was lost must
// not report success.
type Sink struct {
	io.Writer
	Err error
}

func (w *Sink) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.Err == nil {
		w.Err = err
	}
	return n, err
}

// Document prints one JSON document for machines: indented, no HTML escapes. A
// write that fails is the sink's to remember.
func (s *Console) Document(v any) {
	s.Answered = true
	if err := Encode(s.Stdout, v, "  "); err != nil {
		s.Code = Failed
	}
}

// Raw writes an answer that is somebody else's bytes: exactly as they are, or,
// where a terminal would carry out what is in them, made safe for it.
func (s *Console) Raw(b []byte) error {
	if s.Terminal {
		b = []byte(trace.PlainLines(string(b)))
	}
	_, err := s.Stdout.Write(b)
	return err
}

// Note writes a message that --quiet suppresses: progress, hints, empty lists.
func (s *Console) Note(format string, args ...any) {
	if !s.Quiet {
		s.Say(format, args...)
	}
}

// Say writes a message for people that --quiet keeps: an error or a question.
func (s *Console) Say(format string, args ...any) { s.Write(s.Stderr, format, args...) }

// Print writes a part of the answer for people.
func (s *Console) Print(format string, args ...any) { s.Write(s.Stdout, format, args...) }

// Write writes one line. Page titles, plugin output and goals are
// untrusted: arguments are made safe for a terminal, and coloured only where the
// stream shows colours.
func (s *Console) Write(w io.Writer, format string, args ...any) {
	color := s.Color
	if w == s.Stderr {
		color = s.ColorErr
	}
	safe := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case Painted:
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

// Complain writes an error: what was wrong, and what to do.
func (s *Console) Complain(e *tool.Error) {
	for line := range strings.Lines(e.Message) {
		s.Say("errand: %s", strings.TrimSuffix(line, "\n"))
	}
	for _, line := range e.Details {
		s.Say("  %s", line)
	}
	if e.Hint != "" {
		s.Say("  hint: %s", e.Hint)
	}
}

// Columns prints rows with their cells aligned.
func (s *Console) Columns(rows [][]string) {
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
		s.Print("%s", strings.TrimRight(line.String(), " "))
	}
}

func width(cell string) int { return utf8.RuneCountInString(trace.Plain(cell)) }
