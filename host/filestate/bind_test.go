//go:build unix

package filestate

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/tool"
)

// TestBind: an open file is compared with its state by content, or by its stamp.
func TestBind(t *testing.T) {
	rewrite := func(text string) func(t *testing.T, file string) {
		return func(t *testing.T, file string) {
			info, err := os.Stat(file)
			if err == nil {
				err = os.WriteFile(file, []byte(text), 0o600)
			}
			if err == nil {
				err = os.Chtimes(file, time.Now(), info.ModTime())
			}
			must.Succeed(t, err)
		}
	}
	tests := []struct {
		name   string
		large  bool // the state has no SHA-256
		change func(t *testing.T, file string)
		want   bool
	}{
		{"the same", false, nil, true},
		{"other bytes", false, rewrite("thief"), false},
		{"more bytes", false, rewrite("draft and more"), false},
		{"fewer bytes", false, rewrite("dra"), false},
		{"the same bytes again", false, rewrite("draft"), true},
		{"large, the same", true, nil, true},
		{"large, rewritten with its time", true, rewrite("thief"), false},
		{"large, another file", true, func(t *testing.T, file string) {
			must.Succeed(t, os.WriteFile(file+"2", []byte("draft"), 0o600))
			must.Succeed(t, os.Rename(file+"2", file))
		}, false},
		{"a folder", false, func(t *testing.T, file string) {
			must.Succeed(t, os.Remove(file))
			must.Succeed(t, os.Mkdir(file, 0o700))
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "f")
			must.Succeed(t, os.WriteFile(file, []byte("draft"), 0o600))
			s, _ := stateOf(t.Context(), []string{filepath.Dir(file)}, file, true)
			if tt.large {
				info, err := os.Stat(file)
				must.Succeed(t, err)
				s.SHA256, s.Mark = "", " "+Stamp(info)
			}
			if tt.change != nil {
				tt.change(t, file)
			}
			f, err := os.Open(file)
			must.Succeed(t, err)
			defer f.Close()
			isSame := Bind(t.Context(), s, f)
			if (isSame != nil) != tt.want {
				t.Fatalf("bound: %t, want %t", isSame != nil, tt.want)
			}
			if isSame == nil {
				return
			}
			if !isSame() {
				t.Error("it is another one, though nothing changed")
			}
			rewrite("draft, edited")(t, file)
			if isSame() {
				t.Error("a rewrite was not noticed")
			}
		})
	}
	t.Run("a missing file", func(t *testing.T) {
		f, err := os.Open(os.DevNull)
		must.Succeed(t, err)
		defer f.Close()
		if Bind(t.Context(), tool.FileState{Kind: tool.FileMissing}, f) != nil {
			t.Error("bound to nothing")
		}
	})
}
