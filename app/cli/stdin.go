package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"errand/host/tool"
)

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

// opened is a file that is opened when it is first read, and closed at its end or
// fault: opening a pipe waits, and that has to stop with ctx as reading does.
type opened struct {
	name string
	f    *os.File
}

func (n *opened) Read(p []byte) (int, error) {
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

// readNamed reads a file that the person named, of at most maxInput bytes.
func (s *shell) readNamed(name string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(s.file(name), maxInput+1))
	if err == nil && len(b) > maxInput {
		return nil, fmt.Errorf("%s has more than %d bytes", name, maxInput)
	}
	return b, err
}

// unread is the fault of a file that could not be read. A signal is none.
func unread(what string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return usagef("read %s: %s", what, tool.FileFault(err))
}
