//go:build unix

package realpath_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"errand/build/must"
	"errand/host/realpath"
	"errand/planner/message"
)

// TestReadFile: only a regular file within the limit is read, and nothing is waited for.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must.Succeed(t, errors.Join(
		os.WriteFile(at("four"), []byte("four"), 0o600), os.WriteFile(at("five!"), []byte("five!"), 0o600), os.WriteFile(at("empty"), nil, 0o600),
		syscall.Mkfifo(at("pipe"), 0o600), os.Symlink("four", at("link")), os.Symlink("pipe", at("link to a pipe")), os.Symlink("/dev/zero", at("link to a device")),
	))
	socket, err := net.Listen("unix", at("socket"))
	must.Succeed(t, err)
	defer socket.Close()
	for _, tt := range []struct{ name, want, code string }{
		{at("four"), "four", ""},
		{at("link"), "four", ""},
		{at("empty"), "", ""},
		{at("five!"), "", "realpath.file_too_large"},
		{at("pipe"), "", "realpath.not_a_file"},
		{at("link to a pipe"), "", "realpath.not_a_file"},
		{at("link to a device"), "", "realpath.not_a_file"},
		{at("socket"), "", "realpath.not_a_file"},
		{"/dev/zero", "", "realpath.not_a_file"},
		{"/dev/tty", "", "realpath.not_a_file"},
	} {
		b, err := realpath.ReadFile(tt.name, 4)
		code := ""
		if err != nil {
			code = message.FromError(err).Code
		}
		if string(b) != tt.want || code != tt.code {
			t.Errorf("%s: %q, %v; want %q, %s", tt.name, b, err, tt.want, tt.code)
		}
	}
	if _, err := realpath.ReadFile(dir, 4); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := realpath.ReadFile(at("none"), 4); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if b, err := realpath.ReadFile("/proc/self/status", 4); err == nil || !strings.Contains(message.FromError(err).Code, "too_large") {
		t.Errorf("a file of unknown size: %q, %v", b, err)
	}
}
