package realpath

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
)

// TestWalk lists what is below a folder, with and without links.
func TestWalk(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must.Succeed(t, err)
	for _, folder := range []string{"a/b", "other/sub"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(dir, folder), 0o755))
	}
	for _, file := range []string{"a/b/file", "other/file"} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, file), nil, 0o600))
	}
	for link, target := range map[string]string{"a/link": "../other", "a/loop": "loop", "a/nowhere": "../none", "a/up": ".", "other/back": "../a"} {
		must.Succeed(t, os.Symlink(target, filepath.Join(dir, link)))
	}
	for _, tt := range []struct {
		name   string
		folder string
		follow bool
		want   string
		all    bool
	}{
		{"folder", "a", false, "a/b a/b/file a/link a/loop a/nowhere a/up", true},
		{"with links", "a", true, "a a/b a/b/file a/link a/loop a/nowhere a/up none other other/back other/file other/sub", true},
		{"file", "other/file", true, "", true},
		{"nothing there", "none", true, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			all := Walk(filepath.Join(dir, tt.folder), tt.follow, func(path string) bool {
				got = append(got, strings.TrimPrefix(path, dir+"/"))
				return false
			})
			slices.Sort(got)
			got = slices.Compact(got)
			if all != tt.all || strings.Join(got, " ") != tt.want {
				t.Errorf("%t, %q", all, got)
			}
		})
	}
	for _, tt := range []struct {
		left int
		all  bool
	}{{6, true}, {5, false}} {
		w := walker{remaining: tt.left, visited: map[string]bool{}, visit: func(string) bool { return false }}
		if all := w.walk(dir + "/a"); all != tt.all {
			t.Errorf("with %d entries: %t", tt.left, all)
		}
	}
	visited := 0
	if all := Walk(dir+"/a", true, func(string) bool { visited++; return visited == 2 }); !all || visited != 2 {
		t.Errorf("stopped after %d, %t", visited, all)
	}
}
