package sqlite

import (
	"context"
	"errors"
	"io/fs"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
)

// diskError converts err into a typed error with the operation, the problem with dir
// and a hint. It returns typed errors and nil unchanged.
func diskError(what message.Message, dir string, err error) error {
	if err == nil {
		return nil
	}
	if typed, ok := errors.AsType[*tool.Error](err); ok {
		return typed
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return tool.AsError(err)
	}
	switch code := kindIn(dir, err); code {
	case store.CodeDiskFull:
		return tool.NewError(tool.ExecutionError, code, message.New("store.disk_full", "action", what, "dir", dir)).
			WithHint(message.New("store.free_space"))
	case store.CodeCorrupt:
		return tool.NewError(tool.ExecutionError, code, message.New("store.damaged", "action", what, "file", dbName, "dir", dir, "cause", err)).
			WithHint(message.New("store.restore_copy", "file", dbName))
	case store.CodeBusy:
		return tool.NewError(tool.ToolUnavailable, code, message.New("store.folder_busy", "action", what, "dir", dir)).
			WithHint(message.New("store.try_again"))
	case store.CodeUnwritable:
		return tool.NewError(tool.ToolUnavailable, code, message.New("store.folder_unwritable", "action", what, "dir", dir, "cause", reason(err))).
			WithHint(message.New("store.check_folder"))
	}
	return tool.NewError(tool.ExecutionError, "store_failed", message.New("store.failed", "action", what, "cause", err))
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
	if db, ok := errors.AsType[*sqlite.Error](err); ok {
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
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return store.CodeUnwritable
	}
	return ""
}

// reason returns the innermost error of the file system, such as "permission
// denied".
func reason(err error) message.Message {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return message.FromError(path.Err)
	}
	return message.FromError(err)
}

func isBusy(err error) bool { return err != nil && kindOf(err) == store.CodeBusy }

// isConstraint reports whether a row violated the constraint with an extended
// code.
func isConstraint(err error, code int) bool {
	var db *sqlite.Error
	return errors.As(err, &db) && db.Code() == code
}
