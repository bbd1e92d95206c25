package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// trash is an open trash. Several programs may use it at once: creating a file's
// note reserves its name.
type trash struct {
	files *os.Root // deleted files
	dir   *os.File // the same folder, for calls that need a handle
	info  *os.Root // notes; nil if the platform has none
	base  string   // base of relative paths in notes; "" if they are absolute
}

func (t *trash) close() {
	t.files.Close()
	t.dir.Close()
	if t.info != nil {
		t.info.Close()
	}
}

// openFolders opens the folders files and info of a trash in the freedesktop.org
// format. With create, it creates missing ones.
func openFolders(root *os.Root, create bool) (*trash, error) {
	if create {
		for _, name := range []string{"files", "info"} {
			if err := root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
		}
	}
	t := &trash{}
	var err error
	if t.files, err = root.OpenRoot("files"); err != nil {
		return nil, err
	}
	if t.info, err = root.OpenRoot("info"); err != nil {
		t.files.Close()
		return nil, err
	}
	if t.dir, err = t.files.Open("."); err != nil {
		t.files.Close()
		t.info.Close()
		return nil, err
	}
	return t, nil
}

const infoSuffix = ".trashinfo"

// maxTries limits the names that are tried for one file.
const maxTries = 1000

// put moves the file at s to the trash and returns its name there. It first writes
// the note to disk.
func (t *trash) put(s *spot, key string, now time.Time) (string, error) {
	n := note{path: s.real, deleted: now, key: key}
	if t.base != "" {
		rel, err := filepath.Rel(t.base, s.real)
		if err != nil || !filepath.IsLocal(rel) {
			return "", tool.NewError(tool.ExecutionError, "path_changed", message.New("files.left_trash_volume", "path", s.path, "base", t.base))
		}
		n.path = rel
	}
	for i := 1; i <= maxTries; i++ {
		number := i
		if i > maxTries/2 { // a very full trash: take a number from the clock
			number = int(now.UnixNano()&0xffffffff) + i
		}
		name := nameInTrash(s.name, number, infoSuffix)
		switch err := t.write(name, n); {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", err
		}
		err := move(s.dir, s.name, t.dir, name)
		if err == nil {
			sync(s.dir, t.dir)
			return name, nil
		}
		t.forget(name)
		if !errors.Is(err, fs.ErrExist) { // else a file without a note has the name
			return "", err
		}
	}
	return "", fs.ErrExist
}

// write writes a note to reserve a name. If the name is taken, the error is
// [fs.ErrExist]. If there are no notes, the move itself detects that.
func (t *trash) write(name string, n note) error {
	if t.info == nil {
		return nil
	}
	f, err := t.info.OpenFile(name+infoSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(n.encode())
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		t.forget(name)
	}
	return err
}

func (t *trash) forget(name string) {
	if t.info != nil {
		_ = t.info.Remove(name + infoSuffix) // a note without a file is harmless
	}
}

// take moves name from the trash to s. If a file is at s, the error is
// [fs.ErrExist].
func (t *trash) take(name string, s *spot) error {
	if err := move(t.dir, name, s.dir, s.name); err != nil {
		return err
	}
	sync(s.dir, t.dir)
	t.forget(name)
	return nil
}

// note reads the note of name.
func (t *trash) note(name string) (note, error) {
	f, err := t.info.OpenFile(name+infoSuffix, os.O_RDONLY|realpath.NonBlock, 0)
	if err != nil {
		return note{}, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxNote))
	if err != nil {
		return note{}, err
	}
	return decodeNote(b)
}

// origin returns the original path in a note.
func (t *trash) origin(n note) string {
	if t.base != "" && !filepath.IsAbs(n.path) {
		return filepath.Join(t.base, n.path)
	}
	return n.path
}

// maxNotes limits the notes that are searched for a call.
const maxNotes = 20_000

// findByKey returns the file that the call with a key moved to the trash, or nil.
func (t *trash) findByKey(key string) (name string, info fs.FileInfo) {
	if t.info == nil || key == "" {
		return "", nil
	}
	d, err := t.info.Open(".")
	if err != nil {
		return "", nil
	}
	defer d.Close()
	entries, _ := d.ReadDir(maxNotes)
	for _, e := range entries {
		name, ok := cutSuffix(e.Name())
		if !ok {
			continue
		}
		if n, err := t.note(name); err != nil || n.key != key {
			continue
		}
		if info, err := t.files.Lstat(name); err == nil {
			return name, info
		}
	}
	return "", nil
}

func cutSuffix(name string) (string, bool) {
	stem := name[:max(0, len(name)-len(infoSuffix))]
	return stem, stem != "" && name == stem+infoSuffix
}

// sync makes a move survive a power failure. It ignores errors, because some file
// systems can't.
func sync(folders ...*os.File) {
	for _, f := range folders {
		_ = f.Sync()
	}
}

// uid returns the user id for the name of a trash.
func uid() string { return strconv.Itoa(os.Getuid()) }
