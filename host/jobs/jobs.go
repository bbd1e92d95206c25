// Package jobs says what the program keeps of jobs, which other programs ask for through the
// local API, and of the tokens that they show. It has the interface and its data; package queue
// implements it on a database, and package jobstest is its contract as tests.
//
// Errors are *tool.Error with the codes of this package.
package jobs

import (
	"context"
	"encoding/json"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// Type says what a job does.
type Type string

// Types of jobs.
const (
	AgentRun Type = "agent_run" // a language model does a task
	GoalRun  Type = "goal_run"  // a goal in words, planned by rules
)

// Status says how far a job is.
type Status string

// Statuses. A job goes from queued to running. It may wait for the user's approval in between, and
// has ended with one of the last three.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Waiting   Status = "waiting" // its run waits for the user
	Done      Status = "done"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
)

// Statuses lists all statuses.
func Statuses() []Status { return []Status{Queued, Running, Waiting, Done, Failed, Cancelled} }

// IsFinal reports whether a job with the status has ended.
func (s Status) IsFinal() bool { return s == Done || s == Failed || s == Cancelled }

// Job is a job as it is kept. Its id is also the id of its run.
type Job struct {
	ID        string
	SessionID string
	Type      Type
	Status    Status
	TokenID   string // of the client that asked for it
	// Input is what the client asked for. It may have secrets, so that the store removes it when
	// the job has ended.
	Input           json.RawMessage
	Outcome         json.RawMessage // how far it came, without secrets
	CancelRequested bool
	Owner           string // the program with its run; empty: it was not begun
	// CallbackURL is where the end of the job is delivered; empty: nowhere. It may have secrets, so
	// that the store removes it after the delivery.
	CallbackURL string
	Delivery    Delivery
	CreatedAt   time.Time
	StartedAt   time.Time // zero: it was not begun
	EndedAt     time.Time // zero: it has not ended
}

// Delivery says how the callback of an ended job fared.
type Delivery struct {
	Status   string `json:"status"` // empty: there is no callback
	Attempts int    `json:"attempts"`
	Error    string `json:"error,omitempty"` // of the last attempt
}

// Statuses of deliveries.
const (
	DeliveryPending   = "pending"
	DeliveryDelivered = "delivered"
	DeliveryFailed    = "failed"
)

// New is a job to be created.
type New struct {
	ID, SessionID, TokenID string
	Type                   Type
	Input                  json.RawMessage
	// Key makes a second request of the same token return the job of the first one. Empty: each
	// request makes a job. Digest identifies the request: with another one, the key is refused.
	Key, Digest string
	CallbackURL string // where the end of the job is delivered; empty: nowhere
}

// Query selects jobs, the newest first.
type Query struct {
	SessionID, TokenID string // empty: all
	Status             Status // empty: all
	After              string // the id of the last job of the page before; empty: from the newest
	Limit              int
}

// Outcome says how far an attempt of a job came.
type Outcome struct {
	Status Status // final; Waiting; or Running if the run is under way in another program
	Body   json.RawMessage
	Until  time.Time // when a job that has not ended is looked at again, even if nothing has happened
}

// Work does jobs. The functions get a context that ends when the job is cancelled, its time is
// over, or the queue stops.
type Work struct {
	// Run makes an attempt of a job. An error means that it could not be made now; the queue
	// tries again later, and after the last attempt fails the job with it.
	Run func(ctx context.Context, j Job) (Outcome, error)
	// Failure returns the outcome of a job whose attempts have all failed.
	Failure func(j Job, err error) json.RawMessage
	// Deliver sends the callback of an ended job.
	Deliver func(ctx context.Context, j Job) error
}

// Queue keeps jobs and tokens, and does jobs. Its methods may be called by several goroutines at
// once, and several programs may use one queue.
type Queue interface {
	Tokens

	// Create keeps a new job and queues it, both or neither. isNew is false if the key has a job
	// already, which is returned. The error has the code job_queue_full if too many jobs wait for
	// their turn, and idempotency_key_reused if the key has another request.
	Create(ctx context.Context, n New) (j Job, isNew bool, err error)
	// Job returns a job. The error has the code job_not_found if there is none.
	Job(ctx context.Context, id string) (Job, error)
	// Jobs lists jobs.
	Jobs(ctx context.Context, q Query) ([]Job, error)
	// Continue queues a job that has not ended again, for the program that has its run. It makes
	// earlier entries of the job in the queue void. It reports false if the job has ended.
	Continue(ctx context.Context, id string) (bool, error)
	// Cancel asks for the end of a job. The attempt under way is cancelled; if there is none, an
	// attempt is made that finds the job cancelled. The error has the code job_ended if the job has
	// ended.
	Cancel(ctx context.Context, id string) (Job, error)
	// Forget removes a job, whose run the record forgets. It reports whether there was one.
	Forget(ctx context.Context, id string) (bool, error)
	// Prune removes the jobs that ended before a time, and returns their number.
	Prune(ctx context.Context, before time.Time) (int, error)

	// Start does jobs until Stop. Jobs of this program that a killed one left unfinished go on.
	Start(ctx context.Context, w Work) error
	// Stop takes no more jobs. It waits for those under way until ctx ends, then cancels them and
	// waits for their end. They go on after the next Start.
	Stop(ctx context.Context) error
	Close() error
}

// Codes of errors.
const (
	CodeNotFound      = "job_not_found"
	CodeEnded         = "job_ended"
	CodeQueueFull     = "job_queue_full"
	CodeKeyReused     = "idempotency_key_reused"
	CodeUnavailable   = "job_store_unavailable"
	CodeInUse         = "job_queue_in_use" // another program does the jobs of this folder
	CodeTokenNotFound = "token_not_found"
	CodeTokenTaken    = "token_taken" // the name is in use
)

// NotFound makes the error for an unknown job.
func NotFound(id string) *tool.Error {
	return tool.NewError(tool.ValidationError, CodeNotFound, message.New("jobs.not_found", "job", id))
}
