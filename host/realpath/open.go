package realpath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"errand/planner/message"
)

// ErrLink is the error for a path that contains a link, or whose folder was replaced while
// it was opened.
var ErrLink = message.Error("realpath.link")

// Open opens a folder inside the granted folders roots. It must have no link in its path, as
// [Resolve] returns it: else the error is [ErrLink]. The caller closes the folder.
func Open(roots []string, folder string) (*os.Root, error) {
	return open(roots, folder, OpenFolder)
}

// Make is [Open], and creates the folder with those above it, as far as they are missing.
func Make(roots []string, folder string, perm fs.FileMode) (*os.Root, error) {
	if _, _, exists := Outermost(roots, folder); !exists { // so no granted folder is above it
		for _, r := range roots {
			if real, _ := Resolve(r); Contains(real, folder) {
				if err := os.MkdirAll(real, perm); err != nil {
					return nil, err
				}
			}
		}
	}
	return open(roots, folder, func(top *os.Root, rel string) (*os.Root, error) { return MakeFolder(top, rel, perm) })
}

func open(roots []string, folder string, how func(*os.Root, string) (*os.Root, error)) (*os.Root, error) {
	root, rel, ok := Outermost(roots, folder)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: folder, Err: fs.ErrPermission}
	}
	top, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	return how(top, rel)
}

// Contains reports whether a path is a folder or is in it, by their texts.
func Contains(folder, path string) bool {
	folder, path = filepath.Clean(folder), filepath.Clean(path)
	if filepath.Separator == '/' && filepath.IsAbs(folder) && filepath.IsAbs(path) { // without allocation
		rest, ok := strings.CutPrefix(path, folder)
		return ok && (rest == "" || rest[0] == '/' || folder == "/")
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// OpenFolder opens the folder at a local path in top. Unlike [os.Root.OpenRoot] it follows
// no link, wherever that leads: the error is [ErrLink]. The caller closes the folder.
func OpenFolder(top *os.Root, rel string) (*os.Root, error) {
	return walk(top, rel, func(*os.Root, string) error { return fs.ErrNotExist })
}

// MakeFolder is [OpenFolder], and creates the folders that are missing.
func MakeFolder(top *os.Root, rel string, perm fs.FileMode) (*os.Root, error) {
	return walk(top, rel, func(dir *os.Root, name string) error {
		if err := dir.Mkdir(name, perm); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		return nil
	})
}

func walk(top *os.Root, rel string, missing func(dir *os.Root, name string) error) (*os.Root, error) {
	dir, err := top.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(filepath.ToSlash(filepath.Clean(rel)), "/") {
		if part == "." {
			continue
		}
		next, err := enter(dir, part)
		if errors.Is(err, fs.ErrNotExist) {
			if missed := missing(dir, part); missed == nil {
				next, err = enter(dir, part)
			} else if !errors.Is(missed, fs.ErrNotExist) {
				err = missed
			}
		}
		dir.Close()
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

// enter opens a folder in dir. The opened folder is the one that had the name, not the
// target of a link that has replaced it since.
func enter(dir *os.Root, name string) (*os.Root, error) {
	info, err := lstat(dir, name)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOTDIR}
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if now, err := next.Stat("."); err != nil || !os.SameFile(now, info) {
		next.Close()
		return nil, ErrLink
	}
	return next, nil
}

// lstat returns the info of what has a name in dir. A link is an error.
func lstat(dir *os.Root, name string) (fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, ErrLink
	}
	return info, err
}

// maxTries limits how often [OpenFile] looks again at a name that comes and goes.
const maxTries = 100

// OpenFile opens the file with a name in dir, like [os.Root.OpenFile], and follows no link:
// the error is [ErrLink]. It changes nothing at the target of one.
func OpenFile(dir *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	for range maxTries {
		info, err := lstat(dir, name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0:
			f, err := dir.OpenFile(name, flag|os.O_EXCL, perm) // never follows a link
			if flag&os.O_EXCL == 0 && errors.Is(err, fs.ErrExist) {
				continue // it has just appeared
			}
			return f, err
		case err != nil:
			return nil, err
		case flag&(os.O_CREATE|os.O_EXCL) == os.O_CREATE|os.O_EXCL:
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
		}
		f, err := dir.OpenFile(name, flag&^(os.O_CREATE|os.O_TRUNC), perm)
		if err != nil {
			return nil, err
		}
		if now, err := f.Stat(); err != nil || !os.SameFile(now, info) {
			f.Close()
			return nil, ErrLink
		}
		if flag&os.O_TRUNC != 0 {
			if err := f.Truncate(0); err != nil {
				f.Close()
				return nil, err
			}
		}
		return f, nil
	}
	return nil, ErrLink
}
