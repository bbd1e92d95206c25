package install

import (
	"errors"
	"io/fs"
	"os"

	"errand/planner/message"
)

// errLeadsOut is the error for a link that leads out of a plugin's folder. Its
// text is for the plugin's author.
var errLeadsOut = message.Error("install.link_leads_out")

// Folder returns a plugin's folder as a file system without links that lead out of
// it. It opens each file when needed and keeps nothing open.
func Folder(dir string) fs.FS { return folder(dir) }

type folder string

// Open implements [fs.FS].
func (f folder) Open(name string) (fs.File, error) {
	var file *os.File
	err := f.resolve("open", name, func(r *os.Root) (err error) {
		file, err = r.Open(name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Stat implements [fs.StatFS], because opening a pipe would block.
func (f folder) Stat(name string) (info fs.FileInfo, err error) {
	err = f.resolve("stat", name, func(r *os.Root) (err error) {
		info, err = r.Stat(name)
		return err
	})
	return info, err
}

func (f folder) resolve(op, name string, do func(*os.Root) error) error {
	if !fs.ValidPath(name) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	r, err := os.OpenRoot(string(f))
	if err != nil {
		return err
	}
	defer r.Close()
	if err = do(r); err != nil && !errors.Is(err, fs.ErrNotExist) && isLink(r, name) {
		return &fs.PathError{Op: op, Path: name, Err: errLeadsOut}
	}
	return err
}

func isLink(r *os.Root, name string) bool {
	info, err := r.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
