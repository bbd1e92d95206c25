// Package program runs the small programs that tools for the desktop use, such as pactl.
package program

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"errand/planner/message"
)

// pipeWait is how long a program that has ended, or was ended, may keep its pipes open in a process that it
// left behind.
const pipeWait = time.Second

// maxOutput limits what is kept of a program's output, in bytes.
const maxOutput = 1 << 20

// Run runs the program at path without a shell and returns what it wrote to its standard output. The
// error of a program that fails has its last words. The program ends with ctx. Its messages are in
// English, because some are parsed.
func Run(ctx context.Context, path, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	cmd.Stdin, cmd.WaitDelay = strings.NewReader(input), pipeWait
	var out, fault limited
	cmd.Stdout, cmd.Stderr = &out, &fault
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, exec.ErrWaitDelay): // it has ended well
	case err != nil:
		if words := strings.TrimSpace(fault.String()); words != "" {
			err = errors.New(words[strings.LastIndexByte(words, '\n')+1:])
		}
		return "", message.Error("desktop.program_failed", "program", path, "cause", err)
	}
	if out.cut {
		return "", message.Error("desktop.long_output", "program", path, "limit", maxOutput)
	}
	return out.String(), nil
}

// limited keeps the beginning of what is written to it.
type limited struct {
	bytes.Buffer
	cut bool
}

func (l *limited) Write(b []byte) (int, error) {
	n := len(b)
	if room := maxOutput - l.Len(); n > room {
		b, l.cut = b[:room], true
	}
	l.Buffer.Write(b)
	return n, nil
}

// Feed runs the program at path with an input, and reads nothing of it: a program that keeps the
// clipboard goes on after it has answered. The rest is as in [Run].
func Feed(ctx context.Context, path, input string, args ...string) error {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin, cmd.SysProcAttr, cmd.WaitDelay = strings.NewReader(input), ownSession(), pipeWait
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return message.Error("desktop.program_failed", "program", path, "cause", err)
	}
	return nil
}
