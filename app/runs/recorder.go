package runs

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"errand/app/runs/notebook"
	"errand/app/secrets"
	"errand/host/run"
	"errand/host/trace"
	"errand/policy"
)

type cleaner = secrets.Cleaner

// recorder passes the events of one attempt to the listener and, once it is open, to the run's
// record. It is safe for concurrent use.
type recorder struct {
	runID  string
	vault  *secrets.Vault
	now    func() time.Time
	listen func(Progress)       // may be nil
	states func(trace.RunState) // may be nil

	notes atomic.Pointer[notebook.Notebook] // nil before the record was opened
	mu    sync.Mutex                        // orders Progress
	seq   int

	blocked sync.Map // step → *atomic.Int64, the number of its connections that policy denied
}

// open starts writing the events to a log.
func (r *recorder) open(log trace.Log) { r.notes.Store(notebook.New(log)) }

// note records an event and passes it to the listener.
func (r *recorder) note(n trace.Note) {
	n = n.MapText(r.vault.CleanerOf(r.runID).Text)
	if notes := r.notes.Load(); notes != nil {
		notes.Add(trace.EventOf(r.runID, r.now(), n))
	}
	r.report(NoteEvent{n})
	if c, ok := n.(trace.ConnectionNote); ok && c.Verdict == policy.Deny.String() {
		count, _ := r.blocked.LoadOrStore(c.Step, new(atomic.Int64))
		count.(*atomic.Int64).Add(1)
	}
}

// flags returns the policy flags of a step that depend on the requests of its pages and plugins.
func (r *recorder) flags(_, step string) []string {
	count, ok := r.blocked.Load(step)
	if !ok {
		return nil
	}
	return []string{trace.FlagBlocked + strconv.FormatInt(count.(*atomic.Int64).Load(), 10)}
}

func (r *recorder) report(e Event) {
	if r.listen == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq++
	r.listen(Progress{RunID: r.runID, Seq: r.seq, Event: e})
}

// partial returns what passes on the text of turns under way; nil without a listener.
func (r *recorder) partial() func(number int, text string) {
	if r.listen == nil {
		return nil
	}
	return func(number int, text string) { r.report(PartialEvent{number, text}) }
}

// tellStep passes on the engine's progress about steps.
func (r *recorder) tellStep(e run.Event) {
	if e.Kind != run.StateEntered {
		r.report(StepEvent{e})
	} else if r.states != nil {
		r.states(e.State)
	}
}
