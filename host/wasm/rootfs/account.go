package rootfs

import "github.com/tetratelabs/wazero/experimental/sys"

// Account is what one instance of a plugin may hold and has, in all its folders
// together. The zero value allows no file to be opened. Handles are the whole
// program's, so they are bounded by us and not by the system.
type Account struct {
	OpenFiles int // files and folders open at a time
	// Exceeded is told of a limit that is passed: "open_files", "quota" or
	// "max_file", and its value. It may panic to end the plugin. Where it returns,
	// and where it is nil, the plugin gets an error.
	Exceeded func(limit string, value uint64)
	// Pause is called in the middle of reading or writing much. It may panic to end
	// the plugin. nil: nothing is to be done.
	Pause func()

	open int
}

// Quota bounds what one call writes below a root. It may be shared by the
// folders that the root stands for.
type Quota struct {
	Bytes   uint64 // written, whether they are new or replace others
	MaxFile uint64 // bytes that a file may grow to

	written uint64
}

// entryCost is what making a file or folder counts as written, in bytes: that
// of an empty one is the system's to bear.
const entryCost = 4 << 10

// Begin makes the quota ready for a call.
func (q *Quota) Begin() { q.written = 0 }

// Left counts the files and folders that are open, beside the folders that were
// opened with [Open].
func (a *Account) Left(folders ...*FS) int {
	n := a.open
	for _, f := range folders {
		if f.base != nil && !f.base.closed {
			n--
		}
	}
	return n
}

func (a *Account) opening() sys.Errno {
	if a.open < a.OpenFiles {
		return 0
	}
	return a.exceeded("open_files", uint64(a.OpenFiles), sys.EAGAIN) // the subset of errors has no EMFILE
}

func (a *Account) spend(q *Quota, n uint64) sys.Errno {
	if n > q.Bytes || q.written > q.Bytes-n {
		return a.exceeded("quota", q.Bytes, sys.EIO) // nor ENOSPC
	}
	q.written += n
	return 0
}

func (a *Account) sized(q *Quota, size uint64) sys.Errno {
	if size > q.MaxFile {
		return a.exceeded("max_file", q.MaxFile, sys.EIO) // nor EFBIG
	}
	return 0
}

func (a *Account) exceeded(limit string, value uint64, e sys.Errno) sys.Errno {
	if a.Exceeded != nil {
		a.Exceeded(limit, value)
	}
	return e
}
