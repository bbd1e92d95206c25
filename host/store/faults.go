package store

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"errand/host/tool"
)

// Codes of this package's errors, beside those of package trace.
const (
	CodeUnwritable     = "store_unwritable" // the folder or a file in it can't be opened or written
	CodeDiskFull       = "disk_full"
	CodeCorrupt        = "store_corrupt" // the database is damaged or none of ours
	CodeBusy           = "store_busy"    // another program held the database for too long
	CodeNewer          = "store_newer"   // written by a newer program
	CodeEarlier        = "store_earlier" // written by a build before the first release
	CodeReadOnly       = "store_read_only"
	CodeTooLarge       = "artifact_too_large"
	CodeDraftNotFound  = "draft_not_found"
	CodeDraftTaken     = "draft_taken" // the id is in use
	CodeDraftMoved     = "draft_moved" // the draft is no longer in the state that was expected
	CodeDraftAmbiguous = "draft_ambiguous"
)

// fault makes a typed error of err: what was tried, what is wrong with dir,
// what to do. Typed errors and nil stay as they are.
func fault(what, dir string, err error) error {
	if err == nil {
		return nil
	}
	var typed *tool.Error
	if errors.As(err, &typed) {
		return typed
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return tool.AsError(err)
	}
	switch code := kindIn(dir, err); code {
	case CodeDiskFull:
		return tool.Errorf(tool.ExecutionError, code, "%s: the disk of %q is full", what, dir).
			WithHint("free some space; nothing that was recorded is lost")
	case CodeCorrupt:
		return tool.Errorf(tool.ExecutionError, code, "%s: %s in %q is damaged (%v)", what, dbName, dir, err).
			WithHint("nothing was deleted; move %s and its -wal and -shm away to start afresh, or restore a copy", dbName)
	case CodeBusy:
		return tool.Errorf(tool.ToolUnavailable, code, "%s: another program holds the data folder %q", what, dir).
			WithHint("try again when it has finished")
	case CodeUnwritable:
		return tool.Errorf(tool.ToolUnavailable, code, "%s: %q can't be written: %s", what, dir, reason(err)).
			WithHint("check that the folder belongs to you and is writable, or use another data folder")
	}
	return tool.Errorf(tool.ExecutionError, "store_failed", "%s: %v", what, err)
}

// leastRoom is the room in bytes without which SQLite can't work: its index of
// the log alone takes 32 KiB.
const leastRoom = 64 << 10

// kindIn is [kindOf] for something that was tried in dir. SQLite says no more
// than that reading or writing failed where a disk is too full for one of its
// helper files, so the disk is asked.
func kindIn(dir string, err error) string {
	code := kindOf(err)
	if code == CodeUnwritable && fromSQLite(err) {
		if room, known := freeSpace(dir); known && room < leastRoom {
			return CodeDiskFull
		}
	}
	return code
}

func fromSQLite(err error) bool {
	var db *sqlite.Error
	return errors.As(err, &db)
}

// kindOf is the code for an error of SQLite or of the file system, or "".
func kindOf(err error) string {
	if diskFull(err) {
		return CodeDiskFull
	}
	var db *sqlite.Error
	if errors.As(err, &db) {
		if db.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // no room for the index of the log
			return CodeDiskFull
		}
		switch db.Code() & 0xff { // the primary code; the rest details it
		case sqlite3.SQLITE_FULL:
			return CodeDiskFull
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return CodeCorrupt
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return CodeBusy
		case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_AUTH:
			return CodeUnwritable
		}
		return ""
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return CodeUnwritable
	}
	return ""
}

// reason is the innermost of what the file system said: "permission denied".
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return strings.TrimSuffix(err.Error(), ".")
}

func isBusy(err error) bool { return err != nil && kindOf(err) == CodeBusy }

// isConstraint reports whether a row was refused for the extended code.
func isConstraint(err error, code int) bool {
	var db *sqlite.Error
	return errors.As(err, &db) && db.Code() == code
}
