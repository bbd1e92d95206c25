package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"errand/host/mount"
	"errand/host/tool"
	"errand/planner/message"
)

// destroy permanently deletes the file at s, for places without a trash.
func (d *deleter) destroy(ctx context.Context, s *spot, info fs.FileInfo, a arguments) tool.Result {
	var err error
	if d.kind == folderKind && a.recursive {
		err = removeFolder(ctx, s, info)
	} else if err = checkSame(s.parent, s.name, info); err == nil {
		err = s.parent.Remove(s.name) // removes only an empty folder
	}
	switch {
	case err == nil:
		return deletedResult(s.path, true)
	case errors.Is(err, fs.ErrNotExist):
		return deletedResult(s.path, false)
	case errors.Is(err, errChanged):
		return tool.Result{Error: changedError(s.path, err)}
	case errors.Is(err, errMounted):
		return tool.Result{Error: mountedError(s.path), Partial: true}
	case ctx.Err() != nil:
		e := tool.AsError(ctx.Err())
		e.Message = message.New("files.delete_interrupted", "path", s.path)
		return tool.Result{Error: e, Partial: true}
	}
	return tool.Result{Error: operationError("delete", s.path, err), Partial: d.kind == folderKind && a.recursive}
}

// checkSame returns [errChanged] if name is not the file that info describes.
func checkSame(dir *os.Root, name string, info fs.FileInfo) error {
	now, err := dir.Lstat(name)
	if err == nil && !os.SameFile(now, info) {
		return errChanged
	}
	return err
}

// removeFolder deletes the folder at s with its content.
func removeFolder(ctx context.Context, s *spot, info fs.FileInfo) error {
	own, err := mount.Of(s.dir)
	if err != nil {
		return err
	}
	return removeAll(ctx, s.parent, s.name, info, own)
}

// removeAll deletes a folder with its content. Everything must be on the mount own: at
// another one it stops with [errMounted]. It ends soon after ctx does. It deletes links
// without following them.
func removeAll(ctx context.Context, parent *os.Root, name string, info fs.FileInfo, own mount.ID) error {
	dir, err := parent.OpenRoot(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	if now, err := dir.Lstat("."); err != nil || !os.SameFile(now, info) {
		return errChanged // replaced, maybe by a link
	}
	list, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer list.Close()
	if err := checkMount(list, own); err != nil {
		return err
	}
	for {
		entries, err := list.ReadDir(256)
		for _, e := range entries {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := removeEntry(ctx, dir, e.Name(), own); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return parent.Remove(name)
		}
		if err != nil {
			return err
		}
	}
}

func removeEntry(ctx context.Context, dir *os.Root, name string, own mount.ID) error {
	info, err := dir.Lstat(name)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return removeAll(ctx, dir, name, info, own)
	}
	err = dir.Remove(name)
	if errors.Is(err, syscall.EBUSY) { // another file is mounted on this one
		return errMounted
	}
	return err
}
