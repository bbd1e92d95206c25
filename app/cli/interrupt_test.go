package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"errand/app/cli/print"
)

// interrupting sends Ctrl+C as soon as something is shown.
type interrupting struct {
	bytes.Buffer
	at   string
	stop func()
}

func (w *interrupting) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	if strings.Contains(w.String(), w.at) {
		w.stop()
	}
	return n, err
}

// never is a terminal without input.
type never struct{}

func (never) Read([]byte) (int, error) { select {} }

// TestInterruptAtQuestion checks that Ctrl+C does not answer a question and that the draft still
// waits.
func TestInterruptAtQuestion(t *testing.T) {
	for goal, prompt := range map[string]string{"delete folder A in documents": "[y/N]", "delete Notes in ~/Documents/a/b/c": "Enter: decide later"} {
		p := sit(t, "A", "a/b/c/Notes")
		ctx, cancel := context.WithCancel(t.Context())
		shown := &interrupting{at: prompt, stop: cancel}
		code := Main(ctx, System{Args: []string{"run", goal}, Env: p.env, Stdin: never{}, Stdout: shown, Stderr: shown, CanAsk: true})
		if code != int(print.Interrupted) || !p.has("A") || !p.has("a/b/c/Notes") {
			t.Errorf("%s: exit %d, A there: %t\n%s", goal, code, p.has("A"), shown.String())
		}
		for _, d := range p.drafts(t) {
			if d.State.Final() || d.Approval != nil {
				t.Errorf("%s: the draft is %s", goal, d.State)
			}
			if want := "\nerrand: interrupted\n  the draft still waits: errand drafts " + d.DraftID; !strings.Contains(shown.String(), want) {
				t.Errorf("%s: %q is not in\n%s", goal, want, shown.String())
			}
		}
	}
}

// TestInterruptUndoAndResume checks the same for undo and resume.
func TestInterruptUndoAndResume(t *testing.T) {
	for command, first := range map[string][]string{"undo": {"run", "--yes"}, "resume": {"run"}} {
		p := sit(t, "A")
		p.scripted(t, append(first, "delete folder A in documents")...)
		ctx, cancel := context.WithCancel(t.Context())
		shown := &interrupting{at: "[y/N]", stop: cancel}
		code := Main(ctx, System{Args: []string{command, p.runOf(t)}, Env: p.env, Stdin: never{}, Stdout: shown, Stderr: shown, CanAsk: true})
		cancel()
		d := p.drafts(t)[0]
		if want := "\nerrand: interrupted\n  hint: the draft still waits: errand drafts " + d.DraftID; code != int(print.Interrupted) || d.State.Final() || !strings.Contains(shown.String(), want) {
			t.Errorf("%s: exit %d, the draft is %s; want %q in\n%s", command, code, d.State, want, shown.String())
		}
	}
}
