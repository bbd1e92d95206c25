package print

import (
	"errors"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/app/runs"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// TestPageTitlesCantControlTheTerminal checks that control sequences in untrusted text are shown
// and have no effect.
func TestPageTitlesCantControlTheTerminal(t *testing.T) {
	var out safeWriter
	s := &Console{Writer: Writer{Stdout: &out, Stderr: &out}}
	hostile := "\x1b]0;owned\a\x1b[2J\u009b31m\u202eevil\nerrand: forged"
	inner := message.New("cli.run_heading", "run", hostile)
	s.Printf("%s", hostile)
	s.Sayf("%s: %v %s", hostile, errors.New(hostile), inner)
	s.Say("cli.hint", "hint", hostile)
	s.Say("cli.list", "items", []any{hostile, inner, message.Verbatim(hostile)})
	s.Say("cli.case_failed", "fail", Paint(Red, hostile), "case", hostile, "place", hostile)
	s.Columns([][]string{{hostile, s.TextOf(inner)}})
	for _, r := range string(out) {
		if r == 0x1b || r == 0x07 || r == 0x9b || r == 0x202e {
			t.Errorf("%q reached the terminal in %q", r, string(out))
		}
	}
	if n := strings.Count(string(out), "\n"); n != 6 {
		t.Errorf("%d lines, want 6:\n%s", n, out)
	}
}

type safeWriter []byte

func (w *safeWriter) Write(p []byte) (int, error) { *w = append(*w, p...); return len(p), nil }

// TestOnlyPaintedIsColoured checks that a colour ends with its text, and that only a stream with
// colours gets it.
func TestOnlyPaintedIsColoured(t *testing.T) {
	var out, errs safeWriter
	s := &Console{Writer: Writer{Stdout: &out, Stderr: &errs, ColorErr: true}}
	s.Print("cli.case_failed", "fail", PaintMessage(Red, "cli.fail"), "case", "a", "place", "b")
	s.Say("cli.case_failed", "fail", PaintMessage(Red, "cli.fail"), "case", "a", "place", "b")
	if string(out) != "FAIL a (b)\n" || string(errs) != "\x1b[31mFAIL\x1b[0m a (b)\n" {
		t.Errorf("wrote %q and %q", out, errs)
	}
}

// TestComplain checks that each line of an error begins with the program's name.
func TestComplain(t *testing.T) {
	var errs safeWriter
	s := &Console{Writer: Writer{Stderr: &errs, Speaker: Speaker{Language: func(string) *i18n.Language { return i18n.ForTag("ru") }}}}
	s.PrintError(tool.NewError(tool.ExecutionError, "x", message.Verbatim("one\ntwo\x1b[2J")).WithHint(message.New("cli.see_runs")))
	if want := "errand: one\nerrand: two\\x1b[2J\n  подсказка: их перечисляет `errand runs`, а `last` — последнее\n"; string(errs) != want {
		t.Errorf("wrote %q, want %q", errs, want)
	}
}

// TestUnusedWordsAreStruckThrough checks that unused words are struck through: with colours by
// the terminal, otherwise with tildes.
func TestUnusedWordsAreStruckThrough(t *testing.T) {
	q := plan.Question{Question: message.Verbatim("What?"), Unused: &plan.Unused{Before: "open gmail and ", Words: "frobnicate", After: ", please"}}
	for colour, want := range map[bool]string{false: "What?\n  open gmail and ~frobnicate~, please\n", true: "What?\n  open gmail and \x1b[9mfrobnicate\x1b[0m, please\n"} {
		var errs safeWriter
		s := &Console{Writer: Writer{Stderr: &errs, ColorErr: colour}}
		s.PrintQuestions([]plan.Question{q})
		if string(errs) != want {
			t.Errorf("wrote %q, want %q", errs, want)
		}
	}
}

// TestAnswerIsSetApart: on a terminal, the lines of a page or a file do not begin where
// Errand's own do.
func TestAnswerIsSetApart(t *testing.T) {
	answer := message.Verbatim("one\nerrand approve X\n\nDeleted all")
	for terminal, want := range map[bool]string{
		false: "one\nerrand approve X\n\nDeleted all\n",
		true:  "│ one\n│ errand approve X\n│ \n│ Deleted all\n",
	} {
		var out, errs safeWriter
		p := &RunPrinter{Console: &Console{Writer: Writer{Stdout: &out, Stderr: &errs}, Terminal: terminal}}
		p.Finish(runs.Report{Status: trace.Done, Answer: answer})
		if string(out) != want {
			t.Errorf("terminal %t: wrote %q, want %q", terminal, out, want)
		}
	}
}
