package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// hasTrash says that the platform has a trash at all.
const hasTrash = true

// homeTrash is the trash of the person's home; "" where there is no home.
func homeTrash() string {
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "Trash")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share", "Trash")
}

// bin is the trash for what is in one folder: that of the home, or that of the
// file system where the folder is on another one.
type bin struct {
	home string // path of the home's, or
	top  string // the topmost folder of the file system, and
	sub  string // the trash in it
}

func (b bin) path() string {
	if b.home != "" {
		return b.home
	}
	return filepath.Join(b.top, b.sub)
}

// bin finds the trash for what is in s's folder, and false where there is none.
// Nothing is made.
func (o Options) bin(s *spot) (bin, bool) {
	own, err := mountOf(int(s.dir.Fd()))
	if err != nil {
		return bin{}, false
	}
	if o.TrashDir != "" {
		near := nearest(o.TrashDir)
		if m, err := mountAt(near); err == nil && m == own {
			return bin{home: o.TrashDir}, writable(near)
		}
	}
	top, err := topOf(s, own)
	if err != nil {
		return bin{}, false
	}
	// An administrator's: shared, so it must be sticky and no link.
	if info, err := os.Lstat(filepath.Join(top, ".Trash")); err == nil && info.IsDir() && info.Mode()&fs.ModeSticky != 0 {
		if b := (bin{top: top, sub: filepath.Join(".Trash", uid())}); b.usable(filepath.Join(top, ".Trash")) {
			return b, true
		}
	}
	b := bin{top: top, sub: ".Trash-" + uid()}
	return b, b.usable(top)
}

// usable reports whether a file system's trash is there and the user's own, or
// can be made.
func (b bin) usable(above string) bool {
	switch info, err := os.Lstat(b.path()); {
	case errors.Is(err, fs.ErrNotExist):
		return writable(above)
	case err != nil:
		return false
	default:
		return info.IsDir() && owner(info) == os.Getuid() && writable(b.path())
	}
}

// open opens the trash, which is made if it is not there yet and create says
// so.
func (b bin) open(create bool) (*trash, error) {
	root, err := b.root(create)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	t, err := inside(root, create)
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
	// Others may write in the topmost folder: what is opened must be what was
	// looked at, and the user's.
	info, err := top.Lstat(b.sub)
	if err != nil {
		return nil, err
	}
	root, err := top.OpenRoot(b.sub)
	if err != nil {
		return nil, err
	}
	if now, err := root.Lstat("."); err != nil || !os.SameFile(now, info) || !info.IsDir() || owner(info) != os.Getuid() {
		root.Close()
		return nil, fs.ErrPermission
	}
	return root, nil
}

// nearest is p, or the nearest folder above it that is there.
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
