package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// destroy permanently deletes the file at s, for places without a trash.
func (d *deleter) destroy(ctx context.Context, s *spot, info fs.FileInfo, a arguments) tool.Result {
	var err error
	if d.kind == folderKind && a.recursive {
		err = removeAll(ctx, s.parent, s.name, info)
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

var errMounted = tool.NewError(tool.ExecutionError, "mounted", message.New("files.mounted")).
	WithHint(message.New("files.unmount_first"))

// checkMounts refuses a folder in which something is mounted, which may be of another place
// of the same file system.
func (s *spot) checkMounts() error { return checkMountsBelow(s.real, s.path) }

func checkMountsBelow(real, path string) error {
	below := realpath.ReadMounts().Below(real)
	if len(below) == 0 {
		return nil
	}
	rel, err := filepath.Rel(real, below[0])
	if err != nil {
		return err
	}
	return tool.NewError(tool.ExecutionError, "mounted", message.New("files.mounted_at", "path", path, "mount", filepath.Join(path, rel))).
		WithHint(message.New("files.unmount_first"))
}

// removeAll deletes a folder with its content. It does not delete what is mounted
// in it. It ends soon after ctx does. It deletes links without following them.
func removeAll(ctx context.Context, parent *os.Root, name string, info fs.FileInfo) error {
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
	for {
		entries, err := list.ReadDir(256)
		for _, e := range entries {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := removeEntry(ctx, dir, list, e.Name(), info); err != nil && !errors.Is(err, fs.ErrNotExist) {
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

// removeEntry deletes an entry of a folder, which list is a handle of and above describes.
func removeEntry(ctx context.Context, dir *os.Root, list *os.File, name string, above fs.FileInfo) error {
	info, err := dir.Lstat(name)
	switch {
	case err != nil:
		return err
	case isMounted(list, name, info, above):
		return errMounted
	case !info.IsDir():
		return dir.Remove(name)
	}
	return removeAll(ctx, dir, name, info)
}
