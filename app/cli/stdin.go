package cli

import (
	"context"
	"io"
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
