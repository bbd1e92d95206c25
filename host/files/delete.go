package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// deleter implements files.delete_folder and files.delete_file.
type deleter struct {
	Options
	kind kind
	spec tool.Spec
}

var (
	_ tool.Forecaster = (*deleter)(nil)
	_ tool.Reconciler = (*deleter)(nil)
	_ tool.Pinner     = (*deleter)(nil)
)

func (d *deleter) Spec() tool.Spec { return d.spec }

func (d *deleter) read(args map[string]any) (arguments, *tool.Error) {
	if d.kind == folderKind {
		return readArgs(d.spec.Name, args, "path", "recursive", "made", "if_unchanged")
	}
	return readArgs(d.spec.Name, args, "path", "made", "if_unchanged")
}

// Call implements [tool.Tool]. Deleting a missing file succeeds. If the trash
// fails, nothing is deleted, because permanent deletion was not approved.
func (d *deleter) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	a, s, err := d.openArgs(ctx, call, d.read)
	switch {
	case errors.Is(err, errAbsent):
		return d.absentResult(a.path), nil
	case err != nil:
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	defer s.close()
	info, err := d.check(ctx, s, a)
	switch {
	case errors.Is(err, errAbsent):
		return deletedResult(s.path, false), nil
	case err != nil:
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	r := d.remove(ctx, s, info, a, call)
	if r.OK {
		d.dropFolders(s, a.createdPath)
	}
	return r, nil
}

// remove moves the file at s to the trash, or deletes it where there is none.
func (d *deleter) remove(ctx context.Context, s *spot, info fs.FileInfo, a arguments, call tool.Call) tool.Result {
	if b, ok := d.bin(s); ok {
		return d.discard(ctx, s, info, a, b, call)
	}
	if err := checkApproved(ctx, call, s.parent, s.name, filepath.Clean(a.path), info); err != nil {
		return tool.Result{Error: tool.AsError(err)}
	}
	return d.destroy(ctx, s, info, a)
}

// absentResult returns the result for a path whose folder does not exist.
func (d *deleter) absentResult(p string) tool.Result {
	root, rel, fail := d.place(p)
	if fail != nil {
		return tool.Result{Error: fail}
	}
	return deletedResult(filepath.Join(root, rel), false)
}

func deletedResult(p string, now bool) tool.Result {
	r := tool.OK(map[string]any{"path": p, "deleted": now})
	r.Facts = []string{"!exists:" + p}
	return r
}

// check returns the info of the file at s if it may be deleted. The error is
// [errAbsent] or a *tool.Error.
func (d *deleter) check(ctx context.Context, s *spot, a arguments) (fs.FileInfo, error) {
	info, err := s.lstat()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, errAbsent
	case err != nil:
		return nil, operationError("look_at", s.path, err)
	}
	if fail := d.checkKind(info, s.path); fail != nil {
		return nil, fail
	}
	if a.unchanged != nil {
		if err := a.unchanged.checkFile(ctx, s.parent, s.name, info); err != nil {
			return nil, changedError(s.path, err)
		}
	}
	if err := d.emptyEnough(s.parent, s.name, s.path, a); err != nil {
		return nil, err
	}
	if err := checkMounts(s.real); err != nil {
		return nil, err
	}
	return info, nil
}

// checkKind returns the error for a file of the other kind than the call deletes.
func (d *deleter) checkKind(info fs.FileInfo, p string) *tool.Error {
	switch {
	case kindOf(info) == d.kind:
		return nil
	case d.kind == folderKind:
		return tool.NewError(tool.ExecutionError, "not_a_folder", message.New("files.not_a_folder", "path", p)).WithAlternative(message.New("files.delete_as_file"))
	}
	return tool.NewError(tool.ExecutionError, "not_a_file", message.New("files.not_a_file", "path", p)).WithAlternative(message.New("files.delete_as_folder"))
}

// maxEntries limits the entries that are counted in a folder for a message.
const maxEntries = 10_000

// emptyEnough returns folder_not_empty for a folder with content, unless the call
// deletes content too.
func (d *deleter) emptyEnough(dir *os.Root, name, p string, a arguments) error {
	if d.kind != folderKind || a.recursive {
		return nil
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|realpath.NonBlock, 0)
	if err != nil {
		return operationError("look_into", p, err)
	}
	defer f.Close()
	entries, err := f.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return operationError("look_into", p, err)
	}
	if len(entries) > 0 {
		return tool.NewError(tool.ExecutionError, "folder_not_empty", message.New("files.folder_not_empty", "path", p, "count", len(entries))).
			WithHint(message.New("files.delete_content_first"))
	}
	return nil
}

// discard moves the file at s to the trash.
func (d *deleter) discard(ctx context.Context, s *spot, info fs.FileInfo, a arguments, b bin, call tool.Call) tool.Result {
	if isWithin(b.path(), s.real) {
		return tool.Result{Error: tool.NewError(tool.ExecutionError, "in_trash", message.New("files.in_trash", "path", s.path)).
			WithAlternative(message.New("files.empty_trash"))}
	}
	t, err := b.open(true)
	if err != nil {
		return tool.Result{Error: trashError(s.path, b, err)}
	}
	defer t.close()
	name, err := t.put(s, call.Key, d.Now())
	if err != nil {
		if _, now := s.lstat(); errors.Is(now, fs.ErrNotExist) {
			return deletedResult(s.path, false) // another program deleted it
		}
		return tool.Result{Error: trashError(s.path, b, err)}
	}
	now, err := t.files.Lstat(name)
	if err == nil {
		err = d.checkMoved(t, name, s.path, info, now, a)
	}
	if err == nil {
		err = checkApproved(ctx, call, t.files, name, filepath.Clean(a.path), now)
	}
	if err != nil {
		if _, now := t.files.Lstat(name); errors.Is(now, fs.ErrNotExist) {
			return deletedResult(s.path, true) // the trash was emptied in the meantime
		}
		return tool.Result{Error: t.moveBack(name, s, b, tool.AsError(err))}
	}
	r := deletedResult(s.path, true)
	r.Payload.(map[string]any)["trash"] = b.path()
	r.Undo = t.inverse(name, s.path, a.createdPath, now)
	return r
}

// checkMoved compares the moved file with the one that was checked. No program can find
// it by its old path any more, so it has not changed since the move.
func (d *deleter) checkMoved(t *trash, name, p string, before, now fs.FileInfo, a arguments) error {
	if !os.SameFile(before, now) || kindOf(now) != d.kind ||
		a.unchanged != nil && d.kind == fileKind && stateOf(before) != stateOf(now) {
		return changedError(p, errChanged)
	}
	return d.emptyEnough(t.files, name, p, a)
}

// checkApproved compares a file's content with what the user approved. A link is compared
// by the check right before the call.
func checkApproved(ctx context.Context, call tool.Call, dir *os.Root, name, p string, now fs.FileInfo) error {
	approved, ok := call.File(p)
	if !ok || approved.SHA256 == "" || !now.Mode().IsRegular() {
		return nil
	}
	sum, err := hashOf(ctx, dir, name, now)
	if err == nil && sum != approved.SHA256 {
		err = errChanged
	}
	if err != nil {
		return changedError(p, err)
	}
	return nil
}

// moveBack restores a file that should not have been moved and returns why.
func (t *trash) moveBack(name string, s *spot, b bin, why *tool.Error) *tool.Error {
	if err := t.take(name, s); err != nil {
		return why.WithHint(message.New("files.left_in_trash", "trash", b.path(), "name", name, "cause", err))
	}
	return why
}

// inverse returns the call that restores a file or folder to p.
func (t *trash) inverse(name, p, made string, now fs.FileInfo) *tool.Inverse {
	args := map[string]any{"trashed": name, "path": p, "if_unchanged": stateOf(now).String()}
	if made != "" {
		args["made"] = made
	}
	if now.IsDir() && !empty(t.files, name) {
		args["recursive"] = true
	}
	return &tool.Inverse{Tool: RestoreName, Args: args}
}

// trashError returns the error for a file that could not be moved to the trash.
func trashError(p string, b bin, err error) *tool.Error {
	var typed *tool.Error
	if errors.As(err, &typed) {
		return typed
	}
	e := operationError("move", p, err)
	switch {
	case errors.Is(err, syscall.EBUSY), errors.Is(err, syscall.EXDEV):
		e.Code, e.Message = "trash_failed", message.New("files.trash_on_other_device", "path", p, "trash", b.path())
	case errors.Is(err, syscall.EINVAL):
		e.Code, e.Message = "holds_trash", message.New("files.contains_trash", "path", p, "trash", b.path())
	case e.Code == "failed":
		e.Code, e.Message = "trash_failed", message.New("files.trash_failed", "path", p, "trash", b.path(), "cause", err)
	}
	return e.WithHint(message.New("files.trash_failed_hint"))
}

// isWithin reports whether p is a folder or is below it.
func isWithin(folder, p string) bool {
	for _, f := range spellings(folder) {
		if realpath.Contains(f, p) {
			return true
		}
	}
	return false
}
