package files

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// hasTrash says that the platform has a trash at all.
const hasTrash = true

// homeTrash is the trash of the person's home; "" where there is no home.
func homeTrash() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".Trash")
}

// bin is the trash of the home: a folder without notes. What is on another
// volume has none here.
type bin struct{ home string }

func (b bin) path() string { return b.home }

// bin finds the trash for what is in s's folder, and false where there is none.
// Nothing is made.
func (o Options) bin(s *spot) (bin, bool) {
	info, err := os.Stat(o.TrashDir)
	if err != nil || !info.IsDir() || unix.Access(o.TrashDir, unix.W_OK|unix.X_OK) != nil {
		return bin{}, false
	}
	own, err := s.dir.Stat()
	return bin{o.TrashDir}, err == nil && device(own) == device(info)
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

// move renames without following anything and without replacing anything: the
// error is [io/fs.ErrExist] where something is at the new place.
func move(from *os.File, name string, to *os.File, newName string) error {
	return unix.RenameatxNp(int(from.Fd()), name, int(to.Fd()), newName, unix.RENAME_EXCL)
}
