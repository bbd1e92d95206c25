package wasm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/wasm"
)

// TestFolders: what WASI's test suite asks of folders. Links are refused on purpose.
func TestFolders(t *testing.T) {
	const isDirectory, notEmpty, notPermitted, missing = "31", "55", "63", "44"
	h := newHost(t, wasm.Options{})
	out, err := h.Call(t.Context(), guest(t, "folders-c"), "_start", nil, wasm.CallOptions{
		Mounts: []wasm.Mount{{Host: t.TempDir(), Guest: "/work", Quota: 1 << 20, MaxFile: 1 << 20}},
	})
	must.Succeed(t, err)
	want := []string{
		"numbers: 0",
		"read a folder: 0",
		"write a folder: " + isDirectory,
		"write a folder, as a folder: " + isDirectory,
		"only write a folder, as a folder: " + isDirectory,
		"write the whole, as a folder: " + isDirectory,
		"onto a full folder: " + notEmpty,
		"onto an empty folder: 0",
		"what it had: 0",
		"a file onto a folder: " + isDirectory,
		"symbolic link: " + notPermitted,
		"symbolic link with a slash: " + notPermitted,
		"hard link: " + notPermitted,
		"the link: " + missing,
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(string(out.Data)), "\n")); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}
