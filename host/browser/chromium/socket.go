package chromium

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/go-rod/rod/lib/cdp"
)

// DevTools is where a browser listens that somebody else started.
type DevTools struct {
	URL    string     // ws://…/devtools/browser/…
	Dialer cdp.Dialer // opens the connection, and holds it to this machine
}

// Socket carries the DevTools protocol over a WebSocket, with the care of
// [pipe].
type Socket struct {
	ws      cdp.WebSocket
	end     context.CancelFunc // of the browser's life
	OnEvent func(*Message)     // takes the events
	mu      sync.Mutex
	once    sync.Once
}

// NewSocket makes the transport to a browser that listens at a place. end is
// called when it hangs up.
func NewSocket(at DevTools, end context.CancelFunc) *Socket {
	return &Socket{ws: cdp.WebSocket{Dialer: at.Dialer}, end: end}
}

func (s *Socket) Connect(ctx context.Context, url string) error { return s.ws.Connect(ctx, url, nil) }

func (s *Socket) Send(message []byte) error {
	s.mu.Lock() // rod writes a frame at once, but for what a socket takes in parts
	defer s.mu.Unlock()
	if err := s.ws.Send(message); err != nil {
		return fmt.Errorf("%w: %v", ErrGone, err)
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
		if err == nil && !json.Valid(raw) { // rod panics on it; a closing frame is not JSON
			err = errors.New("the connection was closed")
		}
		if err != nil {
			s.HangUp()
			return nil, fmt.Errorf("%w: %v", ErrGone, err)
		}
		return raw, nil
	}
}

func (s *Socket) HangUp() {
	s.once.Do(func() {
		s.end()
		_ = s.ws.Close() // rod may have closed it when it could not read
	})
}
