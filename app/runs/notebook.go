package runs

import (
	"context"
	"sync"

	"errand/host/trace"
)

// notebookRoom is the maximum number of events that wait to be written. A page can make hundreds
// of requests in a second, and each event is a write to disk.
const notebookRoom = 4096

// notebook writes a run's events in the background, so that the browser never waits for the disk.
// It drops and counts events that exceed its room; only the steps have to be complete.
type notebook struct {
	log    trace.Log
	events chan trace.Event
	done   chan struct{}

	mu        sync.Mutex
	closed    bool
	lostNotes int
}

func newNotebook(log trace.Log) *notebook {
	n := &notebook{log: log, events: make(chan trace.Event, notebookRoom), done: make(chan struct{})}
	go n.write()
	return n
}

func (n *notebook) write() {
	defer close(n.done)
	for e := range n.events {
		ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
		err := n.log.Note(ctx, e)
		cancel()
		if err != nil {
			n.mu.Lock()
			n.lostNotes++
			n.mu.Unlock()
		}
	}
}

func (n *notebook) add(e trace.Event) {
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

// close waits until all events are written, and reports how many were dropped.
func (n *notebook) close() (lost int) {
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
