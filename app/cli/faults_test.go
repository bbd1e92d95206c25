package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/build/must"
)

// TestUnreadableGoals checks that invalid text as a goal gets a one-line error, and that nothing
// is opened for it.
func TestUnreadableGoals(t *testing.T) {
	tests := []struct {
		name string
		goal string
		want string // error code
	}{
		{"a megabyte", strings.Repeat("open youtube ", 1<<20/13), "goal_too_long"},
		{"not UTF-8", "open \xff\xfe", "goal_not_utf8"},
		{"nothing", " \t\n", "goal_empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			var out, message bytes.Buffer
			code := Main(context.Background(), System{
				Args: []string{"run", "--json", tt.goal}, Env: []string{"HOME=" + home},
				Stdin: strings.NewReader(""), Stdout: &out, Stderr: &message,
			})
			var got struct {
				Error struct{ Class, Code, Message, Hint string }
			}
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatalf("%v in %q", err, out.String())
			}
			e := got.Error
			if code != int(print.Usage) || e.Code != tt.want || e.Hint == "" || len(e.Message) > 120 || message.Len() > 0 {
				t.Errorf("exit %d, error %+v, standard error %q; want exit 2 and code %s with a hint", code, e, message.String(), tt.want)
			}
		})
	}
}

// TestFailedWrite checks that a command fails if its output can't be written.
func TestFailedWrite(t *testing.T) {
	for _, args := range [][]string{
		{"plan", "--json", "open youtube"}, {"plan", "open youtube"}, {"tools"}, {"config", "show"}, {"policy", "redact"},
	} {
		var message bytes.Buffer
		code := Main(context.Background(), System{
			Args: args, Env: []string{"HOME=" + t.TempDir()},
			Stdin: strings.NewReader("some text"), Stdout: full{}, Stderr: &message,
		})
		if code != int(print.Failed) || !strings.Contains(message.String(), errFull.Error()) {
			t.Errorf("%v: exit %d, standard error %q", args, code, message.String())
		}
	}
}

// TestFailedRead checks that an input error ends the command at once instead of counting as bad
// lines.
func TestFailedRead(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	must.Succeed(t, err)
	defer dir.Close()
	for _, args := range [][]string{{"interpret", "--jsonl"}, {"plan", "--jsonl"}, {"policy", "redact"}} {
		var out, message bytes.Buffer
		code := Main(context.Background(), System{
			Args: args, Env: []string{"HOME=" + t.TempDir()}, Stdin: dir, Stdout: &out, Stderr: &message,
		})
		if code != int(print.Failed) || out.Len() > 0 || strings.Count(message.String(), "\n") != 1 {
			t.Errorf("%v: exit %d, standard output %q, standard error %q", args, code, out.String(), message.String())
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("no space left on device")
