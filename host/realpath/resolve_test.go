//go:build unix

package realpath_test

import (
	"testing"

	"errand/host/realpath"
)

func TestResolve(t *testing.T) {
	dir := home(t)
	link(t, dir+"/Private", dir+"/link")
	link(t, "Private/inner", dir+"/relative")
	link(t, dir+"/Private/new", dir+"/nowhere")
	link(t, "nowhere", dir+"/again")
	link(t, "loop", dir+"/loop")
	link(t, "pong", dir+"/ping")
	link(t, "ping", dir+"/pong")
	tests := []struct {
		path, real, entry string // "": a circle
	}{
		{"/safe/x", "/safe/x", "/safe/x"},
		{"/link", "/Private", "/link"},
		{"/link/x", "/Private/x", "/Private/x"},
		{"/relative/x", "/Private/inner/x", "/Private/inner/x"},
		{"/link/none/deep", "/Private/none/deep", "/Private/none/deep"},
		{"/nowhere", "/Private/new", "/nowhere"},
		{"/nowhere/deep", "/Private/new/deep", "/Private/new/deep"},
		{"/again", "/Private/new", "/again"},
		{"/none/x", "/none/x", "/none/x"},
		{"/safe/x/below", "/safe/x/below", "/safe/x/below"},
		{"/loop", "", "/loop"},
		{"/loop/x", "", ""},
		{"/ping/x", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			for _, f := range []struct {
				name    string
				resolve func(string) (string, bool)
				want    string
			}{{"Resolve", realpath.Resolve, tt.real}, {"Entry", realpath.Entry, tt.entry}} {
				got, ok := f.resolve(dir + tt.path)
				if ok != (f.want != "") || ok && got != dir+f.want {
					t.Errorf("%s: %q, %t; want %q", f.name, got, ok, f.want)
				}
			}
		})
	}
}

func TestGrantedFolderOf(t *testing.T) {
	dir := home(t)
	link(t, dir+"/safe", dir+"/granted")
	roots := []string{dir, dir + "/safe/inner", dir + "/none"}
	tests := []struct {
		name                  string
		roots                 []string
		path, inner, outer    string
		innerInside, outInner string
	}{
		{"one", roots, "/safe/x", "", "", "safe/x", "safe/x"},
		{"nested", roots, "/safe/inner/x", "/safe/inner", "", "x", "safe/inner/x"},
		{"itself", roots, "", "", "", ".", "."},
		{"by a link", []string{dir + "/granted"}, "/safe/x", "/safe", "/safe", "x", "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if root, rel, ok := realpath.FindRoot(tt.roots, dir+tt.path); !ok || root != dir+tt.inner || rel != tt.innerInside {
				t.Errorf("Within: %s, %s, %t", root, rel, ok)
			}
			if root, rel, ok := realpath.Outermost(tt.roots, dir+tt.path); !ok || root != dir+tt.outer || rel != tt.outInner {
				t.Errorf("Outermost: %s, %s, %t", root, rel, ok)
			}
		})
	}
	for _, path := range []string{"/", dir + "x", dir + "/../x"} {
		if root, _, ok := realpath.FindRoot(roots, path); ok {
			t.Errorf("%s is in %s", path, root)
		}
	}
}
