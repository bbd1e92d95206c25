// Package store says what the program keeps: runs with their steps and events, the
// ledger of effects, drafts, grants, facts and the journal of changes. It has the
// interfaces and their data; sqlite implements them on disk. Package storetest is
// their contract as tests, beside tracetest and eventtest.
//
// Errors are *tool.Error with the codes of this package and of package trace.
package store

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"errand/host/event"
	"errand/host/trace"
)

// Store keeps everything. Its methods may be called by several goroutines at once, and
// several programs may use one store.
type Store interface {
	trace.Log
	Runs
	Artifacts
	event.Journal
	Drafts
	Grants
	Facts
	Timers
	Contexts
	Chats
	Usage
	Retention

	// Close ends the use of the store. Runs that this program began and did not end
	// show as interrupted from then on.
	Close() error
}

// Runs reads runs.
type Runs interface {
	trace.Reader
	// CountRuns is the number of runs, without reading them.
	CountRuns(ctx context.Context) (int, error)
	// Activities lists when each run last started, ended a step or had an event, the
	// newest first, at most limit (0: all).
	Activities(ctx context.Context, limit int) ([]Activity, error)
	// Abandoned lists the claims of programs that died, which nothing has settled since: the
	// newest 100. What their calls left may be half done.
	Abandoned(ctx context.Context) ([]trace.Claim, error)
}

// Activity is when a run last went on.
type Activity struct {
	RunID string
	At    time.Time
}

// Artifacts reads what steps have made. [trace.Log.Append] stores it.
type Artifacts interface {
	// OpenArtifact opens an artifact of a recorded step. The key is the artifact's
	// SHA256. An unknown one, or one whose data is gone, is an error with code
	// artifact_not_found. The caller closes the reader.
	OpenArtifact(ctx context.Context, key string) (io.ReadCloser, error)
}

// Facts reads what held in the world after steps. [trace.Log.Append] writes it.
type Facts interface {
	// Facts lists the facts that have not expired, the newest 1000, newest first.
	Facts(ctx context.Context) ([]Fact, error)
}

// FactTTL is how long a fact is believed after its step ended. What the user changes
// by hand in the meantime is not seen.
const FactTTL = 24 * time.Hour

// Fact is something that held in the world after a step.
type Fact struct {
	Fact    string    `json:"fact"` // without "!"
	Holds   bool      `json:"holds"`
	RunID   string    `json:"run_id"` // the step that says so
	StepID  string    `json:"step_id"`
	At      time.Time `json:"at"` // when the step had ended
	Expires time.Time `json:"expires_at"`
}

// Retention removes what is old.
type Retention interface {
	// Prunable counts what Prune would remove, and changes nothing.
	Prunable(ctx context.Context, before time.Time) (PruneReport, error)
	// Prune removes the runs that started before a time, with their steps, events,
	// effects and artifacts, and the drafts that expired before it or belong to such
	// a run. Runs and drafts that are in progress stay, and so does a run whose draft
	// is pending. Effects with a key from outside stay for good.
	Prune(ctx context.Context, before time.Time) (PruneReport, error)
	// Forget removes one run, by its id or an unambiguous prefix of it.
	Forget(ctx context.Context, runID string) (PruneReport, error)
	// Scrub makes what later writes replaced unreadable on the disk.
	Scrub(ctx context.Context) error
}

// PruneReport is what was removed, or would be.
type PruneReport struct {
	Runs      int   `json:"runs"`
	Drafts    int   `json:"drafts"`
	Artifacts int   `json:"artifacts"` // files
	Bytes     int64 `json:"bytes"`     // of artifacts, runs and drafts
}

// DatabaseFile is the name of the database in the data folder.
const DatabaseFile = "errand.db"

// HasRecord says whether there is a database in dir, without making one.
func HasRecord(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, DatabaseFile))
	return err == nil
}

// MessageInterrupted is the code of the message in the error of a run whose program died. Its
// duration is the time until its last step or event.
const MessageInterrupted = "store.interrupted"

// Codes of errors.
const (
	CodeUnwritable     = "store_unwritable" // the folder or a file in it can't be opened or written
	CodeDiskFull       = "disk_full"
	CodeCorrupt        = "store_corrupt" // the database is damaged, or another program's
	CodeBusy           = "store_busy"    // another program held the database for too long
	CodeNewer          = "store_newer"   // written by a newer program
	CodeEarlier        = "store_earlier" // written by a build before the first release
	CodeReadOnly       = "store_read_only"
	CodeTooLarge       = "artifact_too_large"
	CodeNoArtifact     = "artifact_not_found"
	CodeDraftNotFound  = "draft_not_found"
	CodeDraftTaken     = "draft_taken" // the id is in use
	CodeKeyTaken       = "key_taken"   // the key of a press is that of another
	CodeDraftMoved     = "draft_moved" // the draft is no longer in the state that was expected
	CodeDraftAmbiguous = "draft_ambiguous"
	CodeGrantNotFound  = "grant_not_found"
	CodeGrantAmbiguous = "grant_ambiguous"
	CodeGrantGone      = "grant_gone" // it was revoked, or another call or run uses it
)
