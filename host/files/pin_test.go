//go:build linux

package files_test

import (
	"os"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/files"
	"errand/host/tool"
)

// TestPin: an undo that names a folder by its number alone is held to the one
// that is there now; a later folder with that number is another one.
func TestPin(t *testing.T) {
	w := newWorld(t)
	w.mkdir("d")
	w.write("f", "abc")
	pin := func(name string, a map[string]any) (string, error) {
		t.Helper()
		got, err := w.tools[name].(tool.Pinner).Pin(t.Context(), a)
		s, _ := got["if_unchanged"].(string)
		return s, err
	}
	bare := "folder ino=" + files.Inode(t, w.at("d"))
	pinned, err := pin(files.DeleteFolderName, args("path", w.at("d"), "if_unchanged", bare))
	must.Succeed(t, err)
	kept := pinned != bare // some file systems keep no time of birth
	if kept && !strings.HasPrefix(pinned, bare+" born=") {
		t.Fatalf("pinned to %q", pinned)
	}
	if again, err := pin(files.DeleteFolderName, args("path", w.at("d"), "if_unchanged", pinned)); err != nil || again != pinned {
		t.Errorf("pinned again: %q, %v", again, err)
	}
	w.write("d/x", "") // what happens in it makes it no other
	must.Succeed(t, os.Remove(w.at("d/x")))
	earlier := bare + " born=1700000000000000000"
	if r := w.call(files.DeleteFolderName, args("path", w.at("d"), "if_unchanged", earlier)); kept && code(r) != "changed" {
		t.Errorf("a folder born later: %q", code(r))
	}
	if r := w.call(files.DeleteFolderName, args("path", w.at("d"), "if_unchanged", pinned)); !r.OK {
		t.Errorf("the very folder: %v", r.Error)
	}

	for name, tt := range map[string]struct {
		tool string
		args map[string]any
		want string
		fail bool
	}{
		"a file says what is in it":   {files.DeleteFileName, args("path", w.at("f"), "if_unchanged", "file size=3"), "file size=3", false},
		"nothing was asked for":       {files.DeleteFolderName, args("path", w.at("e")), "", false},
		"it is gone":                  {files.DeleteFolderName, args("path", w.at("d"), "if_unchanged", bare), "", true},
		"another is there":            {files.DeleteFolderName, args("path", w.at("f"), "if_unchanged", bare), "", true},
		"arguments that are not ours": {files.DeleteFolderName, args("path", 5), "", true},
		"outside":                     {files.DeleteFolderName, args("path", "/etc", "if_unchanged", bare), "", true},
	} {
		if got, err := pin(tt.tool, tt.args); got != tt.want || (err != nil) != tt.fail {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
