package resident

import (
	"net"
	"sync"
	"time"

	"errand/host/trace"
)

// eventWriter writes the messages of a call. After its answer it writes nothing. Several
// goroutines may use it at once.
type eventWriter struct {
	conn net.Conn

	mu    sync.Mutex
	holds int
	done  bool
	err   error // of an earlier message: the client is gone
}

func (w *eventWriter) send(e event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.write(e)
}

func (w *eventWriter) write(e event) error {
	if w.done || w.err != nil {
		return w.err
	}
	_ = w.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	w.err = writeFrame(w.conn, e, maxEvent)
	return w.err
}

func (w *eventWriter) note(n trace.Note) {
	if packed, ok := packNote(n); ok {
		_ = w.send(event{Note: &packed})
	}
}

// hold stops the clock of the client's call.
func (w *eventWriter) hold() (release func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holds++
	number := w.holds
	_ = w.write(event{Hold: number})
	return sync.OnceFunc(func() { _ = w.send(event{Release: number}) })
}

func (w *eventWriter) answer(a Answer) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done || w.err != nil {
		return w.err
	}
	w.done = true
	_ = w.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	w.err = writeAnswer(w.conn, a)
	return w.err
}
