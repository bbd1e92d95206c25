package browser

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

// socket carries the DevTools protocol over a WebSocket, with the care of
// [pipe].
type socket struct {
	ws   cdp.WebSocket
	end  context.CancelFunc // of the browser's life
	hear func(*message)     // takes the events
	mu   sync.Mutex
	once sync.Once
}

// newSocket makes the transport to a browser that listens at a place. end is
// called when it hangs up.
func newSocket(at DevTools, end context.CancelFunc) *socket {
	return &socket{ws: cdp.WebSocket{Dialer: at.Dialer}, end: end}
}

func (s *socket) connect(ctx context.Context, url string) error { return s.ws.Connect(ctx, url, nil) }

func (s *socket) Send(message []byte) error {
	s.mu.Lock() // rod writes a frame at once, but for what a socket takes in parts
	defer s.mu.Unlock()
	if err := s.ws.Send(message); err != nil {
		return fmt.Errorf("%w: %v", errGone, err)
	}
	return nil
}

func (s *socket) Read() ([]byte, error) {
	for {
		raw, err := s.ws.Read()
		if err == nil && unheard(raw) {
			continue
		}
		if e, ok := event(raw); err == nil && ok {
			s.hear(&e)
			continue
		}
		if err == nil && !json.Valid(raw) { // rod panics on it; a frame that closes is none
			err = errors.New("the connection was closed")
		}
		if err != nil {
			s.hangUp()
			return nil, fmt.Errorf("%w: %v", errGone, err)
		}
		return raw, nil
	}
}

func (s *socket) hangUp() {
	s.once.Do(func() {
		s.end()
		_ = s.ws.Close() // rod may have closed it when it could not read
	})
}
