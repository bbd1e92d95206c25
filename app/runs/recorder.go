package runs

import (
	"sync"
	"sync/atomic"
	"time"

	"errand/app/secrets"
	"errand/host/run"
	"errand/host/trace"
)

type cleaner = secrets.Cleaner

// recorder passes the events of one attempt on: to the run's record, once it is open,
// and to the listener. It may be used by several goroutines at once.
type recorder struct {
	runID  string
	vault  *secrets.Vault
	now    func() time.Time
	listen func(Progress) // nil: nobody listens

	notes atomic.Pointer[notebook] // nil before the record was opened
	mu    sync.Mutex               // orders Progress
	seq   int
}

// open has the events written to a log.
func (r *recorder) open(log trace.Log) { r.notes.Store(newNotebook(log)) }

// note records an event and tells the listener.
func (r *recorder) note(kind string, data map[string]any) {
	if clean, ok := r.vault.CleanerOf(r.runID).Value(data).(map[string]any); ok {
		data = clean
	}
	if n := r.notes.Load(); n != nil {
		step, _ := data["step"].(string)
		n.add(trace.Event{RunID: r.runID, StepID: step, Time: r.now(), Kind: kind, Data: data})
	}
	r.tell(kind, data)
}

func (r *recorder) tell(kind string, data any) {
	if r.listen == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq++
	r.listen(Progress{RunID: r.runID, Seq: r.seq, Kind: kind, Data: data})
}

// tellStep passes the engine's progress on, as far as it is about steps.
func (r *recorder) tellStep(e run.Event) {
	if e.Kind != run.StateEntered {
		r.tell(string(e.Kind), e)
	}
}
