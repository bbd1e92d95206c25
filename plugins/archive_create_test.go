package plugins_test

import (
	"archive/zip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/tool"
)

// TestArchiveCreate: a zip is read by another program and extracted as what was packed, and it
// goes with the undo.
func TestArchiveCreate(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	noise := make([]byte, 300_000)
	random.Read(noise)
	root, call := desk(t)
	at := func(rel string) string { return filepath.Join(root, rel) }
	for name, content := range map[string]string{
		"Trip/a.txt": "alpha", "Trip/deep/Отчёт.txt": strings.Repeat("итого ", 50_000), "Trip/noise": string(noise), "Trip/empty": "", "one.txt": "one",
	} {
		must.Succeed(t, os.MkdirAll(filepath.Dir(at(name)), 0o700))
		write(t, at(name), content)
	}
	must.Succeed(t, os.Mkdir(at("Trip/none"), 0o700))
	must.Succeed(t, os.Symlink("/etc", at("Trip/out")))
	before := tree(t, root)
	folder := call("archive.create", "path", at("Trip"), "destination", at("packed/new/trip.zip"))
	file := call("archive.create", "path", at("one.txt"), "destination", at("one.zip"))
	if !folder.OK || !file.OK {
		t.Fatal(folder.Error, file.Error)
	}
	p := folder.Payload.(map[string]any)
	if p["files"] != 4.0 || p["skipped"] != 1.0 || p["path"] != at("packed/new/trip.zip") || p["from"] != at("Trip") {
		t.Errorf("payload %v", p)
	}
	checkZip(t, at("packed/new/trip.zip"))
	if r := call("archive.extract", "path", at("packed/new/trip.zip"), "into", at("again")); !r.OK {
		t.Fatal(r.Error)
	}
	want := tree(t, at("Trip"))
	delete(want, "out")
	if d := cmp.Diff(want, tree(t, at("again/Trip"))); d != "" {
		t.Errorf("extracted (-want +got):\n%s", d)
	}
	if again := call("archive.create", "path", at("Trip"), "destination", at("one.zip")); codeOf(again) != "file_exists" {
		t.Errorf("again: %v", again.Error)
	}
	must.Succeed(t, os.RemoveAll(at("again")))
	for _, r := range []tool.Result{folder, file} {
		if u := call(r.Undo.Tool, "path", r.Undo.Args["path"], "made", r.Undo.Args["made"]); !u.OK || u.Payload.(map[string]any)["kept"] != 0.0 {
			t.Errorf("undo: %v, %v", u.Payload, u.Error)
		}
	}
	if d := cmp.Diff(before, tree(t, root)); d != "" {
		t.Errorf("undone (-before +after):\n%s", d)
	}
}

// checkZip reads every entry with Go's library, which checks its checksum.
func checkZip(t *testing.T, name string) {
	t.Helper()
	r, err := zip.OpenReader(name)
	must.Succeed(t, err)
	defer r.Close()
	for _, f := range r.File {
		c, err := f.Open()
		if err != nil {
			t.Fatal(f.Name, err)
		}
		if _, err := io.Copy(io.Discard, c); err != nil {
			t.Error(f.Name, err)
		}
		c.Close()
	}
	if len(r.File) != 7 {
		t.Errorf("%d entries", len(r.File))
	}
}

func TestArchiveCreateRefuses(t *testing.T) {
	root, call := desk(t)
	write(t, filepath.Join(root, "a"), "a")
	for _, tt := range []struct{ from, to, code string }{
		{"none", "x.zip", "not_found"},
		{"a", "a", "file_exists"},
		{"a", "a/x.zip", "file_in_the_way"},
		{"a", "../x.zip", "path_outside_roots"},
		{"../a", "x.zip", "path_outside_roots"},
	} {
		r := call("archive.create", "path", root+"/"+tt.from, "destination", root+"/"+tt.to)
		if codeOf(r) != tt.code {
			t.Errorf("%s as %s: %v, want %s", tt.from, tt.to, r.Error, tt.code)
		}
	}
	if got := tree(t, root); len(got) != 1 {
		t.Errorf("there is %v", got)
	}
}
