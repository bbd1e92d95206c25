//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"errand/app/cli/print"
	"errand/build/must"
	"errand/build/poll"
)

// TestSignalInterruptsInput checks that Ctrl+C ends a command that waits for standard input or
// for a pipe, with the conventional exit code.
func TestSignalInterruptsInput(t *testing.T) {
	dir := t.TempDir()
	pipe, module := filepath.Join(dir, "pipe"), filepath.Join(dir, "m.wasm")
	must.Succeed(t, errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(module, []byte("\x00asm\x01\x00\x00\x00"), 0o600)))
	for _, args := range [][]string{
		{"interpret", "--jsonl"},
		{"plan", "--jsonl"},
		{"policy", "check", "--jsonl"},
		{"policy", "redact"},
		{"plan", "what time is it", "--world", pipe},
		{"interpret", "--voice", pipe},
		{"plugin", "call", module, "f", "--input", "@" + pipe},
	} {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			t.Run(args[0]+" "+args[1]+" "+signal.String(), func(t *testing.T) {
				in, keepOpen, err := os.Pipe()
				must.Succeed(t, err)
				defer keepOpen.Close()
				cmd := exec.Command(os.Args[0], args...)
				cmd.Env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+t.TempDir())
				cmd.Stdin = in
				must.Succeed(t, cmd.Start())
				in.Close()
				done := make(chan error, 1)
				go func() { done <- cmd.Wait() }()
				// The handler is in place once the program runs Go code of its own; a
				// signal before that ends it too, and is sent again.
				for deadline := time.After(poll.Patience); ; {
					_ = cmd.Process.Signal(signal)
					select {
					case err := <-done:
						var exit *exec.ExitError
						if !errors.As(err, &exit) || exit.ExitCode() != int(print.Interrupted) && !exit.Sys().(syscall.WaitStatus).Signaled() {
							t.Errorf("ended with %v, want exit code 130", err)
						}
						return
					case <-deadline:
						_ = cmd.Process.Kill()
						t.Fatal("it still waits")
					case <-time.After(200 * time.Millisecond):
					}
				}
			})
		}
	}
}
