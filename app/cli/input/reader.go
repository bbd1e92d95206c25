// Package input reads standard input and the files that a command names. Reading
// stops when the command's context ends.
package input

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"errand/app/cli/print"
	"errand/host/tool"
	"errand/planner/message"
)

// MaxInput is the maximum size of an input that is read as a whole, in bytes.
const MaxInput = 64 << 20

// Limits of waiting for a file that is a pipe: for a program to open it for writing, and then for
// each part of what it writes. Standard input is waited for without a limit.
const (
	maxOpening = 30 * time.Second
	maxReading = 5 * time.Minute
)

// Reader reads a command's input.
type Reader struct {
	ctx   context.Context
	Stdin io.Reader
}

// New returns a Reader whose reads end with ctx.
func New(ctx context.Context, stdin io.Reader) *Reader {
	return &Reader{ctx, interruptible{ctx: ctx, r: stdin}}
}

// Open returns a file that is opened by its first read. A pipe that nothing is written to is an
// error.
func (s *Reader) Open(name string) io.Reader {
	f := &file{name: name}
	return interruptible{ctx: s.ctx, r: f, file: f}
}

// interruptible is an input whose reads end when ctx ends, and those of a file at a limit. A read
// of a terminal or a pipe itself can't be cancelled: its goroutine stays until the process ends,
// which is soon.
type interruptible struct {
	ctx  context.Context
	r    io.Reader
	file *file // nil: standard input
}

func (in interruptible) Read(p []byte) (int, error) {
	if err := in.ctx.Err(); err != nil {
		return 0, err
	}
	type result struct {
		n   int
		err error
	}
	own := make([]byte, len(p)) // the caller may reuse p as soon as we return
	done := make(chan result, 1)
	go func() {
		n, err := in.r.Read(own)
		done <- result{n, err}
	}()
	var late <-chan time.Time
	if in.file != nil {
		timer := time.NewTimer(maxOpening)
		defer timer.Stop()
		late = timer.C
	}
	for waited := maxOpening; ; waited = maxReading {
		select {
		case r := <-done:
			return copy(p, own[:r.n]), r.err
		case <-in.ctx.Done():
			return 0, in.ctx.Err()
		case <-late:
			if waited == maxReading || !in.file.opened.Load() {
				return 0, message.Error("cli.pipe_unwritten", "limit", waited)
			}
			timer := time.NewTimer(maxReading - maxOpening)
			defer timer.Stop()
			late = timer.C
		}
	}
}

// file opens a file at its first read and closes it at its end or error. Opening a pipe can
// block, and must be interruptible like a read.
type file struct {
	name   string
	f      *os.File
	opened atomic.Bool
}

func (n *file) Read(p []byte) (int, error) {
	if n.f == nil {
		f, err := os.Open(n.name)
		if err != nil {
			return 0, err
		}
		n.f = f
		n.opened.Store(true)
	}
	k, err := n.f.Read(p)
	if err != nil {
		_ = n.f.Close() // opened for reading only
	}
	return k, err
}

// ReadNamed reads a file that the user named, of at most MaxInput bytes.
func (s *Reader) ReadNamed(name string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(s.Open(name), MaxInput+1))
	if err == nil && len(b) > MaxInput {
		return nil, message.Error("cli.file_too_long", "file", name, "limit", MaxInput)
	}
	return b, err
}

// ReadError returns the usage error for a file that could not be read. name is its name or a
// message. An interrupted read keeps its own error.
func ReadError(what any, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return print.BadUsage("cli.read_file", "file", what, "cause", tool.FileFault(err))
}

// ReadInput reads standard input, of at most MaxInput bytes.
func (s *Reader) ReadInput() (string, error) {
	b, err := io.ReadAll(io.LimitReader(s.Stdin, MaxInput+1))
	if err == nil && len(b) > MaxInput {
		err = print.BadUsage("cli.stdin_too_long", "limit", MaxInput).Hint("cli.stdin_too_long_hint")
	}
	return string(b), err
}
