package subject

import (
	"testing"

	"errand/host/tool"
)

// TestIsExplained checks which changes of a folder are the effect of a call that declares
// paths in it. The approval covers only what the later call replaces there, as for a call
// that adds to a folder.
func TestIsExplained(t *testing.T) {
	folder := tool.FileState{Path: "/link/out", Real: "/d/out", Kind: tool.FileFolder}
	entries := func(a, b string) map[string]string {
		return map[string]string{"/link/out/a": a, "/link/out/b": b, "/link/out/s": "folder", "/link/out/s/c": "1"}
	}
	with := func(e map[string]string, name, state string) map[string]string {
		e[name] = state
		return e
	}
	for _, tt := range []struct {
		name     string
		after    map[string]string
		destroys []string
		declared []string
		want     bool
	}{
		{"the declared file", entries("2", "1"), []string{"/link/out/a", "/link/out/b"}, []string{"/link/out/a"}, true},
		{"the declared file, by its real path", entries("2", "1"), []string{"/link/out/a"}, []string{"/link/out/a", "/d/out/a"}, true},
		{"another that is replaced", entries("1", "2"), []string{"/link/out/a", "/link/out/b"}, []string{"/link/out/a"}, false},
		{"both", entries("2", "2"), []string{"/link/out/a", "/link/out/b"}, []string{"/link/out/a"}, false},
		{"another that is not replaced", with(entries("2", "1"), "/link/out/s/c", "2"), []string{"/link/out/a", "/link/out/b"}, []string{"/link/out/a"}, true},
		{"one that was not replaced before", entries("1", "1"), []string{"/link/out/s/c"}, []string{"/link/out/a"}, false},
		{"one that the call makes", with(entries("1", "1"), "/link/out/new", "1"), []string{"/link/out/new"}, []string{"/link/out/new"}, true},
		{"the folder of a declared file", with(entries("1", "1"), "/link/out/s", "other"), []string{"/link/out/a", "/link/out/b"}, []string{"/link/out/s/c"}, true},
		{"a declared file elsewhere", entries("1", "1"), []string{"/link/out/a"}, []string{"/d/else"}, false},
		{"nothing is declared", entries("1", "1"), []string{"/link/out/a"}, []string{""}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Change{
				Old:    Subject{Files: []tool.FileState{folder}, Identity: "1", Destroys: []string{"/link/out/a", "/link/out/b"}, Count: 2},
				Now:    Subject{Files: []tool.FileState{folder}, Identity: "2", Destroys: tt.destroys, Count: len(tt.destroys)},
				Before: entries("1", "1"), After: tt.after, Declared: tt.declared,
			}
			if got := c.IsExplained(); got != tt.want {
				t.Errorf("explained: %t", got)
			}
		})
	}
}

// TestOtherFolderIsNotExplained: a folder whose entries no approval covers is still the same
// folder, whatever earlier calls declare in it.
func TestOtherFolderIsNotExplained(t *testing.T) {
	folder := func(mark string) Subject {
		return Subject{Files: []tool.FileState{{Path: "/d/out", Real: "/d/out", Kind: tool.FileFolder, Mark: mark}}}
	}
	deep := " ino=1" + tool.EntriesMark
	for _, tt := range []struct {
		name, was, is string
		declared      []string
		want          bool
	}{
		{"the same", " ino=1", " ino=1", []string{"/d/out/a"}, true},
		{"another, with a declared file in it", " ino=1", " ino=2", []string{"/d/out/a"}, false},
		{"another, without a declared file", " ino=1", " ino=2", nil, false},
		{"another, which is declared", " ino=1", " ino=2", []string{"/d/out"}, true},
		{"another below a declared folder", " ino=1", " ino=2", []string{"/d"}, true},
		{"covered entries, with a declared file", deep + "a", deep + "b", []string{"/d/out/a"}, true},
		{"covered entries, without a declared file", deep + "a", deep + "b", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Change{Old: folder(tt.was), Now: folder(tt.is), Declared: tt.declared}
			if got := c.IsExplained(); got != tt.want {
				t.Errorf("explained %t, want %t", got, tt.want)
			}
		})
	}
}
