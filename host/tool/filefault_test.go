package tool_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"errand/app/i18n"
	"errand/host/tool"
	"errand/planner/message"
)

func TestFileFault(t *testing.T) {
	of := func(err error) error {
		return fmt.Errorf("wrapped: %w", &fs.PathError{Op: "openat", Path: "a/b", Err: err})
	}
	for _, tt := range []struct {
		name string
		err  error
		code string
		text string
	}{
		{"gone", of(syscall.ENOENT), "file_fault.missing", "a/b does not exist"},
		{"not yours", of(syscall.EACCES), "file_fault.permission_denied", "open a/b: permission denied"},
		{"a loop", of(syscall.ELOOP), "file_fault.link_loop", "a/b is a link that leads back to itself"},
		{"a file on the way", of(syscall.ENOTDIR), "file_fault.not_a_folder", "a/b is a file, or leads through one, where a folder is needed"},
		{"a folder", of(syscall.EISDIR), "file_fault.not_a_file", "a/b is a folder, where a file is needed"},
		{"another", of(syscall.EIO), "file_fault.other", "a/b: input/output error"},
		{"of no file", errors.New("too long"), "verbatim", "too long"},
		{"a message", message.Error("json.several_values"), "json.several_values", i18n.English().Say("json.several_values")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tool.FileFault(tt.err)
			if text := i18n.English().Text(got); got.Code != tt.code || text != tt.text {
				t.Errorf("got %v, %q; want %s, %q", got, text, tt.code, tt.text)
			}
		})
	}
}
