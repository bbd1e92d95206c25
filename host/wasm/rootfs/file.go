package rootfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/tetratelabs/wazero/experimental/sys"
	wsys "github.com/tetratelabs/wazero/sys"

	"errand/host/realpath"
)

// openFile is an open file or folder. One plugin instance uses it, one call at a
// time.
type openFile struct {
	sys.UnimplementedFile
	fs     *FS
	file   *os.File
	name   string // path inside the folder
	flag   sys.Oflag
	dir    bool
	closed bool
	call   int // number of the call that opened it; see [FS.SetAccess]
	// chargedTo is the offset up to which writes have been charged to the quota.
	chargedTo int64
	// isSame reports whether the file is still what the user approved; nil: any will do.
	isSame func() bool
}

// read reads with do, and fails if the file has changed since the user approved it.
func (f *openFile) read(b []byte, do func(b []byte, at int) (int, error)) (int, sys.Errno) {
	n, err := f.fs.account.spendInPieces(b, do)
	if f.isSame != nil && !f.isSame() {
		return 0, f.fs.changedSince(f.name)
	}
	return n, errno(err)
}

func (f *openFile) IsDir() (bool, sys.Errno) { return f.dir, 0 }

func (f *openFile) IsAppend() bool { return f.flag&sys.O_APPEND != 0 }

// SetAppend opens the file again, because some systems can't change the mode of an
// open file.
func (f *openFile) SetAppend(enable bool) sys.Errno {
	flag := f.flag &^ (sys.O_APPEND | sys.O_CREAT | sys.O_EXCL | sys.O_TRUNC)
	if enable {
		flag |= sys.O_APPEND
	}
	if f.dir {
		return sys.EISDIR
	}
	if !f.mayWrite() {
		return sys.EROFS
	}
	at, err := f.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return errno(err)
	}
	file, err := f.fs.root.OpenFile(f.name, osFlags(flag), filePerm)
	if err != nil {
		return errno(err)
	}
	old, err := f.file.Stat()
	if now, err2 := file.Stat(); err != nil || err2 != nil || !os.SameFile(old, now) {
		file.Close()
		return sys.EBADF // renamed or replaced in the meantime
	}
	if _, err := file.Seek(at, io.SeekStart); err != nil {
		file.Close()
		return errno(err)
	}
	f.file.Close()
	f.file, f.flag = file, flag
	return 0
}

func (f *openFile) Stat() (wsys.Stat_t, sys.Errno) {
	info, err := f.file.Stat()
	if err != nil {
		return wsys.Stat_t{}, errno(err)
	}
	return wsys.NewStat_t(info), 0
}

func (f *openFile) Dev() (uint64, sys.Errno) {
	st, e := f.Stat()
	return st.Dev, e
}

func (f *openFile) Ino() (wsys.Inode, sys.Errno) {
	st, e := f.Stat()
	return st.Ino, e
}

func (f *openFile) Read(b []byte) (int, sys.Errno) {
	if f.dir {
		return 0, sys.EISDIR
	}
	if len(b) == 0 {
		return 0, 0
	}
	return f.read(b, func(b []byte, _ int) (int, error) { return f.file.Read(b) })
}

func (f *openFile) Pread(b []byte, off int64) (int, sys.Errno) {
	switch {
	case f.dir:
		return 0, sys.EISDIR
	case off < 0:
		return 0, sys.EINVAL
	case len(b) == 0:
		return 0, 0
	}
	return f.read(b, func(b []byte, at int) (int, error) { return f.file.ReadAt(b, off+int64(at)) })
}

// position is an int64, so that vet does not compare Seek with [io.Seeker]:
// wazero's Seek returns an Errno.
type position = int64

func (f *openFile) Seek(offset position, whence int) (int64, sys.Errno) {
	if f.dir && (offset != 0 || whence != io.SeekStart) {
		return 0, sys.EISDIR
	}
	if whence < io.SeekStart || whence > io.SeekEnd {
		return 0, sys.EINVAL
	}
	n, err := f.file.Seek(offset, whence)
	return n, errno(err)
}

// Readdir implements [sys.File].
func (f *openFile) Readdir(n int) ([]sys.Dirent, sys.Errno) {
	if !f.dir {
		return nil, sys.ENOTDIR
	}
	entries, err := f.file.ReadDir(n)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errno(err)
	}
	dirents := make([]sys.Dirent, len(entries))
	for i, e := range entries {
		dirents[i] = sys.Dirent{Name: e.Name(), Ino: inode(f.file, e.Name()), Type: e.Type()}
	}
	return dirents, 0
}

func (f *openFile) checkWritable() sys.Errno {
	switch {
	case f.dir:
		return sys.EISDIR
	case !f.mayWrite(), f.flag&(sys.O_RDWR|sys.O_WRONLY) == 0:
		return sys.EBADF
	}
	return 0
}

func (f *openFile) Write(b []byte) (int, sys.Errno) {
	if e := f.checkWritable(); e != 0 {
		return 0, e
	}
	if len(b) == 0 {
		return 0, 0
	}
	at, err := f.position()
	if err != nil {
		return 0, errno(err)
	}
	if e := f.growTo(at, int64(len(b))); e != 0 {
		return 0, e
	}
	n, err := f.fs.account.spendInPieces(b, func(b []byte, _ int) (int, error) { return f.file.Write(b) })
	return n, errno(err)
}

func (f *openFile) Pwrite(b []byte, off int64) (int, sys.Errno) {
	if e := f.checkWritable(); e != 0 {
		return 0, e
	}
	if off < 0 {
		return 0, sys.EINVAL
	}
	if len(b) == 0 {
		return 0, 0
	}
	if e := f.growTo(off, int64(len(b))); e != 0 {
		return 0, e
	}
	n, err := f.fs.account.spendInPieces(b, func(b []byte, at int) (int, error) { return f.file.WriteAt(b, off+int64(at)) })
	return n, errno(err)
}

func (f *openFile) Truncate(size int64) sys.Errno {
	if e := f.checkWritable(); e != 0 {
		return e
	}
	if size < 0 {
		return sys.EINVAL
	}
	info, err := f.file.Stat()
	if err != nil {
		return errno(err)
	}
	if more := size - info.Size(); more > 0 {
		if e := f.growTo(info.Size(), more); e != 0 {
			return e
		}
	}
	return errno(f.file.Truncate(size))
}

// position returns the offset of the next Write.
func (f *openFile) position() (int64, error) {
	if f.flag&sys.O_APPEND == 0 {
		return f.file.Seek(0, io.SeekCurrent)
	}
	info, err := f.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// growTo charges n bytes at an offset to the quota, including a gap after the
// file's end, which takes space on some systems.
func (f *openFile) growTo(at, n int64) sys.Errno {
	if e := f.fs.account.checkFileSize(f.fs.quota, uint64(at)+uint64(n)); e != 0 {
		return e
	}
	hole := int64(0)
	if at > f.chargedTo {
		info, err := f.file.Stat()
		if err != nil {
			return errno(err)
		}
		hole = max(at-info.Size(), 0)
	}
	if e := f.fs.account.spend(f.fs.quota, uint64(n)+uint64(hole)); e != 0 {
		return e
	}
	f.chargedTo = max(f.chargedTo, at+n)
	return 0
}

func (f *openFile) Sync() sys.Errno { return errno(f.file.Sync()) }

func (f *openFile) Datasync() sys.Errno { return f.Sync() }

func (f *openFile) Utimens(atim, mtim int64) sys.Errno {
	at := f.fs.find(f.name, true, f.fs.isLimited(f.name, true))
	defer at.close()
	if e := f.fs.checkChange(at, f.name); e != 0 {
		return e
	}
	return errno(at.chtimes(atim, mtim))
}

func (f *openFile) Close() sys.Errno {
	if f.closed {
		return 0
	}
	f.closed = true
	f.fs.account.open--
	return errno(f.file.Close())
}

// chtimes sets times in nanoseconds; UTIME_OMIT keeps a time.
func (at entry) chtimes(atim, mtim int64) error {
	info, err := at.info(true)
	if err == nil && hasOtherNames(info) {
		return sys.EPERM
	}
	if at.limited && err == nil {
		now := wsys.NewStat_t(info)
		if atim == sys.UTIME_OMIT {
			atim = now.Atim
		}
		if mtim == sys.UTIME_OMIT {
			mtim = now.Mtim
		}
		return setTimes(at.dir, at.name, atim, mtim)
	}
	if at.err != nil {
		return at.err
	}
	return at.dir.Chtimes(at.name, timeOf(atim), timeOf(mtim))
}

func timeOf(ns int64) time.Time {
	if ns == sys.UTIME_OMIT {
		return time.Time{} // os.Root keeps a zero time
	}
	return time.Unix(0, ns)
}

// osFlags returns the flags for os.Root. They include O_NONBLOCK, because the file
// may have been replaced by a pipe.
func osFlags(flag sys.Oflag) int {
	out := realpath.NonBlock
	switch {
	case flag&sys.O_RDWR != 0:
		out |= os.O_RDWR
	case flag&sys.O_WRONLY != 0:
		out |= os.O_WRONLY
	default:
		out |= os.O_RDONLY
	}
	for from, to := range map[sys.Oflag]int{
		sys.O_APPEND: os.O_APPEND, sys.O_CREAT: os.O_CREATE, sys.O_EXCL: os.O_EXCL, sys.O_TRUNC: os.O_TRUNC,
		sys.O_SYNC: os.O_SYNC, sys.O_DSYNC: os.O_SYNC, sys.O_RSYNC: os.O_SYNC,
	} {
		if flag&from != 0 {
			out |= to
		}
	}
	return out
}

// errno converts an error to WASI's. A path that leaves the folder, which os.Root
// refuses itself, is EPERM.
func errno(err error) sys.Errno {
	var mine sys.Errno
	var system syscall.Errno
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return 0
	case errors.As(err, &mine):
		return mine
	case errors.As(err, &system):
		return sys.UnwrapOSError(system)
	case errors.Is(err, fs.ErrNotExist):
		return sys.ENOENT
	case errors.Is(err, fs.ErrExist):
		return sys.EEXIST
	case errors.Is(err, fs.ErrInvalid):
		return sys.EINVAL
	case errors.Is(err, fs.ErrClosed):
		return sys.EBADF
	}
	return sys.EPERM
}
