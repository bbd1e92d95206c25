// Package sqlite stores the record on disk. It implements [store.Store] with one
// SQLite database and stores the artifacts of steps as files named by their
// content. It is the only package that imports a database.
//
//	DIR/errand.db            SQLite, WAL, synchronous=FULL
//	DIR/artifacts/ab/ab….png named by the SHA-256 of their bytes
//	DIR/owners/ID.lock       locked by each program that has runs in progress
//
// Only the owner can read the files. Several programs may use one folder at the
// same time. Once a method has returned nil, its change survives a crash and a
// power failure. Unreadable data is never deleted or overwritten.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite", in pure Go

	"errand/host/event"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
)

const (
	dbName      = store.DatabaseFile
	artifactDir = "artifacts"
	ownerDir    = "owners"

	// busyTimeout is how long a write waits for another program's write.
	busyTimeout = 5 * time.Second
)

// Options configure [Open].
type Options struct {
	Now func() time.Time // nil: time.Now

	// ReadOnly changes nothing in the folder. A folder without a record then has
	// no runs.
	ReadOnly bool

	// Publish receives the events that this store has added to the journal, after
	// the commit. Several goroutines may call it at the same time, in any order.
	Publish func([]event.Event)
}

// Store is a record on disk. Its methods are safe for concurrent use. Errors are
// *tool.Error with the codes of this package.
type Store struct {
	*database
	grantTable
	draftTable
	journalTable
	contextTable
	timerTable
	usageTable
	turnTable
	chatTable
}

// database is an open data folder. The parts of [Store] share it.
type database struct {
	dir      string
	now      func() time.Time
	publish  func([]event.Event)
	readOnly bool
	// unwritable is why a store is read-only although writing was requested, or
	// nil.
	unwritable error
	write      *sql.DB // one connection, so that writes queue here and not in SQLite; nil if read-only
	read       *sql.DB // nil if there is nothing to read
	version    int     // of the tables in read: an earlier one can't be upgraded if it can't be written

	failures failures
	leases   leases
}

var _ store.Store = (*Store)(nil)

// Open opens the record in dir and creates it if it does not exist. The caller
// must close it.
//
// If an existing record can't be written, because the disk is full or the folder
// is read-only, it is opened for reading. Each change then fails with that error.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, diskError(message.New("store.open_folder"), dir, err)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Publish == nil {
		o.Publish = func([]event.Event) {}
	}
	d := &database{dir: dir, now: o.Now, publish: o.Publish, readOnly: o.ReadOnly, leases: leases{dir: filepath.Join(dir, ownerDir)}}
	if o.ReadOnly {
		err = d.openForReading(ctx)
	} else {
		err = d.openForWriting(ctx)
	}
	if err != nil && !o.ReadOnly && unwritable(dir, err) {
		reader := &database{dir: dir, now: o.Now, readOnly: true, unwritable: diskError(message.New("store.open_folder"), dir, err), leases: leases{dir: filepath.Join(dir, ownerDir)}}
		if reader.openForReading(ctx) == nil && reader.read != nil {
			_ = d.Close() // the error below matters more
			return newStore(reader), nil
		}
		_ = reader.Close() // the write error matters more
	}
	if err != nil {
		_ = d.Close() // the first error matters more
		return nil, diskError(message.New("store.open_folder"), dir, err)
	}
	return newStore(d), nil
}

func newStore(d *database) *Store {
	return &Store{database: d, grantTable: grantTable{d}, draftTable: draftTable{d}, journalTable: journalTable{d}, contextTable: contextTable{d}, timerTable: timerTable{d}, usageTable: usageTable{d}, turnTable: turnTable{d}, chatTable: chatTable{d}}
}

// unwritable reports whether err means that dir can't be written but may be
// readable.
func unwritable(dir string, err error) bool {
	code := kindIn(dir, err)
	return code == store.CodeDiskFull || code == store.CodeUnwritable
}

// openForReading opens the database without changing a file. SQLite normally
// writes its WAL index even then. If it can't, the database is opened as
// immutable, without the log.
func (d *database) openForReading(ctx context.Context) error {
	err := d.openAs(ctx, url.Values{"mode": {"ro"}})
	if err == nil || !unwritable(d.dir, err) {
		return err
	}
	if d.openAs(ctx, url.Values{"mode": {"ro"}, "immutable": {"1"}}) == nil {
		return nil
	}
	return err
}

// upgrade adds the tables of later versions to a database of an earlier one. Where it can't be
// written, it stays as it is: what these tables would hold is not there.
func (d *database) upgrade(ctx context.Context) error {
	w := &database{dir: d.dir}
	err := errors.Join(w.openForWriting(ctx), w.Close())
	if unwritable(d.dir, err) {
		return nil
	}
	return err
}

func (d *database) openAs(ctx context.Context, params url.Values) error {
	path := filepath.Join(d.dir, dbName)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	params.Set("_query_only", "1")
	db, err := connect(path, params)
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, db, d.dir)
	switch {
	case err != nil:
		return errors.Join(err, db.Close())
	case version == 0: // created and still empty
		return db.Close()
	case version < schemaNumber && !params.Has("immutable"):
		err := d.upgrade(ctx)
		if err == nil {
			version, err = schemaVersion(ctx, db, d.dir)
		}
		if err != nil {
			return errors.Join(err, db.Close())
		}
	}
	d.read, d.version = db, version
	return nil
}

func (d *database) openForWriting(ctx context.Context) error {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(d.dir, dbName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // SQLite uses the same mode for its other files
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	d.write, err = connect(path, url.Values{
		"_txlock": {"immediate"}, "_auto_vacuum": {"INCREMENTAL"},
		"_synchronous": {"FULL"}, "_foreign_keys": {"1"},
		"_pragma": {"secure_delete(1)"}, // what a later row says no more is gone from the file
	})
	if err != nil {
		return err
	}
	d.write.SetMaxOpenConns(1)
	// The switch to WAL takes a lock that the busy timeout does not cover, so
	// retry if several programs create the database at the same time.
	const step = 20 * time.Millisecond
	for waited := time.Duration(0); ; waited += step {
		if err = createSchema(ctx, d.write, d.dir); !isBusy(err) || waited >= busyTimeout || !pause(ctx, step) {
			break
		}
	}
	if err != nil {
		return err
	}
	d.version = schemaNumber
	d.read, err = connect(path, url.Values{"_query_only": {"1"}})
	return err
}

// connect prepares a pool without opening a connection.
func connect(path string, params url.Values) (*sql.DB, error) {
	params.Set("_busy_timeout", strconv.FormatInt(busyTimeout.Milliseconds(), 10))
	params.Set("_defensive", "1")
	params.Set("_dqs", "0")
	params.Set("_error_rc", "1")
	slashed := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		slashed = "/" + slashed
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: params.Encode()}
	return sql.Open("sqlite", u.String())
}

// Close closes the store. Runs of this store that were not ended are shown as
// interrupted.
func (d *database) Close() error {
	var errs []error
	for _, db := range []*sql.DB{d.read, d.write} { // the writer last: it copies the log into the database
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	errs = append(errs, d.leases.release())
	if err := errors.Join(errs...); err != nil {
		return diskError(message.New("store.close_folder"), d.dir, err)
	}
	return nil
}

// txn is a transaction that excludes all other writers.
type txn struct {
	*sql.Tx
	events []event.Event // events added to the journal
}

// change runs f in one transaction and then publishes its events.
func (d *database) change(ctx context.Context, what message.Message, f func(*txn) error) error {
	if d.unwritable != nil {
		return d.unwritable
	}
	if d.readOnly {
		return tool.NewError(tool.ExecutionError, store.CodeReadOnly, message.New("store.read_only", "action", what))
	}
	begun, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return diskError(what, d.dir, err)
	}
	defer func() { _ = begun.Rollback() }() // no effect after a commit
	tx := &txn{Tx: begun}
	if err := f(tx); err != nil {
		return diskError(what, d.dir, err)
	}
	if err := tx.Commit(); err != nil {
		return diskError(what, d.dir, err)
	}
	if len(tx.events) > 0 {
		d.publish(tx.events)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
