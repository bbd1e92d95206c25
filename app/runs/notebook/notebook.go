// Package notebook has what the record of a run needs: its events, written in the background, and
// its plan without secrets.
package notebook

import (
	"context"
	"sync"
	"time"

	"errand/host/trace"
)

// room is the maximum number of events that wait to be written. A page can make hundreds
// of requests in a second, and each event is a write to disk.
const room = 4096

// writeTimeout limits the writing of an event.
const writeTimeout = 8 * time.Second

// Notebook writes a run's events in the background, so that the browser never waits for the disk.
// It drops and counts events that exceed its room; only the steps have to be complete.
type Notebook struct {
	log    trace.Log
	events chan trace.Event
	done   chan struct{}

	mu        sync.Mutex
	closed    bool
	lostNotes int
}

// New makes a notebook. The caller closes it.
func New(log trace.Log) *Notebook {
	n := &Notebook{log: log, events: make(chan trace.Event, room), done: make(chan struct{})}
	go n.write()
	return n
}

func (n *Notebook) write() {
	defer close(n.done)
	for e := range n.events {
		ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
		err := n.log.Note(ctx, e)
		cancel()
		if err != nil {
			n.mu.Lock()
			n.lostNotes++
			n.mu.Unlock()
		}
	}
}

// Add adds an event. After Close it is dropped.
func (n *Notebook) Add(e trace.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return
	}
	select {
	case n.events <- e:
	default:
		n.lostNotes++
	}
}

// Close waits until all events are written, and reports how many were dropped.
func (n *Notebook) Close() (lost int) {
	n.mu.Lock()
	if !n.closed {
		n.closed = true
		close(n.events)
	}
	n.mu.Unlock()
	<-n.done
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.lostNotes
}
