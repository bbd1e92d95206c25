package browser

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// callTimeout limits one protocol call.
const callTimeout = 10 * time.Second

// session is where a protocol call goes: the browser itself or one page, under
// a context, within a limit. It implements the interfaces of rod's proto
// package.
type session struct {
	rod   *rod.Browser
	life  context.Context // of the browser
	ctx   context.Context
	id    proto.TargetSessionID // "" is the browser itself
	limit time.Duration
}

func (s session) GetContext() context.Context         { return s.ctx }
func (s session) GetSessionID() proto.TargetSessionID { return s.id }

func (s session) Call(ctx context.Context, id, method string, params any) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	ctx, gone := context.WithCancelCause(ctx)
	defer gone(nil)
	defer context.AfterFunc(s.life, func() { gone(errGone) })()

	answer, err := s.rod.Call(ctx, id, method, params)
	if err != nil && errors.Is(context.Cause(ctx), errGone) {
		return nil, errGone
	}
	return answer, err
}

// do makes a call that rod's types don't fit, and reads its answer.
func (s session) do(method string, params, answer any) error {
	b, err := s.Call(s.ctx, string(s.id), method, params)
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(b, answer)
}
