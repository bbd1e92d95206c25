package input

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/planner/message"
)

// slowReader is what a file is read from in a bubble. It opens after a time and then answers
// after another one.
type slowReader struct {
	file        *file
	open, write time.Duration
}

func (r slowReader) Read(p []byte) (int, error) {
	time.Sleep(r.open)
	r.file.opened.Store(true)
	time.Sleep(r.write)
	return copy(p, "x"), io.EOF
}

// TestPipeLimits checks how long a read of a pipe waits.
func TestPipeLimits(t *testing.T) {
	for _, tt := range []struct {
		name        string
		open, write time.Duration
		isFile      bool
		limit       string // in the error; "": it is read
	}{
		{"a regular file", 0, 0, true, ""},
		{"opened and written late", 20 * time.Second, 3 * time.Minute, true, ""},
		{"no program opens it", time.Hour, 0, true, "30s"},
		{"nothing is written", time.Second, time.Hour, true, "5m"},
		{"standard input", time.Hour, time.Hour, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &file{}
				in := interruptible{ctx: t.Context(), r: slowReader{f, tt.open, tt.write}}
				if tt.isFile {
					in.file = f
				}
				b, err := io.ReadAll(in)
				text := ""
				if err != nil {
					text = i18n.English().Text(message.FromError(err))
				}
				if (err == nil) != (tt.limit == "") || !strings.Contains(text, tt.limit) || err == nil && string(b) != "x" {
					t.Errorf("read %q, %q", b, text)
				}
				time.Sleep(3 * time.Hour) // the reads end
			})
		})
	}
}

// TestPipeWithoutWriter checks that a pipe is opened so that Ctrl+C ends the wait.
func TestPipeWithoutWriter(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	must.Succeed(t, syscall.Mkfifo(name, 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := New(ctx, nil).ReadNamed(name); err != context.Canceled {
		t.Errorf("%v", err)
	}
	go func() { // ends the read that is left
		if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
			f.Close()
		}
	}()
}
