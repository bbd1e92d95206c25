package desktop

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"errand/app/config"
)

// TestAbortedUpload checks that an incomplete file is not kept, and that the error says so.
func TestAbortedUpload(t *testing.T) {
	for _, tt := range []struct {
		name string
		body io.Reader
		code string // "" for kept
	}{
		{"whole", bytes.NewReader(make([]byte, 100_000)), ""},
		{"empty", bytes.NewReader(nil), ""},
		{"byte by byte", iotest.OneByteReader(bytes.NewReader(make([]byte, 100))), ""},
		{"broken off at once", iotest.ErrReader(io.ErrUnexpectedEOF), CodeUploadCut},
		{"broken off later", io.MultiReader(bytes.NewReader(make([]byte, 100_000)), iotest.ErrReader(io.ErrUnexpectedEOF)), CodeUploadCut},
		{"too slow", iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(make([]byte, 100)))), CodeUploadCut},
		{"one byte too many", io.LimitReader(zeros{}, MaxUpload+1), CodeUploadLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cache := t.TempDir()
			conf := config.Options{Env: []string{"HOME=" + cache, "XDG_CACHE_HOME=" + cache}}
			life := New(Options{Open: func() (*Engine, error) { return nil, errors.New("not opened") }, Config: conf, Face: &fakeFace{}})
			t.Cleanup(func() { _ = life.End(context.WithoutCancel(t.Context())) })
			path, err := life.KeepUpload("a.wasm", tt.body)
			if got := code(err); got != tt.code {
				t.Errorf("error %v, want %q", err, tt.code)
			}
			left, _ := filepath.Glob(filepath.Join(life.Private(), "upload-*"))
			if _, err := os.Stat(path); (err == nil) != (tt.code == "") || (len(left) > 0) != (tt.code == "") {
				t.Errorf("kept %q, folders %q", path, left)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
