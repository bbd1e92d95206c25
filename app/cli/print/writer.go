package print

import (
	"fmt"
	"io"
	"maps"
	"strings"
	"unicode/utf8"

	"errand/host/llm"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Writer writes the lines of a command.
type Writer struct {
	Speaker
	Stdout   io.Writer
	Stderr   io.Writer
	Color    bool // standard output is a terminal that shows colours
	ColorErr bool // standard error is
	Quiet    bool // suppress notes

	question question // the one whose line is not ended
}

// Note writes a message that --quiet suppresses: progress, hints, empty lists.
func (s *Writer) Note(code string, pairs ...any) {
	if !s.Quiet {
		s.Say(code, pairs...)
	}
}

// Say writes a message for people that --quiet keeps: an error or a question.
func (s *Writer) Say(code string, pairs ...any) { s.write(s.Stderr, s.text(s.Stderr, code, pairs)) }

// Print writes a part of the answer.
func (s *Writer) Print(code string, pairs ...any) { s.Write(s.Stdout, code, pairs...) }

// Write writes a message and the end of the line. [ColoredText] is coloured only if the stream
// shows colours.
func (s *Writer) Write(w io.Writer, code string, pairs ...any) { s.write(w, s.text(w, code, pairs)) }

// Notef is Note for text that is the same in every language, in the format of Printf.
func (s *Writer) Notef(layout string, args ...any) {
	if !s.Quiet {
		s.Sayf(layout, args...)
	}
}

// Sayf is Say for text that is the same in every language, in the format of Printf.
func (s *Writer) Sayf(layout string, args ...any) { s.Writef(s.Stderr, layout, args...) }

// Printf writes values that are the same in every language, such as commands, names
// and numbers, and messages. The layout has verbs and marks, but no words.
func (s *Writer) Printf(layout string, args ...any) { s.Writef(s.Stdout, layout, args...) }

// Writef is Printf for any stream.
func (s *Writer) Writef(w io.Writer, layout string, args ...any) {
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

func (s *Writer) write(w io.Writer, line string) {
	s.question.end(s.Stderr)
	fmt.Fprintln(w, line)
}

// PrintError writes an error and its hint.
func (s *Writer) PrintError(e *tool.Error) {
	for line := range strings.Lines(s.Lines(e.Message)) {
		s.Sayf("errand: %s", strings.TrimSuffix(line, "\n"))
	}
	for _, line := range e.Details {
		if e.Code == llm.CodeProviderError { // the message names each provider
			break
		}
		s.Sayf("  %s", line)
	}
	s.SayHint(e.Hint)
}

// SayHint writes a hint for the user, if there is one.
func (s *Writer) SayHint(hint message.Message) {
	if !hint.IsZero() {
		s.Say("cli.hint", "hint", hint)
	}
}

// Columns prints rows with their cells aligned.
func (s *Writer) Columns(rows [][]string) {
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
			line.WriteString(trace.EscapeText(cell))
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-width(cell)+2))
			}
		}
		s.Printf("%s", strings.TrimRight(line.String(), " "))
	}
}

// PrintLines prints a text of several lines.
func (s *Writer) PrintLines(text string) {
	for line := range strings.Lines(text) {
		s.Printf("%s", strings.TrimSuffix(line, "\n"))
	}
}

// text is Text for values with colours.
func (s *Writer) text(w io.Writer, code string, pairs []any) string {
	m := message.New(code, pairs...).MapText(trace.EscapeText)
	for i := 1; i < len(pairs); i += 2 {
		if painted, ok := pairs[i].(ColoredText); ok {
			m.Params = maps.Clone(m.Params)
			m.Params[pairs[i-1].(string)] = s.show(w, painted)
		}
	}
	return s.language().Text(m)
}

// show formats a value for a stream: safe for a terminal, a message in the user's language, and
// coloured if it is [ColoredText].
func (s *Writer) show(w io.Writer, v any) string {
	color := s.Color
	if w == s.Stderr {
		color = s.ColorErr
	}
	switch v := v.(type) {
	case ColoredText:
		text := s.show(w, v.value)
		switch {
		case !color && v.color == Strike:
			return "~" + text + "~"
		case !color:
			return text
		}
		return v.color + text + "\x1b[0m"
	case message.Message:
		return trace.EscapeText(s.TextOf(v))
	}
	return trace.EscapeText(fmt.Sprint(v))
}

func width(cell string) int { return utf8.RuneCountInString(trace.EscapeText(cell)) }
