// Package speech turns recordings into text, by a program that the user names.
package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// CodeFailed is the code of the error of a recording that could not be turned into text.
const CodeFailed = "voice_failed"

const (
	maxOutput = 256 << 10 // bytes that are kept of the program's output
	maxWords  = 200       // characters of its last words
	pipeWait  = time.Second
)

// Recogniser runs the user's program.
type Recogniser struct {
	Command []string // File in one of the words stands for the recording
	File    string   // what stands for the recording, such as "{file}"
	Timeout time.Duration
	Env     []string // in the format of os.Environ; the program gets only what [Passed] names
}

// Passed are the environment variables that the program gets: no token and no key is among them.
var Passed = []string{"PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "LD_LIBRARY_PATH", "OMP_NUM_THREADS"}

// Speech is what was said.
type Speech struct {
	Text       string
	Confidence float64 // 0 to 1; 0 where the program does not say it
}

// Recognise returns what is said in a file. The program prints JSON with transcript (or text) and confidence,
// or the text alone. It ends with ctx, and with the processes that it started.
func (r Recogniser) Recognise(ctx context.Context, file string) (Speech, error) {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	words := make([]string, len(r.Command))
	for i, w := range r.Command {
		words[i] = strings.ReplaceAll(w, r.File, file)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env, cmd.WaitDelay = r.environment(), pipeWait
	endWithGroup(cmd)
	var out, fault limited
	cmd.Stdout, cmd.Stderr = &out, &fault
	err := cmd.Run()
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Speech{}, failed(message.New("voice.timeout", "program", words[0], "limit", r.Timeout))
	case ctx.Err() != nil:
		return Speech{}, ctx.Err()
	case err != nil:
		cause := err.Error()
		if last := strings.TrimSpace(fault.String()); last != "" {
			cause = last[strings.LastIndexByte(last, '\n')+1:]
		}
		if runes := []rune(cause); len(runes) > maxWords {
			cause = string(runes[:maxWords]) + "…"
		}
		return Speech{}, failed(message.New("voice.failed", "program", words[0], "cause", cause))
	}
	h, ok := read(out.String())
	if !ok {
		return Speech{}, failed(message.New("voice.bad_output", "program", words[0]))
	}
	return h, nil
}

func failed(m message.Message) *tool.Error { return tool.UnavailableError(CodeFailed, m) }

// read reads the output of the program.
func read(text string) (Speech, bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") {
		return Speech{Text: strings.Join(strings.Fields(text), " ")}, true
	}
	var said struct {
		Transcript string  `json:"transcript"`
		Text       string  `json:"text"`
		Confidence float64 `json:"confidence"`
	}
	if json.Unmarshal([]byte(text), &said) != nil || !(said.Confidence >= 0 && said.Confidence <= 1) {
		return Speech{}, false
	}
	if said.Transcript == "" {
		said.Transcript = said.Text
	}
	return Speech{strings.Join(strings.Fields(said.Transcript), " "), said.Confidence}, true
}

func (r Recogniser) environment() []string {
	return slices.DeleteFunc(slices.Clone(r.Env), func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		return !slices.Contains(Passed, name)
	})
}

// limited keeps the beginning of what is written to it.
type limited struct{ bytes.Buffer }

func (l *limited) Write(b []byte) (int, error) {
	l.Buffer.Write(b[:min(len(b), maxOutput-min(maxOutput, l.Len()))])
	return len(b), nil
}
