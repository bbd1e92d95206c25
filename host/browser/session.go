package browser

import (
	"context"
	"errors"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// errGone is why a call ends when its browser does.
var errGone = errors.New("the browser has ended")

// session is where a protocol call goes: the browser itself or one page, under
// a context, within a limit. It implements the interfaces of rod's proto
// package.
type session struct {
	b     *Browser
	ctx   context.Context
	id    proto.TargetSessionID // "" is the browser itself
	limit time.Duration
}

// root makes calls to the browser itself.
func (b *Browser) root(ctx context.Context) session {
	return session{b: b, ctx: ctx, limit: callTimeout}
}

func (s session) GetContext() context.Context         { return s.ctx }
func (s session) GetSessionID() proto.TargetSessionID { return s.id }

func (s session) Call(ctx context.Context, id, method string, params any) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	ctx, gone := context.WithCancelCause(ctx)
	defer gone(nil)
	defer context.AfterFunc(s.b.life, func() { gone(errGone) })()

	answer, err := s.b.rod.Call(ctx, id, method, params)
	if err != nil && errors.Is(context.Cause(ctx), errGone) {
		return nil, errGone
	}
	return answer, err
}

// listen hands every event of the browser to who minds it. It must never wait:
// the answers to calls come through the same pipe. It ends with the browser.
func (b *Browser) listen(events <-chan *rod.Message) {
	for e := range events {
		switch e.Method {
		case (proto.FetchRequestPaused{}).ProtoEvent():
			on(e, func(p *proto.FetchRequestPaused) { b.gate.paused(e.SessionID, p) })
		case (proto.FetchAuthRequired{}).ProtoEvent():
			on(e, b.gate.challenged)
		case (proto.TargetAttachedToTarget{}).ProtoEvent():
			on(e, b.tabs.attached)
		case (proto.TargetTargetCreated{}).ProtoEvent():
			on(e, b.tabs.created)
		case (proto.TargetTargetInfoChanged{}).ProtoEvent():
			on(e, b.tabs.infoChanged)
		case (proto.TargetTargetDestroyed{}).ProtoEvent():
			on(e, b.tabs.destroyed)
		case (proto.TargetTargetCrashed{}).ProtoEvent():
			on(e, b.tabs.crashed)
		case (proto.BrowserDownloadWillBegin{}).ProtoEvent():
			on(e, b.tabs.downloading)
		case (proto.NetworkWebSocketCreated{}).ProtoEvent(): // of a page, or of a part of one
			on(e, func(e *proto.NetworkWebSocketCreated) { b.gate.socket(e.URL) })
		default:
			if t := b.tabs.ofSession(e.SessionID); t != nil {
				t.handle(e)
			}
		}
	}
}

// on reads an event as f wants it and calls f.
func on[E any](m *rod.Message, f func(*E)) {
	e := new(E)
	if event, ok := any(e).(proto.Event); ok && m.Load(event) {
		f(e)
	}
}
