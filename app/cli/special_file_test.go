//go:build unix

package cli_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
)

// TestSpecialFiles: a command that is given a pipe or a device in a file's place ends with an
// error.
func TestSpecialFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.toml")
	must.Succeed(t, syscall.Mkfifo(pipe, 0o600))
	for _, command := range []string{
		"check FILE", "--config FILE run hello", "recipe check FILE", "recipe show FILE", "run --recipe FILE", "replay FILE", "show FILE",
		"plugin inspect FILE", "plugin install FILE --yes", "plugin call FILE f", "plugin install FILE --key FILE",
	} {
		for _, file := range []string{pipe, "/dev/zero"} {
			t.Run(command+" "+filepath.Base(file), func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				defer cancel()
				cmd := exec.CommandContext(ctx, os.Args[0], strings.Fields(strings.ReplaceAll(command, "FILE", file))...)
				cmd.Env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+t.TempDir())
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				if ctx.Err() != nil || !errors.As(err, &exit) || exit.ExitCode() < 1 {
					t.Errorf("%v, after %v: %s", err, ctx.Err(), out)
				}
			})
		}
	}
}
