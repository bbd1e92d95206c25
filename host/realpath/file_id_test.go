//go:build unix

package realpath

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFileID(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"alone", "one"} {
		if err := os.WriteFile(at(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{os.Link(at("one"), at("two")), os.Symlink("two", at("link")), os.Mkdir(at("folder"), 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	id := FileID(at("one"))
	if id == "" || id != FileID(at("two")) {
		t.Errorf("one is %q, two is %q", id, FileID(at("two")))
	}
	for _, name := range []string{"alone", "link", "folder", "missing"} {
		if got := FileID(at(name)); got != "" {
			t.Errorf("%s is %q", name, got)
		}
	}
}
