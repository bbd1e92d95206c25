package rootfs

import "github.com/tetratelabs/wazero/experimental/sys"

// Account limits the open files of one plugin instance in all its folders. The
// zero value permits no open file. The limit is ours, because file handles belong
// to the whole program.
type Account struct {
	OpenFiles int // maximum number of open files and folders
	// Exceeded is called with an exceeded limit, "open_files", "quota" or
	// "max_file", and its value. It may panic to stop the plugin. If it returns or
	// is nil, the plugin gets an error.
	Exceeded func(limit string, value uint64)
	// Pause is called before and during reads and writes. It may panic to stop the
	// plugin. It may be nil.
	Pause func()
	// Denied is called with a file or folder that the call may not change,
	// although it may change others ([Access]). It may be nil.
	Denied func(f *FS, name string)
	// Changed is called with a file that is not as the user approved it ([Place]). It may
	// panic to stop the plugin. If it returns or is nil, the plugin gets EIO.
	Changed func(f *FS, name string)

	open int
}

// Quota limits what one call writes below a root. Folders of the same root may
// share it.
type Quota struct {
	Bytes   uint64 // written bytes, new or replaced
	MaxFile uint64 // maximum size of a file in bytes

	writtenBytes uint64
}

// entryCost is what a new file or folder counts as written bytes, because even an
// empty one takes space.
const entryCost = 4 << 10

// Begin resets the quota for a call.
func (q *Quota) Begin() { q.writtenBytes = 0 }

// CountOpen returns the number of open files and folders, without those that [Open]
// opened.
func (a *Account) CountOpen(folders ...*FS) int {
	n := a.open
	for _, f := range folders {
		if f.base != nil && !f.base.closed {
			n--
		}
	}
	return n
}

func (a *Account) checkOpenFiles() sys.Errno {
	if a.open < a.OpenFiles {
		return 0
	}
	return a.limitError("open_files", uint64(a.OpenFiles), sys.EAGAIN) // the subset of errors has no EMFILE
}

func (a *Account) spend(q *Quota, n uint64) sys.Errno {
	if n > q.Bytes || q.writtenBytes > q.Bytes-n {
		return a.limitError("quota", q.Bytes, sys.EIO) // nor ENOSPC
	}
	q.writtenBytes += n
	return 0
}

func (a *Account) checkFileSize(q *Quota, size uint64) sys.Errno {
	if size > q.MaxFile {
		return a.limitError("max_file", q.MaxFile, sys.EIO) // nor EFBIG
	}
	return 0
}

func (a *Account) noteOutside(f *FS, name string) {
	if a.Denied != nil {
		a.Denied(f, name)
	}
}

func (a *Account) limitError(limit string, value uint64, e sys.Errno) sys.Errno {
	if a.Exceeded != nil {
		a.Exceeded(limit, value)
	}
	return e
}
