package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"errand/host/files/inode"
	"errand/host/mount"
)

// hasTrash reports whether the platform has a trash.
const hasTrash = true

// bin is the trash for the files in a folder: the one in the home folder, or the
// one of the folder's file system if that is another one.
type bin struct {
	home string // path of the home trash, or
	top  string // the top folder of the file system and
	sub  string // the trash's path in it
}

func (b bin) path() string {
	if b.home != "" {
		return b.home
	}
	return filepath.Join(b.top, b.sub)
}

// bin returns the trash for files in s's folder, or false if there is none. It
// creates nothing.
func (o Options) bin(s *spot) (bin, bool) {
	own, err := mount.Of(s.dir)
	if err != nil {
		return bin{}, false
	}
	if o.TrashDir != "" {
		near := nearest(o.TrashDir)
		if m, err := mount.At(near); err == nil && m == own {
			return bin{home: o.TrashDir}, writable(near)
		}
	}
	top, err := mount.FindTop(s.dir, filepath.Dir(s.real))
	if err != nil {
		return bin{}, false
	}
	// A shared trash of the administrator must be sticky and not a link.
	if info, err := os.Lstat(filepath.Join(top, ".Trash")); err == nil && info.IsDir() && info.Mode()&fs.ModeSticky != 0 {
		if b := (bin{top: top, sub: filepath.Join(".Trash", uid())}); b.usable(filepath.Join(top, ".Trash")) {
			return b, true
		}
	}
	b := bin{top: top, sub: ".Trash-" + uid()}
	return b, b.usable(top)
}

// usable reports whether a file system's trash belongs to the user or can be
// created.
func (b bin) usable(above string) bool {
	switch info, err := os.Lstat(b.path()); {
	case errors.Is(err, fs.ErrNotExist):
		return writable(above)
	case err != nil:
		return false
	default:
		return info.IsDir() && inode.Owner(info) == os.Getuid() && writable(b.path())
	}
}

// open opens the trash. If it does not exist, create creates it.
func (b bin) open(create bool) (*trash, error) {
	root, err := b.root(create)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	t, err := openFolders(root, create)
	if err == nil {
		t.base = b.top
	}
	return t, err
}

func (b bin) root(create bool) (*os.Root, error) {
	if b.home != "" {
		if create {
			if err := os.MkdirAll(b.home, 0o700); err != nil {
				return nil, err
			}
		}
		return os.OpenRoot(b.home)
	}
	top, err := os.OpenRoot(b.top)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	if create {
		if err := top.Mkdir(b.sub, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	// Others may write to the top folder, so check that the opened trash is the
	// one that was checked and belongs to the user.
	info, err := top.Lstat(b.sub)
	if err != nil {
		return nil, err
	}
	root, err := top.OpenRoot(b.sub)
	if err != nil {
		return nil, err
	}
	if now, err := root.Lstat("."); err != nil || !os.SameFile(now, info) || !info.IsDir() || inode.Owner(info) != os.Getuid() {
		root.Close()
		return nil, fs.ErrPermission
	}
	return root, nil
}

// nearest returns p or the nearest parent that exists.
func nearest(p string) string {
	for {
		if _, err := os.Stat(p); err == nil || p == filepath.Dir(p) {
			return p
		}
		p = filepath.Dir(p)
	}
}

func writable(folder string) bool {
	return unix.Faccessat(unix.AT_FDCWD, folder, unix.W_OK|unix.X_OK, unix.AT_EACCESS) == nil
}

// homeBin returns the trash of the home folder, which may not exist.
func (o Options) homeBin() bin { return bin{home: o.TrashDir} }
