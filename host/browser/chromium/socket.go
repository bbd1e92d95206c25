package chromium

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/go-rod/rod/lib/cdp"

	"errand/planner/message"
)

// DevTools is the address of a browser that the user started.
type DevTools struct {
	URL    string     // ws://…/devtools/browser/…
	Dialer cdp.Dialer // opens the connection, only to this machine
}

// Socket transports the DevTools protocol over a WebSocket, with the same limits as
// [pipe].
type Socket struct {
	ws        cdp.WebSocket
	end       context.CancelFunc // ends the browser's context
	OnEvent   func(*Message)     // receives the events
	mu        sync.Mutex
	closeOnce sync.Once
}

// NewSocket returns the transport to a listening browser. It calls end when the browser
// disconnects.
func NewSocket(at DevTools, end context.CancelFunc) *Socket {
	return &Socket{ws: cdp.WebSocket{Dialer: at.Dialer}, end: end}
}

func (s *Socket) Connect(ctx context.Context, url string) error { return s.ws.Connect(ctx, url, nil) }

func (s *Socket) Send(msg []byte) error {
	s.mu.Lock() // rod writes a frame at once, but a socket may take it in parts
	defer s.mu.Unlock()
	if err := s.ws.Send(msg); err != nil {
		return message.Error("browser.browser_gone", "gone", ErrGone, "cause", err)
	}
	return nil
}

func (s *Socket) Read() ([]byte, error) {
	for {
		raw, err := s.ws.Read()
		if err == nil && isIgnored(raw) {
			continue
		}
		if e, ok := ParseEvent(raw); err == nil && ok {
			s.OnEvent(&e)
			continue
		}
		if err == nil && !json.Valid(raw) { // rod panics on invalid JSON; a closing frame is not JSON
			err = message.Error("browser.connection_was_closed")
		}
		if err != nil {
			s.HangUp()
			return nil, message.Error("browser.browser_gone", "gone", ErrGone, "cause", err)
		}
		return raw, nil
	}
}

func (s *Socket) HangUp() {
	s.closeOnce.Do(func() {
		s.end()
		_ = s.ws.Close() // rod may have closed it after a read error
	})
}
