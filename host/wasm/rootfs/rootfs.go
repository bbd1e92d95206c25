// Package rootfs shows a folder of this machine to a plugin, and nothing
// outside it.
//
// Wazero's own directory mounts follow symbolic links out of the folder and
// say so; here every path is resolved by [os.Root], which opens one component
// after the other relative to the folder's own handle. On top of that a plugin
// can make no links, sees only files and folders (no devices, pipes or
// sockets), changes no file that has another name (a hard link, which may lie
// outside), holds a bounded number of them open, and writes a bounded number of
// bytes ([Account], [Quota]).
package rootfs

import (
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/tetratelabs/wazero/experimental/sys"
	wsys "github.com/tetratelabs/wazero/sys"
)

// Permissions of what plugins make, before the person's umask: those that the
// person's other programs use. WASI has none of its own.
const (
	filePerm = 0o666
	dirPerm  = 0o777
)

// FS is a folder as a plugin sees it. It is for one instance of a plugin, which
// does one call at a time.
type FS struct {
	sys.UnimplementedFS
	root     *os.Root
	readOnly bool
	account  *Account
	quota    *Quota
	base     *openFile // the folder itself, as WASI holds it open
}

// Open opens the folder for the holder of the account; Close releases it. In a
// read-only one every change is answered with EROFS, and quota may be nil.
func Open(folder string, readOnly bool, account *Account, quota *Quota) (*FS, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	if quota == nil {
		quota = &Quota{}
	}
	return &FS{root: root, readOnly: readOnly, account: account, quota: quota}, nil
}

// Close releases the folder. Files that were opened in it stay open.
func (f *FS) Close() error { return f.root.Close() }

// Info tells which folder it is.
func (f *FS) Info() (fs.FileInfo, error) { return f.root.Stat(".") }

// local is a guest's path as os.Root takes it, and whether it ended with a slash,
// by which POSIX means a folder and nothing else: a link is followed to one
// wherever something is looked at, and not where the link itself would be changed.
// Whether the path stays inside is for os.Root to say.
func local(name string) (cleaned string, folder bool) {
	folder = strings.HasSuffix(name, "/")
	name = path.Clean(strings.TrimLeft(name, "/"))
	return name, folder
}

// OpenFile implements [sys.FS].
func (f *FS) OpenFile(name string, flag sys.Oflag, _ fs.FileMode) (sys.File, sys.Errno) {
	name, folder := local(name)
	// Looking first keeps devices and pipes from being opened at all, which
	// can have effects of its own; what was opened is looked at again below.
	look := f.root.Stat
	if flag&sys.O_NOFOLLOW != 0 && !folder {
		look = f.root.Lstat
	}
	info, err := look(name)
	if err != nil && folder && flag&sys.O_CREAT != 0 {
		return nil, sys.EISDIR // as Linux: no file can be made by that name
	}
	if err == nil {
		var e sys.Errno
		if flag, e = f.admit(info, flag, folder); e != 0 {
			return nil, e
		}
	} else if f.readOnly && flag&sys.O_CREAT != 0 {
		return nil, sys.EROFS
	}
	if e := f.account.opening(); e != 0 {
		return nil, e
	}
	if err != nil && flag&sys.O_CREAT != 0 {
		if e := f.account.spend(f.quota, entryCost); e != 0 {
			return nil, e
		}
	}
	file, err := f.root.OpenFile(name, osFlags(flag), filePerm)
	if err != nil {
		return nil, errno(err)
	}
	opened := &openFile{fs: f, file: file, name: name, flag: flag}
	f.account.open++
	if info, err = file.Stat(); err != nil || !visible(info) || flag&(writes|sys.O_RDWR) != 0 && shared(info) {
		opened.Close()
		return nil, sys.EPERM
	}
	opened.dir = info.IsDir()
	if f.base == nil && name == "." {
		f.base = opened // WASI opens it before anything in it
	}
	return opened, 0
}

const writes = sys.O_WRONLY | sys.O_TRUNC | sys.O_APPEND

// admit says whether what exists may be opened so, and with which flags. Some
// toolchains ask for every right whatever the program asked for, so the right
// to read and write turns into that to read where there is no other.
func (f *FS) admit(info fs.FileInfo, flag sys.Oflag, folder bool) (sys.Oflag, sys.Errno) {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return 0, sys.ELOOP
	case !visible(info):
		return 0, sys.EPERM
	case !info.IsDir() && (folder || flag&sys.O_DIRECTORY != 0):
		return 0, sys.ENOTDIR
	case flag&sys.O_CREAT != 0 && flag&sys.O_EXCL != 0:
		return 0, sys.EEXIST
	case info.IsDir() && (flag&(writes|sys.O_CREAT) != 0 || flag&sys.O_RDWR != 0 && flag&sys.O_DIRECTORY == 0):
		return 0, sys.EISDIR
	case f.readOnly && flag&writes != 0:
		return 0, sys.EROFS
	case flag&writes != 0 && shared(info):
		return 0, sys.EPERM
	case f.readOnly || info.IsDir() || shared(info):
		return flag &^ (sys.O_RDWR | sys.O_CREAT), 0
	}
	return flag, 0
}

func visible(info fs.FileInfo) bool { return info.Mode().IsRegular() || info.IsDir() }

// Stat implements [sys.FS].
func (f *FS) Stat(name string) (wsys.Stat_t, sys.Errno) { return f.stat(name, f.root.Stat) }

// Lstat implements [sys.FS].
func (f *FS) Lstat(name string) (wsys.Stat_t, sys.Errno) { return f.stat(name, f.root.Lstat) }

func (f *FS) stat(name string, look func(string) (fs.FileInfo, error)) (wsys.Stat_t, sys.Errno) {
	name, folder := local(name)
	if folder {
		look = f.root.Stat
	}
	info, err := look(name)
	if err != nil {
		return wsys.Stat_t{}, errno(err)
	}
	if folder && !info.IsDir() {
		return wsys.Stat_t{}, sys.ENOTDIR
	}
	return wsys.NewStat_t(info), 0
}

// Readlink implements [sys.FS]. It tells a link's target and opens nothing.
func (f *FS) Readlink(name string) (string, sys.Errno) {
	name, folder := local(name)
	if folder { // it is what the link leads to, which is none
		if _, e := f.Stat(name + "/"); e != 0 {
			return "", e
		}
		return "", sys.EINVAL
	}
	target, err := f.root.Readlink(name)
	return target, errno(err)
}

// Mkdir implements [sys.FS].
func (f *FS) Mkdir(name string, _ fs.FileMode) sys.Errno {
	return f.change(name, nil, func(name string) error {
		if e := f.account.spend(f.quota, entryCost); e != 0 {
			return e
		}
		return f.root.Mkdir(name, dirPerm)
	})
}

// Rename implements [sys.FS].
func (f *FS) Rename(from, to string) sys.Errno {
	to, folder := local(to)
	if to == "." {
		return sys.EINVAL
	}
	return f.change(from, f.root.Lstat, func(from string) error {
		if info, err := f.root.Lstat(from); folder && err == nil && !info.IsDir() {
			return sys.ENOTDIR
		}
		return f.root.Rename(from, to)
	})
}

// Rmdir implements [sys.FS].
func (f *FS) Rmdir(name string) sys.Errno {
	return f.change(name, f.root.Lstat, func(name string) error {
		if info, err := f.root.Lstat(name); err == nil && !info.IsDir() {
			return sys.ENOTDIR
		}
		return f.root.Remove(name)
	})
}

// Unlink implements [sys.FS]. A link is removed itself, never its target.
func (f *FS) Unlink(name string) sys.Errno {
	return f.change(name, f.root.Lstat, func(name string) error {
		if info, err := f.root.Lstat(name); err == nil && info.IsDir() {
			return sys.EISDIR
		}
		return f.root.Remove(name)
	})
}

// Utimens implements [sys.FS].
func (f *FS) Utimens(name string, atim, mtim int64) sys.Errno {
	return f.change(name, f.root.Stat, func(name string) error { return f.chtimes(name, atim, mtim) })
}

// Chmod implements [sys.FS]: permissions are the person's.
func (f *FS) Chmod(string, fs.FileMode) sys.Errno { return f.denied() }

// Link implements [sys.FS]: plugins make no links.
func (f *FS) Link(_, _ string) sys.Errno { return f.denied() }

// Symlink implements [sys.FS]: plugins make no links. One made by a plugin
// would wait for a program that follows it.
func (f *FS) Symlink(_, _ string) sys.Errno { return f.denied() }

func (f *FS) denied() sys.Errno {
	if f.readOnly {
		return sys.EROFS
	}
	return sys.EPERM
}

// change does one change to something inside the folder, never to the folder
// itself. A name with a slash at its end must be a folder's where look finds
// something; nil: the change says so itself.
func (f *FS) change(name string, look func(string) (fs.FileInfo, error), do func(name string) error) sys.Errno {
	if f.readOnly {
		return sys.EROFS
	}
	name, folder := local(name)
	if name == "." {
		return sys.EPERM
	}
	if folder && look != nil {
		if info, err := look(name); err == nil && !info.IsDir() {
			return sys.ENOTDIR
		}
	}
	return errno(do(name))
}
