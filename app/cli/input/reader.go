// Package input reads standard input and the files that a command names. Reading
// stops when the command's context ends.
package input

import (
	"context"
	"errors"
	"io"
	"os"

	"errand/app/cli/print"
	"errand/host/tool"
	"errand/planner/message"
)

// MaxInput bounds what is read in one piece, in bytes.
const MaxInput = 64 << 20

// Reader reads what a command is given.
type Reader struct {
	ctx   context.Context
	Stdin io.Reader
}

// New returns a Reader whose reads end when ctx does.
func New(ctx context.Context, stdin io.Reader) *Reader {
	return &Reader{ctx, interruptible{ctx, stdin}}
}

// Open returns a file that is opened by its first read.
func (s *Reader) Open(name string) io.Reader { return interruptible{s.ctx, &file{name: name}} }

// interruptible is standard input that stops waiting when ctx ends. A read of a
// terminal or a pipe can't be cancelled itself: the goroutine that is in one
// then stays until the process ends, which is right after.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (in interruptible) Read(p []byte) (int, error) {
	if err := in.ctx.Err(); err != nil {
		return 0, err
	}
	type result struct {
		n   int
		err error
	}
	own := make([]byte, len(p)) // p is the caller's again as soon as we return
	done := make(chan result, 1)
	go func() {
		n, err := in.r.Read(own)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return copy(p, own[:r.n]), r.err
	case <-in.ctx.Done():
		return 0, in.ctx.Err()
	}
}

// file is a file that is opened when it is first read, and closed at its end or
// fault: opening a pipe waits, and that has to stop with ctx as reading does.
type file struct {
	name string
	f    *os.File
}

func (n *file) Read(p []byte) (int, error) {
	if n.f == nil {
		f, err := os.Open(n.name)
		if err != nil {
			return 0, err
		}
		n.f = f
	}
	k, err := n.f.Read(p)
	if err != nil {
		_ = n.f.Close() // it was only read
	}
	return k, err
}

// ReadNamed reads a file that the person named, of at most MaxInput bytes.
func (s *Reader) ReadNamed(name string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(s.Open(name), MaxInput+1))
	if err == nil && len(b) > MaxInput {
		return nil, message.Error("cli.file_too_long", "file", name, "limit", MaxInput)
	}
	return b, err
}

// ReadError is the usage error for a file that could not be read: its name, or a
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
