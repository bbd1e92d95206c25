package web

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"errand/planner/message"
)

// Limits of the event stream.
const (
	keptEvents = 1024 // events that a reconnecting page can catch up on
	maxStreams = 32
	beat       = 15 * time.Second
	slowWrite  = 10 * time.Second // a page that doesn't read for this long is disconnected
)

// events stores the latest events and wakes the streams that wait for more. Each stream
// reads at its own pace. A stream loses events if it falls behind the stored ones.
type events struct {
	name string // the name of this server, part of every id

	mu         sync.Mutex
	lastNumber int // number of the newest event; the first is 1
	ring       [keptEvents]event
	arrived    chan struct{} // closed when the next event arrives
	streams    int
	closed     bool
}

type event struct {
	name string
	data []byte
}

func newEvents() *events { return &events{name: rand.Text()[:8], arrived: make(chan struct{})} }

// add stores an event without blocking.
func (e *events) add(name string, data any) {
	b := []byte("{}")
	if data != nil {
		var err error
		if b, err = json.Marshal(data); err != nil {
			panic(fmt.Sprintf("encode event: %v", err)) // views are plain data
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	e.lastNumber++
	e.ring[e.lastNumber%keptEvents] = event{name, b}
	close(e.arrived)
	e.arrived = make(chan struct{})
}

// close ends the streams after they have sent the stored events.
func (e *events) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		e.closed = true
		close(e.arrived)
	}
}

// eventsAfter returns the events after number n, and a channel that is closed when there are
// more. lost reports whether some of them are no longer stored.
func (e *events) eventsAfter(n int) (list []event, last int, lost, closed bool, news <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n > e.lastNumber || e.lastNumber-n > keptEvents {
		return nil, e.lastNumber, true, e.closed, e.arrived
	}
	for i := n + 1; i <= e.lastNumber; i++ {
		list = append(list, e.ring[i%keptEvents])
	}
	return list, e.lastNumber, false, e.closed, e.arrived
}

// startNumber returns the number where a stream starts: after the event that the page saw last,
// or at the newest event.
func (e *events) startNumber(seen string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if seen == "" {
		return e.lastNumber
	}
	server, number, _ := strings.Cut(seen, "-")
	n, err := strconv.Atoi(number)
	if server != e.name || err != nil || n < 0 {
		return e.lastNumber + 1 // issued by another server: everything is lost
	}
	return n
}

func (e *events) enter() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.streams >= maxStreams || e.closed {
		return false
	}
	e.streams++
	return true
}

func (e *events) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.streams--
}

// stream handles GET /api/events until the client disconnects or the server stops.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	e := s.events
	if !e.enter() {
		s.refuse(w, http.StatusTooManyRequests, "too_many_streams", message.New("web.too_many_streams", "limit", maxStreams))
		return
	}
	defer e.leave()
	seen := r.Header.Get("Last-Event-ID")
	if seen == "" {
		seen = r.URL.Query().Get("after")
	}
	at := e.startNumber(seen)
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // the read deadline of the request would end the stream
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	send := func(format string, args ...any) bool {
		_ = out.SetWriteDeadline(time.Now().Add(slowWrite))
		_, err := fmt.Fprintf(w, format, args...)
		return err == nil && out.Flush() == nil
	}
	if !send("retry: 1000\n\n") {
		return
	}
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		list, last, lost, closed, news := e.eventsAfter(at)
		ok := true
		if lost {
			ok = send("id: %s-%d\nevent: lost\ndata: {}\n\n", e.name, last)
		}
		for i, sent := range list {
			ok = ok && send("id: %s-%d\nevent: %s\ndata: %s\n\n", e.name, at+i+1, sent.name, sent.data)
		}
		if at = last; !ok || closed {
			return
		}
		select {
		case <-news:
		case <-tick.C:
			if !send(": still here\n\n") {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}
