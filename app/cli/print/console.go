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
	// Discard discards typed input that was not read yet. It is nil if standard input is not a
	// terminal.
	Discard func()
	// Hide makes the terminal hide typed input until show is called. ok is false if the terminal
	// can't. It may be nil.
	Hide func() (show func(), ok bool)

	// ShownDraft is called after a terminal was shown all that an approval of a draft
	// covers. It may be nil.
	ShownDraft func(d drafts.View)
	// ShownRun is called after a terminal was shown a run. It may be nil.
	ShownRun func(id string)

	JSON     bool // print one JSON document
	Answered bool // a document was printed: there is no second one
	Code     Exit // the exit code of a command that returned no error

	permitted []string // ids of grants for all runs, see Permit

	lines chan reply // lines that were typed; nil before the first question
}

// AddJSONFlag gives a command the flag --json, and returns the command.
func (s *Console) AddJSONFlag(c *cobra.Command) *cobra.Command {
	c.Flags().BoolVar(&s.JSON, "json", s.JSON, "")
	return c
}

// Sink remembers the first failed write, because a command whose output was lost must not report
// success.
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

// Document prints one JSON document: indented, without HTML escapes. The sink remembers a failed
// write.
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

// noteShown calls ShownDraft if w is a terminal. The draft of an undo also shows the run that it
// undoes.
func noteShown(s *Console, w io.Writer, d drafts.View) {
	if isTerminal(s, w) && s.ShownDraft != nil && d.DraftID != "" {
		s.ShownDraft(d)
		NoteRun(s, w, d.Undoes)
	}
}

// NoteRun calls ShownRun if w is a terminal.
func NoteRun(s *Console, w io.Writer, id string) {
	if isTerminal(s, w) && s.ShownRun != nil && id != "" {
		s.ShownRun(id)
	}
}

func isTerminal(s *Console, w io.Writer) bool {
	return s.Terminal && w == s.Stdout || s.TerminalErr && w == s.Stderr
}

// Show prints an answer: v as a JSON document with --json, otherwise the output of text. The
// error is always nil, so that a command can return it.
func (s *Console) Show(v any, text func()) error {
	if s.JSON {
		s.Document(v)
	} else {
		text()
	}
	return nil
}

// Payload prints a JSON document from outside, such as a plugin's answer. Data in it that looks
// like a message stays data.
func (s *Console) Payload(v any) {
	doc, err := message.EncodeJSON(v)
	if err == nil {
		err = writeJSON(s.Stdout, doc, "  ")
	}
	if s.Answered = true; err != nil {
		s.Code = Failed
	}
}

// Raw writes bytes from outside unchanged, or made safe if the output is a terminal.
func (s *Console) Raw(b []byte) error {
	if s.Terminal {
		b = []byte(trace.PlainLines(string(b)))
	}
	_, err := s.Stdout.Write(b)
	return err
}
