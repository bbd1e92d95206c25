package tool_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"errand/host/tool"
)

func TestFileFault(t *testing.T) {
	of := func(err error) error {
		return fmt.Errorf("wrapped: %w", &fs.PathError{Op: "openat", Path: "a/b", Err: err})
	}
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"gone", of(syscall.ENOENT), "a/b is not there"},
		{"not yours", of(syscall.EACCES), "a/b may not be opened by you"},
		{"a loop", of(syscall.ELOOP), "a/b is a link that leads back to itself"},
		{"a file on the way", of(syscall.ENOTDIR), "a/b is a file, or leads through one, where a folder is needed"},
		{"a folder", of(syscall.EISDIR), "a/b is a folder, where a file is needed"},
		{"another", of(syscall.EIO), "a/b: input/output error"},
		{"of no file", errors.New("too long"), "too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tool.FileFault(tt.err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
