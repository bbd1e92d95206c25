package cli

import (
	"bytes"
	"context"
	"strings"
	"syscall"
	"testing"

	"errand/app/cli/print"
)

// TestFullDisk fills a small disk. The command reports what was done, what could not be stored
// and what to do, and the record can be read. A full cache only costs time.
func TestFullDisk(t *testing.T) {
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=400k"); err != nil {
		t.Skipf("mounting a small disk is not permitted here (%v): host/store fills one by SQLite's own limit", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(small, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	errand := func(env string, args ...string) (print.Exit, string, string) {
		var out, message bytes.Buffer
		code := Main(context.Background(), System{
			Args: args, Env: []string{"HOME=" + t.TempDir(), env},
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &message,
		})
		return print.Exit(code), out.String(), message.String()
	}

	if code, out, message := errand("XDG_CACHE_HOME="+small, "run", "create folder Reports in documents"); code != print.Done || !strings.Contains(out, "Created") {
		t.Errorf("a full cache: exit %d, %q, %q", code, out, message)
	}
	full, done := false, 0
	for range 40 {
		code, out, message := errand("XDG_DATA_HOME="+small, "run", "what time is it")
		if code == print.Done {
			done++
			continue
		}
		full = true
		if code != print.Failed || !strings.Contains(message, "full") || !strings.Contains(message, "hint: ") {
			t.Errorf("a full disk: exit %d, %q, %q", code, out, message)
		}
		break
	}
	if !full || done == 0 {
		t.Errorf("full: %t, after %d runs", full, done)
	}
	if code, out, message := errand("XDG_DATA_HOME="+small, "runs"); code != print.Done {
		t.Errorf("reading from a full disk: exit %d, %q, %q", code, out, message)
	}
}
