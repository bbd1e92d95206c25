package chromium

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// CallTimeout limits one protocol call.
const CallTimeout = 10 * time.Second

// Session makes protocol calls to the browser or one page, with a context and a time
// limit. It implements the interfaces of rod's proto package.
type Session struct {
	Rod   *rod.Browser
	Life  context.Context // the browser's context
	Ctx   context.Context
	ID    proto.TargetSessionID // "" means the browser itself
	Limit time.Duration
}

func (s Session) GetContext() context.Context         { return s.Ctx }
func (s Session) GetSessionID() proto.TargetSessionID { return s.ID }

func (s Session) Call(ctx context.Context, id, method string, params any) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Limit)
	defer cancel()
	ctx, cancelCause := context.WithCancelCause(ctx)
	defer cancelCause(nil)
	defer context.AfterFunc(s.Life, func() { cancelCause(ErrGone) })()

	answer, err := s.Rod.Call(ctx, id, method, params)
	if err != nil && errors.Is(context.Cause(ctx), ErrGone) {
		return nil, ErrGone
	}
	return answer, err
}

// Do makes a call that rod has no types for, and decodes the response.
func (s Session) Do(method string, params, answer any) error {
	b, err := s.Call(s.Ctx, string(s.ID), method, params)
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(b, answer)
}
