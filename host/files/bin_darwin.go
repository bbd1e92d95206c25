package files

import (
	"os"

	"golang.org/x/sys/unix"

	"errand/host/mount"
)

// hasTrash reports whether the platform has a trash.
const hasTrash = true

// bin is the trash in the home folder, which has no notes. Files on other volumes
// have no trash here.
type bin struct{ home string }

func (b bin) path() string { return b.home }

// bin returns the trash for files in s's folder, or false if there is none. It
// creates nothing.
func (o Options) bin(s *spot) (bin, bool) {
	info, err := os.Stat(o.TrashDir)
	if err != nil || !info.IsDir() || unix.Access(o.TrashDir, unix.W_OK|unix.X_OK) != nil {
		return bin{}, false
	}
	own, err := mount.Of(s.dir)
	if err != nil {
		return bin{}, false
	}
	trash, err := mount.At(o.TrashDir)
	return bin{o.TrashDir}, err == nil && trash == own
}

func (b bin) open(bool) (*trash, error) {
	files, err := os.OpenRoot(b.home)
	if err != nil {
		return nil, err
	}
	dir, err := files.Open(".")
	if err != nil {
		files.Close()
		return nil, err
	}
	return &trash{files: files, dir: dir}, nil
}

// move renames without following links or replacing a file. If the new name
// exists, the error is [io/fs.ErrExist].
func move(from *os.File, name string, to *os.File, newName string) error {
	return unix.RenameatxNp(int(from.Fd()), name, int(to.Fd()), newName, unix.RENAME_EXCL)
}

// homeBin returns the trash of the home folder, which may not exist.
func (o Options) homeBin() bin { return bin{o.TrashDir} }
