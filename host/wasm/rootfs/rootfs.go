// Package rootfs makes a folder of this machine visible to a plugin, and nothing
// outside it.
//
// wazero's own mounts follow symbolic links out of the folder, as documented. This
// package resolves every path with [os.Root], which opens one component after the
// other relative to the folder's handle. In addition, a plugin can't create links
// and sees only files and folders (no devices, pipes or sockets). It can't change
// a file with several hard links, which may be outside. The number of open files
// and of written bytes is limited ([Account], [Quota]).
package rootfs

import (
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/tetratelabs/wazero/experimental/sys"
	wsys "github.com/tetratelabs/wazero/sys"
)

// Permissions of new files and folders before the user's umask, the same as in
// other programs. WASI has no permissions.
const (
	filePerm = 0o666
	dirPerm  = 0o777
)

// FS is a folder as a plugin sees it. It is for one plugin instance, which runs
// one call at a time.
type FS struct {
	sys.UnimplementedFS
	root     *os.Root
	readOnly bool
	access   access // of the running call
	account  *Account
	quota    *Quota
	base     *openFile // the folder itself, which WASI keeps open
}

// Open opens the folder; Close releases it. Nothing may be changed before
// [FS.SetAccess]. In a read-only folder every change fails with EROFS, and quota may
// be nil.
func Open(folder string, readOnly bool, account *Account, quota *Quota) (*FS, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	if quota == nil {
		quota = &Quota{}
	}
	return &FS{root: root, readOnly: readOnly, access: access{noAccess: true}, account: account, quota: quota}, nil
}

// Close releases the folder. Open files stay open.
func (f *FS) Close() error { return f.root.Close() }

// Info returns the folder's info.
func (f *FS) Info() (fs.FileInfo, error) { return f.root.Stat(".") }

// local converts a guest's path for os.Root and reports whether it ended with a
// slash. In POSIX such a path must be a folder. A link to a folder is followed for
// reading, but not if the link itself would be changed. os.Root checks that the
// path stays inside.
func local(name string) (cleaned string, folder bool) {
	folder = strings.HasSuffix(name, "/")
	name = path.Clean(strings.TrimLeft(name, "/"))
	return name, folder
}

// OpenFile implements [sys.FS].
func (f *FS) OpenFile(name string, flag sys.Oflag, _ fs.FileMode) (sys.File, sys.Errno) {
	name, folder := local(name)
	follow := flag&sys.O_NOFOLLOW == 0 || folder
	at := f.find(name, follow, f.isLimited(name, flag&(writeFlags|sys.O_RDWR|sys.O_CREAT) != 0))
	defer at.close()
	// Check the type first, because opening a device or a pipe can have effects.
	// It is checked again after opening.
	info, err := at.info(follow)
	if err != nil && folder && flag&sys.O_CREAT != 0 {
		return nil, sys.EISDIR // like Linux: a file's name can't end with a slash
	}
	if err == nil {
		var e sys.Errno
		if flag, e = f.admit(at, name, info, flag, folder); e != 0 {
			return nil, e
		}
	} else if flag&sys.O_CREAT != 0 {
		if e := f.checkChange(at, name); e != 0 {
			return nil, e
		}
	}
	if e := f.account.checkOpenFiles(); e != 0 {
		return nil, e
	}
	if err != nil && flag&sys.O_CREAT != 0 {
		if e := f.account.spend(f.quota, entryCost); e != 0 {
			return nil, e
		}
	}
	if err == nil && flag&sys.O_TRUNC != 0 { // it would be gone before it is compared
		if e := f.checkBound(at, name); e != 0 {
			return nil, e
		}
	}
	file, err := at.open(flag)
	if err != nil {
		return nil, errno(err)
	}
	opened := &openFile{fs: f, file: file, name: name, flag: flag, call: f.access.call}
	f.account.open++
	if info, err = file.Stat(); err != nil || !isVisible(info) || flag&(writeFlags|sys.O_RDWR) != 0 && hasOtherNames(info) {
		opened.Close()
		return nil, sys.EPERM
	}
	opened.dir = info.IsDir()
	if e := f.bind(at, opened); e != 0 {
		opened.Close()
		return nil, e
	}
	if f.base == nil && name == "." {
		f.base = opened // WASI opens the folder itself first
	}
	return opened, 0
}

const writeFlags = sys.O_WRONLY | sys.O_TRUNC | sys.O_APPEND

// admit checks whether an existing file may be opened and returns the flags to
// use. Some toolchains always request all rights, so read-write becomes read-only
// if writing is not permitted.
func (f *FS) admit(at entry, name string, info fs.FileInfo, flag sys.Oflag, folder bool) (sys.Oflag, sys.Errno) {
	denied := sys.Errno(0)
	if flag&(writeFlags|sys.O_RDWR|sys.O_CREAT) != 0 && info.Mode().IsRegular() {
		denied = f.mayChange(at)
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return 0, sys.ELOOP
	case !isVisible(info):
		return 0, sys.EPERM
	case !info.IsDir() && (folder || flag&sys.O_DIRECTORY != 0):
		return 0, sys.ENOTDIR
	case flag&sys.O_CREAT != 0 && flag&sys.O_EXCL != 0:
		return 0, sys.EEXIST
	case info.IsDir() && flag&(writeFlags|sys.O_RDWR|sys.O_CREAT) != 0:
		return 0, sys.EISDIR
	case denied != 0 && flag&writeFlags != 0:
		return 0, f.checkChange(at, name)
	case flag&writeFlags != 0 && hasOtherNames(info):
		return 0, sys.EPERM
	case denied != 0 || info.IsDir() || hasOtherNames(info):
		return flag &^ (sys.O_RDWR | sys.O_CREAT), 0
	}
	return flag, 0
}

func isVisible(info fs.FileInfo) bool { return info.Mode().IsRegular() || info.IsDir() }

// Stat implements [sys.FS].
func (f *FS) Stat(name string) (wsys.Stat_t, sys.Errno) { return f.stat(name, true) }

// Lstat implements [sys.FS].
func (f *FS) Lstat(name string) (wsys.Stat_t, sys.Errno) { return f.stat(name, false) }

func (f *FS) stat(name string, follow bool) (wsys.Stat_t, sys.Errno) {
	name, folder := local(name)
	follow = follow || folder
	at := f.find(name, follow, f.isLimited(name, false))
	defer at.close()
	info, err := at.info(follow)
	if err != nil {
		return wsys.Stat_t{}, errno(err)
	}
	if folder && !info.IsDir() {
		return wsys.Stat_t{}, sys.ENOTDIR
	}
	return wsys.NewStat_t(info), 0
}

// Readlink implements [sys.FS]. It returns a link's target and opens nothing.
func (f *FS) Readlink(name string) (string, sys.Errno) {
	name, folder := local(name)
	if folder { // a trailing slash means the link's target, which is not a link
		if _, e := f.Stat(name + "/"); e != 0 {
			return "", e
		}
		return "", sys.EINVAL
	}
	at := f.find(name, false, f.isLimited(name, false))
	defer at.close()
	if at.err != nil {
		return "", errno(at.err)
	}
	target, err := at.dir.Readlink(at.name)
	return target, errno(err)
}

// Mkdir implements [sys.FS].
func (f *FS) Mkdir(name string, _ fs.FileMode) sys.Errno {
	name, _ = local(name)
	return f.change(name, false, func(at entry, name string) error {
		if _, err := at.info(false); err == nil && !f.isReadOnly() {
			return sys.EEXIST // whether it may be changed or not: programs create all folders of a path
		}
		if e := f.checkMkdir(at, name); e != 0 {
			return e
		}
		if e := f.account.spend(f.quota, entryCost); e != 0 {
			return e
		}
		err := at.dir.Mkdir(at.name, dirPerm)
		if err == nil {
			f.madeFolder(at)
		}
		return err
	})
}

// Rename implements [sys.FS].
func (f *FS) Rename(from, to string) sys.Errno {
	to, folder := local(to)
	if to == "." {
		return sys.EINVAL
	}
	return f.change(from, false, func(was entry, from string) error {
		info, err := was.info(false)
		if folder && err == nil && !info.IsDir() {
			return sys.ENOTDIR
		}
		limited := was.limited || f.isLimited(to, true)
		if limited && !was.limited {
			was = f.find(from, false, true)
			defer was.close()
		}
		is := f.find(to, false, limited)
		defer is.close()
		isFolder := err == nil && info.IsDir()
		if e := f.checkMove(was, from, isFolder); e != 0 {
			return e
		}
		if e := f.checkMove(is, to, isFolder); e != 0 {
			return e
		}
		if e := f.checkBound(was, from); e != 0 {
			return e
		}
		if e := f.checkBound(is, to); e != 0 {
			return e
		}
		if done, err := makeWay(was, is); done || err != nil {
			return err
		}
		if limited {
			return rename(was.dir, was.name, is.dir, is.name)
		}
		return f.root.Rename(from, to)
	})
}

// makeWay removes an empty folder that a folder is renamed to: POSIX permits that, and
// [os.Root] does not. It reports whether both are the same folder.
func makeWay(from, to entry) (done bool, err error) {
	was, err := from.info(false)
	if err != nil {
		return false, err
	}
	is, err := to.info(false)
	switch {
	case err != nil || !is.IsDir():
		return false, nil
	case os.SameFile(was, is):
		return true, nil
	case !was.IsDir():
		return false, sys.EISDIR
	case strings.HasPrefix(to.real, from.real+"/"):
		return false, sys.EINVAL
	}
	return false, to.dir.Remove(to.name)
}

// Rmdir implements [sys.FS].
func (f *FS) Rmdir(name string) sys.Errno {
	return f.change(name, false, func(at entry, name string) error {
		if info, err := at.info(false); err == nil && !info.IsDir() {
			return sys.ENOTDIR
		}
		if e := f.checkRmdir(at, name); e != 0 {
			return e
		}
		return at.dir.Remove(at.name)
	})
}

// Unlink implements [sys.FS]. It removes a link itself, never its target.
func (f *FS) Unlink(name string) sys.Errno {
	return f.change(name, false, func(at entry, name string) error {
		if info, err := at.info(false); err == nil && info.IsDir() {
			return sys.EISDIR
		}
		if e := f.checkChange(at, name); e != 0 {
			return e
		}
		if e := f.checkBound(at, name); e != 0 {
			return e
		}
		return at.dir.Remove(at.name)
	})
}

// Utimens implements [sys.FS].
func (f *FS) Utimens(name string, atim, mtim int64) sys.Errno {
	return f.change(name, true, func(at entry, name string) error {
		if e := f.checkChange(at, name); e != 0 {
			return e
		}
		return at.chtimes(atim, mtim)
	})
}

// Chmod implements [sys.FS]: permissions are the user's.
func (f *FS) Chmod(string, fs.FileMode) sys.Errno { return f.isDenied() }

// Link implements [sys.FS]: plugins make no links.
func (f *FS) Link(_, _ string) sys.Errno { return f.isDenied() }

// Symlink implements [sys.FS]: plugins make no links. One made by a plugin
// would wait for a program that follows it.
func (f *FS) Symlink(_, _ string) sys.Errno { return f.isDenied() }

func (f *FS) isDenied() sys.Errno {
	if f.isReadOnly() {
		return sys.EROFS
	}
	return sys.EPERM
}

// change does one change to something inside the folder, never to the folder
// itself. A name with a slash at its end must be a folder's if there is something. follow
// says whether the change applies to the target of a link.
func (f *FS) change(name string, follow bool, do func(at entry, name string) error) sys.Errno {
	if f.isReadOnly() {
		return sys.EROFS
	}
	name, folder := local(name)
	if name == "." {
		return sys.EPERM
	}
	at := f.find(name, follow, f.isLimited(name, true))
	defer at.close()
	if folder {
		if info, err := at.info(follow); err == nil && !info.IsDir() {
			return sys.ENOTDIR
		}
	}
	err := do(at, name)
	f.access.hasEffect = f.access.hasEffect || err == nil
	return errno(err)
}
