package tool

import (
	"context"
	"io"
)

// NewReader returns a reader that reads from r until ctx ends, and then returns the
// error of ctx. It doesn't interrupt a Read of r.
func NewReader(ctx context.Context, r io.Reader) io.Reader { return reader{ctx, r} }

type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
