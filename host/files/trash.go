package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"errand/host/tool"
)

// trash is an open trash. Two programs may use it at once: the note of a thing
// is what reserves its name.
type trash struct {
	files *os.Root // what was deleted
	dir   *os.File // the same folder, for calls that take its handle
	info  *os.Root // the notes; nil where the platform keeps none
	base  string   // what the paths in notes are relative to; "" where they are absolute
}

func (t *trash) close() {
	t.files.Close()
	t.dir.Close()
	if t.info != nil {
		t.info.Close()
	}
}

// inside opens files and info in a trash that is laid out as freedesktop.org
// has it, making them where that is asked for.
func inside(root *os.Root, create bool) (*trash, error) {
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

// maxTries bounds the names that are tried for one thing.
const maxTries = 1000

// put moves what is at s into the trash and answers its name there. The note is
// written and on the disk first.
func (t *trash) put(s *spot, key string, now time.Time) (string, error) {
	n := note{path: s.real, deleted: now, key: key}
	if t.base != "" {
		rel, err := filepath.Rel(t.base, s.real)
		if err != nil || !filepath.IsLocal(rel) {
			return "", tool.Errorf(tool.ExecutionError, "path_changed", "%s is not below %s any more", s.path, t.base)
		}
		n.path = rel
	}
	for i := 1; i <= maxTries; i++ {
		number := i
		if i > maxTries/2 { // a trash that was never emptied: leave the queue
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
		if !errors.Is(err, fs.ErrExist) { // else something without a note has the name
			return "", err
		}
	}
	return "", fs.ErrExist
}

// write reserves a name with its note, and answers [fs.ErrExist] where it is
// taken. Where no notes are kept the move itself finds that out.
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
		_ = t.info.Remove(name + infoSuffix) // one that stays behind is a note of nothing
	}
}

// take moves name out of the trash to s. The error is [fs.ErrExist] where
// something is at s.
func (t *trash) take(name string, s *spot) error {
	if err := move(t.dir, name, s.dir, s.name); err != nil {
		return err
	}
	sync(s.dir, t.dir)
	t.forget(name)
	return nil
}

// note reads what is known of name.
func (t *trash) note(name string) (note, error) {
	f, err := t.info.OpenFile(name+infoSuffix, os.O_RDONLY|nonblock, 0)
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

// origin is where a note says that a thing was.
func (t *trash) origin(n note) string {
	if t.base != "" && !filepath.IsAbs(n.path) {
		return filepath.Join(t.base, n.path)
	}
	return n.path
}

// maxNotes bounds the notes that are read to find a call's.
const maxNotes = 20_000

// of finds what the call with a key put into the trash; nil where there is
// nothing.
func (t *trash) of(key string) (name string, info fs.FileInfo) {
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

// sync asks that a move outlast a failure of power. A file system that can't
// promise it is no reason to fail.
func sync(folders ...*os.File) {
	for _, f := range folders {
		_ = f.Sync()
	}
}

// uid is the user's id as the names of trashes have it.
func uid() string { return strconv.Itoa(os.Getuid()) }
