package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"errand/app/jobs"
	host "errand/host/jobs"
	"errand/host/tool"
	"errand/planner/message"
)

// Limits of the event streams.
const (
	maxStreams = 32
	lookEvery  = 250 * time.Millisecond
	beat       = 15 * time.Second
	slowWrite  = 10 * time.Second // a client that doesn't read for this long is disconnected
)

// limiter counts the open streams.
type limiter struct {
	mu   sync.Mutex
	open int
}

func (l *limiter) add(n int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n > 0 && l.open >= maxStreams {
		return false
	}
	l.open += n
	return true
}

// stream sends the events of one job.
type stream struct {
	*API
	out   *http.ResponseController
	w     http.ResponseWriter
	id    string
	steps int    // number of steps that were sent
	last  string // the status that was sent
}

// events handles GET /api/jobs/{id}/events until the job has ended or the client disconnects. A step
// event has its number as its id; a client that reconnects with Last-Event-ID gets those after it.
func (a *API) events(w http.ResponseWriter, r *http.Request, t host.Token) {
	v, ok := a.visible(w, r, t)
	if !ok {
		return
	}
	sent := 0
	if text := r.Header.Get("Last-Event-ID"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			a.fail(w, tool.NewError(tool.ValidationError, jobs.CodeBadRequest, message.New("api.bad_event_id")))
			return
		}
		sent = n
	}
	if !a.streams.add(1) {
		a.refuse(w, http.StatusTooManyRequests, "too_many_streams", message.New("web.too_many_streams", "limit", maxStreams))
		return
	}
	defer a.streams.add(-1)
	s := &stream{API: a, out: http.NewResponseController(w), w: w, id: v.ID, steps: sent}
	_ = s.out.SetReadDeadline(time.Time{}) // that of the request would end the stream
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	s.run(r.Context())
}

func (s *stream) run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	quiet := time.Now()
	for {
		sent, ended := s.sendNews(ctx)
		switch {
		case ended:
			return
		case sent:
			quiet = time.Now()
		case time.Since(quiet) > beat:
			if !s.send(": still here\n\n") {
				return
			}
			quiet = time.Now()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// sendNews sends what has happened since the last call. ended means that there is no more to send.
func (s *stream) sendNews(ctx context.Context) (sent, ended bool) {
	v, err := s.Service.Job(ctx, s.id) // before the steps: those of an ended job are all there
	if err != nil {
		return false, true
	}
	steps, err := s.Service.Steps(ctx, s.id, s.steps)
	if err != nil {
		return false, true
	}
	for _, step := range steps {
		s.steps++
		if sent = true; !s.sendEvent(strconv.Itoa(s.steps), "step", s.stepOf(step)) {
			return true, true
		}
	}
	j := s.jobOf(v)
	if now := fmt.Sprint(j.Status, " ", j.State, " ", len(j.Transitions)); now != s.last && !v.Status.IsFinal() {
		s.last, sent = now, true
		if !s.sendEvent("", "status", j) {
			return true, true
		}
	}
	if v.Status.IsFinal() {
		s.sendEvent("", "end", j)
		return true, true
	}
	return sent, false
}

func (s *stream) sendEvent(id, name string, data any) bool {
	b, err := json.Marshal(data)
	if err != nil {
		return false
	}
	if id != "" {
		id = "id: " + id + "\n"
	}
	return s.send("%sevent: %s\ndata: %s\n\n", id, name, b)
}

func (s *stream) send(format string, args ...any) bool {
	_ = s.out.SetWriteDeadline(time.Now().Add(slowWrite))
	_, err := fmt.Fprintf(s.w, format, args...)
	return err == nil && s.out.Flush() == nil
}
