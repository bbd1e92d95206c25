//go:build unix

package speech

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
)

func TestRecognise(t *testing.T) {
	tests := []struct {
		name, script string
		want         Speech
		code         string
	}{
		{"JSON", `echo '{"transcript": "open  youtube", "confidence": 0.8}'`, Speech{"open youtube", 0.8}, ""},
		{"text of whisper.cpp", `echo '{"text": " open youtube"}'`, Speech{"open youtube", 0}, ""},
		{"plain text", `echo; echo " open youtube "`, Speech{"open youtube", 0}, ""},
		{"nothing", `true`, Speech{}, ""},
		{"the file", `cat "$1"`, Speech{"recorded", 0}, ""},
		{"no token", `echo "${TELEGRAM_BOT_TOKEN-none} $OPENAI_API_KEY $LANG"`, Speech{"none C", 0}, ""},
		{"broken JSON", `echo '{"transcript": '`, Speech{}, CodeFailed},
		{"a confidence over 1", `echo '{"transcript": "x", "confidence": 80}'`, Speech{}, CodeFailed},
		{"an error", `echo oops >&2; exit 3`, Speech{}, CodeFailed},
		{"too slow", `sleep 100`, Speech{}, CodeFailed},
		{"a long output", `yes | head -c 9000000`, Speech{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			program, file := filepath.Join(dir, "p"), filepath.Join(dir, "voice.oga")
			must.Succeed(t, os.WriteFile(program, []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700))
			must.Succeed(t, os.WriteFile(file, []byte("recorded"), 0o600))
			r := Recogniser{
				Command: []string{program, "{file}"}, File: "{file}", Timeout: time.Second,
				Env: []string{"PATH=" + os.Getenv("PATH"), "LANG=C", "TELEGRAM_BOT_TOKEN=1:x", "OPENAI_API_KEY=sk"},
			}
			got, err := r.Recognise(t.Context(), file)
			code := ""
			if err != nil {
				code = tool.AsError(err).Code
			}
			if tt.name == "a long output" {
				got.Text = ""
			}
			if got != tt.want || code != tt.code {
				t.Errorf("%+v, %v, want %+v, %s", got, err, tt.want, tt.code)
			}
		})
	}
}

// TestCancel: the program ends with its caller, and with the processes that it started.
func TestCancel(t *testing.T) {
	dir := t.TempDir()
	began := filepath.Join(dir, "began")
	r := Recogniser{Command: []string{"/bin/sh", "-c", `sleep 1000 & echo $! > "` + began + `.part"; mv "` + began + `.part" "` + began + `"; wait`}, File: "{file}", Timeout: time.Hour}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := r.Recognise(ctx, "x")
		ended <- err
	}()
	poll.Await(t, "it runs", func() bool { _, err := os.Stat(began); return err == nil })
	cancel()
	if err := <-ended; err == nil {
		t.Error("no error")
	}
	pid := string(must.ReadFile(t, began))
	poll.Await(t, "its child ends", func() bool {
		b, err := os.ReadFile("/proc/" + pid[:len(pid)-1] + "/stat")
		return err != nil || len(b) == 0 || isZombie(string(b))
	})
}

// isZombie reports whether a process has ended and only waits to be collected.
func isZombie(stat string) bool {
	for i := len(stat) - 1; i > 0; i-- {
		if stat[i] == ')' {
			return len(stat) > i+2 && stat[i+2] == 'Z'
		}
	}
	return false
}
