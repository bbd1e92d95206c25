//go:build unix

package wasm

import (
	"os"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/host/wasm/rootfs"
)

// TestPlacesInPlugin converts where paths lead to the plugin's paths.
func TestPlacesInPlugin(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"docs", "docs/sub", "target"} {
		must.Succeed(t, os.Mkdir(dir+"/"+name, 0o755))
	}
	must.Succeed(t, os.Symlink(dir+"/target", dir+"/linked"))
	r := newRoots([]manifest.Path{{Root: "files.roots", Mode: "rw"}}, map[string][]string{"files.roots": {dir + "/docs", dir + "/linked", dir + "/docs/sub"}})
	tests := []struct {
		name, path, real, entry string
		want                    rootfs.Place
	}{
		{"no link", "/docs/x", "/docs/x", "/docs/x", rootfs.Place{Name: "/root/0/x", Real: "/root/0/x", Entry: "/root/0/x"}},
		{"a link", "/docs/x", "/docs/y", "/docs/x", rootfs.Place{Name: "/root/0/x", Real: "/root/0/y", Entry: "/root/0/x"}},
		{"the folder itself", "/docs", "/docs", "/docs", rootfs.Place{Name: "/root/0", Real: "/root/0", Entry: "/root/0"}},
		{"out of the folder", "/docs/x", "/elsewhere", "/docs/x", rootfs.Place{Name: "/root/0/x", Entry: "/root/0/x"}},
		{"into another folder", "/docs/x", "/target/x", "/docs/x", rootfs.Place{Name: "/root/0/x", Entry: "/root/0/x"}},
		{"a circle", "/docs/x", "", "", rootfs.Place{Name: "/root/0/x"}},
		{"a granted link", "/linked/x", "/target/x", "/target/x", rootfs.Place{Name: "/root/1/x", Real: "/root/1/x", Entry: "/root/1/x"}},
		{"through a link", "/docs/way/x", "/docs/sub/x", "/docs/sub/x", rootfs.Place{Name: "/root/0/way/x", Real: "/root/0/sub/x", Entry: "/root/0/sub/x"}},
		{"the innermost folder", "/docs/sub/x", "/docs/sub/y", "/docs/sub/x", rootfs.Place{Name: "/root/2/x", Real: "/root/2/y", Entry: "/root/2/x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := func(p string) string {
				if p == "" {
					return ""
				}
				return dir + p
			}
			got := r.places(t.Context(), tool.Call{Key: "key", Places: []tool.Place{{Path: in(tt.path), Real: in(tt.real), Entry: in(tt.entry)}}})
			want := []rootfs.Place{tt.want}
			if tt.path != "/docs" { // the temporary file lies beside the entry, wherever that is
				beside := rootfs.Place{Name: path.Dir(tt.want.Name) + "/" + tool.PartName("key")}
				if tt.want.Entry != "" {
					beside.Real = path.Dir(tt.want.Entry) + "/" + tool.PartName("key")
					beside.Entry = beside.Real
				}
				want = append(want, beside)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := r.places(t.Context(), tool.Call{Places: []tool.Place{{Path: "/elsewhere", Real: dir + "/docs", Entry: "/elsewhere"}}}); got != nil {
		t.Errorf("a path outside has the places %v", got)
	}
}
