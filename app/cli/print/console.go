// Package print writes what commands print, and asks the questions that they
// ask. Answers go to standard output, messages for people to standard error; with
// --json a command prints exactly one document.
package print

import (
	"io"

	"github.com/spf13/cobra"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/trace"
	"errand/planner/message"
)

// Console is the terminal, or the pipes in its place, of one command.
type Console struct {
	Writer
	In          io.Reader
	Terminal    bool // standard output is a terminal
	TerminalErr bool // standard error is one
	CanAsk      bool // standard input and error are a terminal
	// Discard throws away typed input that was not read yet. It is nil if standard
	// input is not a terminal.
	Discard func()
	// Hide stops the terminal from showing what is typed, until show is called. ok
	// is false where it can't. It may be nil.
	Hide func() (show func(), ok bool)

	// ShownDraft is called after a terminal was shown all that an approval of a draft
	// covers. It may be nil.
	ShownDraft func(d drafts.View)
	// ShownRun is called after a terminal was shown a run. It may be nil.
	ShownRun func(id string)

	JSON     bool // print one JSON document
	Answered bool // a document was printed: there is no second one
	Code     Exit // the exit code of a command that returned no error

	lines chan reply // lines that were typed; nil before the first question
}

// AddJSONFlag gives a command the flag --json, and returns the command.
func (s *Console) AddJSONFlag(c *cobra.Command) *cobra.Command {
	c.Flags().BoolVar(&s.JSON, "json", s.JSON, "")
	return c
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
		return
	}
	switch v := v.(type) {
	case drafts.View:
		noteShown(s, s.Stdout, v)
	case runs.Report:
		NoteRun(s, s.Stdout, v.RunID)
		if v.Draft != nil {
			noteShown(s, s.Stdout, *v.Draft)
		}
	}
}

// noteShown tells that a draft was printed in full, if w is a terminal. That of an undo
// shows the run that it undoes.
func noteShown(s *Console, w io.Writer, d drafts.View) {
	if isTerminal(s, w) && s.ShownDraft != nil && d.DraftID != "" {
		s.ShownDraft(d)
		NoteRun(s, w, d.Undoes)
	}
}

// NoteRun tells that a run was printed, if w is a terminal.
func NoteRun(s *Console, w io.Writer, id string) {
	if isTerminal(s, w) && s.ShownRun != nil && id != "" {
		s.ShownRun(id)
	}
}

func isTerminal(s *Console, w io.Writer) bool {
	return s.Terminal && w == s.Stdout || s.TerminalErr && w == s.Stderr
}

// Show prints an answer: v as a JSON document with --json, else what text prints. The
// error is always nil, so that a command can end with it.
func (s *Console) Show(v any, text func()) error {
	if s.JSON {
		s.Document(v)
	} else {
		text()
	}
	return nil
}

// Payload prints a JSON document from outside, such as the answer of a plugin: what
// looks like a message in it is data.
func (s *Console) Payload(v any) {
	doc, err := message.EncodeJSON(v)
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
