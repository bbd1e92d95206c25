package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"errand/host/store"
	"errand/host/tool"
)

// fault converts err into a typed error with the operation, the problem with dir
// and a hint. It returns typed errors and nil unchanged.
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
	case store.CodeDiskFull:
		return tool.Errorf(tool.ExecutionError, code, "%s: the disk of %q is full", what, dir).
			WithHint("free some space; nothing that was recorded is lost")
	case store.CodeCorrupt:
		return tool.Errorf(tool.ExecutionError, code, "%s: %s in %q is damaged (%v)", what, dbName, dir, err).
			WithHint("nothing was deleted; move %s and its -wal and -shm away to start afresh, or restore a copy", dbName)
	case store.CodeBusy:
		return tool.Errorf(tool.ToolUnavailable, code, "%s: another program holds the data folder %q", what, dir).
			WithHint("try again when it has finished")
	case store.CodeUnwritable:
		return tool.Errorf(tool.ToolUnavailable, code, "%s: %q can't be written: %s", what, dir, reason(err)).
			WithHint("check that the folder belongs to you and is writable, or use another data folder")
	}
	return tool.Errorf(tool.ExecutionError, "store_failed", "%s: %v", what, err)
}

// leastRoom is the free space in bytes that SQLite needs. Its WAL index alone
// takes 32 KiB.
const leastRoom = 64 << 10

// kindIn is [kindOf] for an operation in dir. If the disk is too full for a helper
// file, SQLite reports only a read or write error, so kindIn checks the free
// space.
func kindIn(dir string, err error) string {
	code := kindOf(err)
	if code == store.CodeUnwritable && fromSQLite(err) {
		if room, known := freeSpace(dir); known && room < leastRoom {
			return store.CodeDiskFull
		}
	}
	return code
}

func fromSQLite(err error) bool {
	var db *sqlite.Error
	return errors.As(err, &db)
}

// kindOf returns the code for an error of SQLite or of the file system, or "".
func kindOf(err error) string {
	if diskFull(err) {
		return store.CodeDiskFull
	}
	var db *sqlite.Error
	if errors.As(err, &db) {
		if db.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // no space for the WAL index
			return store.CodeDiskFull
		}
		switch db.Code() & 0xff { // the primary code
		case sqlite3.SQLITE_FULL:
			return store.CodeDiskFull
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return store.CodeCorrupt
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return store.CodeBusy
		case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_AUTH:
			return store.CodeUnwritable
		}
		return ""
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return store.CodeUnwritable
	}
	return ""
}

// reason returns the innermost error of the file system, such as "permission
// denied".
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return strings.TrimSuffix(err.Error(), ".")
}

func isBusy(err error) bool { return err != nil && kindOf(err) == store.CodeBusy }

// isConstraint reports whether a row violated the constraint with an extended
// code.
func isConstraint(err error, code int) bool {
	var db *sqlite.Error
	return errors.As(err, &db) && db.Code() == code
}
