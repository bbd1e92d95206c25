//go:build unix

package transfer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/build/must"
	"errand/build/swap"
	"errand/host/browser/transfer"
	"errand/host/realpath"
	"errand/host/tool"
)

// TestCallsUseThePlaceOfTheDecision swaps a link on the path of downloads and uploads. A call
// that policy decided about while the link led to the folder safe never reads or writes
// elsewhere.
func TestCallsUseThePlaceOfTheDecision(t *testing.T) {
	tests := []struct {
		name, path string
		do         func(t *testing.T, root string, call tool.Call) (done bool)
	}{
		{"save into a folder", "way", func(t *testing.T, root string, call tool.Call) bool { return save(t, root, call, root+"/way") }},
		{"save as a file", "way/new", func(t *testing.T, root string, call tool.Call) bool { return save(t, root, call, root+"/way") }},
		{"save into a new folder", "way/a/b", func(t *testing.T, root string, call tool.Call) bool { return save(t, root, call, root+"/way/a/b") }},
		{"upload", "way/x", func(t *testing.T, root string, call tool.Call) bool { return upload(t, root, call, root+"/way/x") }},
		{"upload from a folder", "way/d/x", func(t *testing.T, root string, call tool.Call) bool { return upload(t, root, call, root+"/way/d/x") }},
		{"upload, other spelling", "way//d/./x", func(t *testing.T, root string, call tool.Call) bool { return upload(t, root, call, root+"/way//d/./x") }},
		{"upload a link to a file", "link", func(t *testing.T, root string, call tool.Call) bool { return upload(t, root, call, root+"/link") }},
		{"look for a saved file", "way/x", func(t *testing.T, root string, call tool.Call) bool {
			dir, err := transfer.FindFolder([]string{root}, call, root+"/way")
			if err != nil {
				return false
			}
			defer dir.Close()
			if b, err := dir.ReadFile("x"); err != nil || string(b) != "safe" {
				t.Fatalf("%q, %v", b, err)
			}
			return true
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			must.Succeed(t, err)
			for _, name := range []string{"safe", "Private"} {
				must.Succeed(t, os.MkdirAll(filepath.Join(root, name, "d"), 0o755))
				for _, file := range []string{"x", "d/x"} {
					must.Succeed(t, os.WriteFile(filepath.Join(root, name, file), []byte(name), 0o600))
				}
			}
			stop := swap.Link(t, root+"/way", root+"/safe", root+"/Private")
			if tt.path == "link" {
				stop = swap.Link(t, root+"/link", root+"/safe/x", root+"/Private/x")
			}
			done, denied := 0, 0
			for n := 0; n < 500 || (done == 0 || denied == 0) && n < 100_000; n++ { // the other side may get no time at first
				place := realpath.Locate(filepath.Join(root, tt.path))
				if !strings.HasPrefix(place.Real, root+"/safe") || tt.path != "link" && !strings.HasPrefix(place.Entry, root+"/safe") && place.Entry != root+"/way" {
					denied++
					continue
				}
				if tt.do(t, root, tool.Call{Places: []tool.Place{place}}) {
					done++
				}
				if entries, err := os.ReadDir(root + "/Private"); err != nil || len(entries) != 2 {
					t.Fatalf("the folder holds %v, %v", entries, err)
				}
			}
			stop()
			if done == 0 || denied == 0 {
				t.Errorf("%d done, %d denied: it was no race", done, denied)
			}
		})
	}
}

func save(t *testing.T, root string, call tool.Call, folder string) bool {
	t.Helper()
	dir, _, fail := transfer.OpenFolder([]string{root}, call, folder)
	if fail != nil {
		return false
	}
	defer dir.Close()
	must.Succeed(t, dir.WriteFile("new", []byte("new"), 0o600))
	return true
}

func upload(t *testing.T, root string, call tool.Call, path string) bool {
	t.Helper()
	f, err := transfer.CopyUpload(t.Context(), []string{root}, call, path, t.TempDir(), 100)
	if err != nil {
		return false
	}
	if b, err := os.ReadFile(f.Path); err != nil || string(b) != "safe" {
		t.Fatalf("%q was uploaded, %v", b, err)
	}
	return true
}

// TestUploadAfterTheDecision makes one change between the decision and the call.
func TestUploadAfterTheDecision(t *testing.T) {
	tests := []struct {
		name   string
		change func(root string) error
		want   string // an error's code, or "" for an upload
	}{
		{"nothing", func(string) error { return nil }, ""},
		{"the file becomes a link", func(r string) error { return relink(r+"/safe/x", r+"/Private/x") }, "file_not_read"},
		{"the folder becomes a link", func(r string) error {
			if err := os.Rename(r+"/safe", r+"/aside"); err != nil {
				return err
			}
			return os.Symlink(r+"/Private", r+"/safe")
		}, "file_not_read"},
		{"the file becomes a folder", func(r string) error {
			if err := os.Remove(r + "/safe/x"); err != nil {
				return err
			}
			return os.Mkdir(r+"/safe/x", 0o755)
		}, "not_a_file"},
		{"the file is gone", func(r string) error { return os.Remove(r + "/safe/x") }, "file_not_read"},
		{"the link that was resolved leads elsewhere", func(r string) error { return relink(r+"/way", r+"/Private") }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			must.Succeed(t, err)
			for _, name := range []string{"safe", "Private"} {
				must.Succeed(t, os.Mkdir(filepath.Join(root, name), 0o755))
				must.Succeed(t, os.WriteFile(filepath.Join(root, name, "x"), []byte(name), 0o600))
			}
			must.Succeed(t, os.Symlink(root+"/safe", root+"/way"))
			call := tool.Call{Places: []tool.Place{realpath.Locate(root + "/way/x")}}
			must.Succeed(t, tt.change(root))
			f, err := transfer.CopyUpload(t.Context(), []string{root}, call, root+"/way/x", t.TempDir(), 100)
			code := ""
			if err != nil {
				code = tool.AsError(err).Code
			}
			if code != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if b, _ := os.ReadFile(f.Path); err == nil && string(b) != "safe" {
				t.Errorf("%q was uploaded", b)
			}
		})
	}
}

func relink(path, target string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.Symlink(target, path)
}
