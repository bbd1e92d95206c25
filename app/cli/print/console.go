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

	"errand/app/i18n"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
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

	// Language returns the language of messages for people, by the tag of the goal's
	// language. Nil: English.
	Language func(goal string) *i18n.Language
	// Goal is the tag of the goal's language, in which JSON documents have the texts of
	// its plan; empty: not known.
	Goal string

	JSON     bool // print one JSON document
	Quiet    bool // suppress notes
	Answered bool // a document was printed: there is no second one
	Code     Exit // the exit code of a command that returned no error

	typed    chan reply // lines that were typed; nil before the first question
	question question   // the one whose line is not ended
}

// AddJSONFlag gives a command the flag --json.
func (s *Console) AddJSONFlag(c *cobra.Command) {
	c.Flags().BoolVar(&s.JSON, "json", s.JSON, "")
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
	if err := s.Encode(s.Stdout, v, "  "); err != nil {
		s.Code = Failed
	}
}

// Payload prints a JSON document from outside, such as the answer of a plugin: what
// looks like a message in it is data.
func (s *Console) Payload(v any) {
	doc, err := encodeJSON(v)
	if err == nil {
		err = writeJSON(s.Stdout, doc, "  ")
	}
	if s.Answered = true; err != nil {
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
func (s *Console) Note(code string, pairs ...any) {
	if !s.Quiet {
		s.Say(code, pairs...)
	}
}

// Say writes a message for people that --quiet keeps: an error or a question.
func (s *Console) Say(code string, pairs ...any) { s.write(s.Stderr, s.text(s.Stderr, code, pairs)) }

// Print writes a part of the answer for people.
func (s *Console) Print(code string, pairs ...any) { s.Write(s.Stdout, code, pairs...) }

// Write writes a message and the end of the line. Values that are [Painted] are
// coloured only where the stream shows colours.
func (s *Console) Write(w io.Writer, code string, pairs ...any) { s.write(w, s.text(w, code, pairs)) }

// Notef is Note for what is the same in every language, as Printf is Print.
func (s *Console) Notef(layout string, args ...any) {
	if !s.Quiet {
		s.Sayf(layout, args...)
	}
}

// Sayf is Say for what is the same in every language, as Printf is Print.
func (s *Console) Sayf(layout string, args ...any) { s.Writef(s.Stderr, layout, args...) }

// Printf writes values that are the same in every language, such as commands, names
// and numbers, and messages. The layout has verbs and marks, but no words.
func (s *Console) Printf(layout string, args ...any) { s.Writef(s.Stdout, layout, args...) }

// Writef is Printf for any stream.
func (s *Console) Writef(w io.Writer, layout string, args ...any) {
	shown := make([]any, len(args))
	for i, arg := range args {
		switch arg.(type) {
		case int, int64, uint32:
			shown[i] = arg
		default:
			shown[i] = s.show(w, arg)
		}
	}
	s.write(w, fmt.Sprintf(layout, shown...))
}

func (s *Console) write(w io.Writer, line string) {
	s.question.end(s.Stderr)
	fmt.Fprintln(w, line)
}

// Complain writes an error: what was wrong, and what to do.
func (s *Console) Complain(e *tool.Error) {
	for line := range strings.Lines(s.Lines(e.Message)) {
		s.Sayf("errand: %s", strings.TrimSuffix(line, "\n"))
	}
	for _, line := range e.Details {
		s.Sayf("  %s", line)
	}
	s.SayHint(e.Hint)
}

// SayHint writes what a person can do, if there is something.
func (s *Console) SayHint(hint message.Message) {
	if !hint.IsZero() {
		s.Say("cli.hint", "hint", hint)
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
		s.Printf("%s", strings.TrimRight(line.String(), " "))
	}
}

func width(cell string) int { return utf8.RuneCountInString(trace.Plain(cell)) }
