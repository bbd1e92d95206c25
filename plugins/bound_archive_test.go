//go:build unix

package plugins_test

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/filestate"
	"errand/host/tool"
)

// writeZip makes an archive with one file, whose content is text.
func writeZip(t *testing.T, file, text string) {
	t.Helper()
	f, err := os.Create(file)
	must.Succeed(t, err)
	w := zip.NewWriter(f)
	entry, err := w.CreateHeader(&zip.FileHeader{Name: "a.txt", Method: zip.Store})
	if err == nil {
		_, err = entry.Write([]byte(text))
	}
	must.Succeed(t, errors.Join(err, w.Close(), f.Close()))
}

// TestExtractsTheArchiveThatWasApproved: an archive that changes after the last check is not
// unpacked, because the plugin does not get it.
func TestExtractsTheArchiveThatWasApproved(t *testing.T) {
	tests := []struct {
		name string
		swap func(t *testing.T, file string)
		code string // of the error; empty: it is unpacked; "-": any
	}{
		{"not changed", nil, ""},
		{"renamed over", func(t *testing.T, file string) {
			writeZip(t, file+".new", "thief")
			must.Succeed(t, os.Rename(file+".new", file))
		}, "approval_drift"},
		{"rewritten, time restored", func(t *testing.T, file string) {
			info, err := os.Stat(file)
			must.Succeed(t, err)
			writeZip(t, file, "thief")
			must.Succeed(t, os.Chtimes(file, time.Now(), info.ModTime()))
		}, "approval_drift"},
		{"replaced by a link", func(t *testing.T, file string) {
			writeZip(t, file+".new", "thief")
			must.Succeed(t, errors.Join(os.Remove(file), os.Symlink(filepath.Base(file)+".new", file)))
		}, "-"},
		{"replaced by a folder", func(t *testing.T, file string) {
			must.Succeed(t, errors.Join(os.Remove(file), os.Mkdir(file, 0o755)))
		}, "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			must.Succeed(t, err)
			file, out := filepath.Join(root, "a.zip"), filepath.Join(root, "out")
			writeZip(t, file, "draft")
			extract := tools(t, root)["archive.extract"]
			call := tool.Call{Tool: "archive.extract", Args: map[string]any{"path": file, "into": out}}
			call.Places = filestate.Locate(extract.Spec(), call)
			files, fault := filestate.Inspect(t.Context(), extract.Spec(), call)
			if fault != nil {
				t.Fatal(fault)
			}
			call.Files = files
			if tt.swap != nil {
				tt.swap(t, file)
			}
			r, err := extract.Call(t.Context(), call)
			if err != nil || r.OK != (tt.code == "") {
				t.Fatalf("%+v, %v", r.Error, err)
			}
			b, err := os.ReadFile(filepath.Join(out, "a.txt"))
			if r.OK {
				if string(b) != "draft" {
					t.Errorf("unpacked %q, %v", b, err)
				}
				return
			}
			if err == nil {
				t.Errorf("unpacked %q", b)
			}
			if tt.code != "-" && r.Error.Code != tt.code {
				t.Errorf("error %+v, want %s", r.Error, tt.code)
			}
		})
	}
}
