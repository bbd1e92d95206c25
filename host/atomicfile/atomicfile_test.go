//go:build unix

package atomicfile_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"errand/build/must"
	"errand/host/atomicfile"
)

func TestWrite(t *testing.T) {
	tests := []struct {
		name   string
		before func(dir string) error // makes the file
		mode   fs.FileMode
		fails  bool
	}{
		{"new", func(string) error { return nil }, 0o640, false},
		{"exists", func(dir string) error { return os.WriteFile(dir+"/file", []byte("old and longer"), 0o644) }, 0o644, false},
		{"read-only", func(dir string) error { return os.WriteFile(dir+"/file", []byte("old"), 0o400) }, 0o400, false},
		{"a link", func(dir string) error {
			if err := os.WriteFile(dir+"/target", []byte("old"), 0o600); err != nil {
				return err
			}
			return os.Symlink("target", dir+"/file")
		}, 0o600, false},
		{"a folder", func(dir string) error { return os.MkdirAll(dir+"/file/inner", 0o755) }, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			must.Succeed(t, tt.before(dir))
			before, _ := os.Readlink(dir + "/file")
			err := atomicfile.Write(dir+"/file", []byte("new"), 0o640)
			if (err != nil) != tt.fails {
				t.Fatal(err)
			}
			if left, _ := filepath.Glob(dir + "/.*"); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			if tt.fails {
				return
			}
			b, err := os.ReadFile(dir + "/file")
			if err != nil || string(b) != "new" {
				t.Errorf("%q, %v", b, err)
			}
			if info, err := os.Stat(dir + "/file"); err != nil || info.Mode() != tt.mode {
				t.Errorf("mode %v, want %v", info.Mode(), tt.mode)
			}
			if after, _ := os.Readlink(dir + "/file"); after != before {
				t.Errorf("the link leads to %q, not to %q", after, before)
			}
		})
	}
	if err := atomicfile.Write(t.TempDir()+"/none/file", nil, 0o600); err == nil {
		t.Error("a folder was created")
	}
}

// TestWriteAtOnce: a reader never sees a part of the content.
func TestWriteAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	contents := [][]byte{bytes.Repeat([]byte("a"), 1<<16), bytes.Repeat([]byte("b"), 1<<16)}
	must.Succeed(t, atomicfile.Write(file, contents[0], 0o600))
	var writers sync.WaitGroup
	for _, content := range contents {
		writers.Go(func() {
			for range 50 {
				if err := atomicfile.Write(file, content, 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		b, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(b, contents[0]) && !bytes.Equal(b, contents[1]) {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
	}
	writers.Wait()
}
