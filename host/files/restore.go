package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// restorer implements files.restore.
type restorer struct {
	Options
	spec tool.Spec
}

var (
	_ tool.Forecaster = (*restorer)(nil)
	_ tool.Reconciler = (*restorer)(nil)
)

func (r *restorer) Spec() tool.Spec { return r.spec }

func (r *restorer) read(args map[string]any) (arguments, *tool.Error) {
	a, fail := readArgs(RestoreName, args, "path", "made", "trashed", "recursive", "if_unchanged")
	if fail != nil {
		return a, fail
	}
	if a.trashed == "" || a.trashed == "." || a.trashed == ".." || a.trashed != filepath.Base(a.trashed) || strings.ContainsAny(a.trashed, "/\x00") {
		return a, tool.NewError(tool.ValidationError, "bad_args", message.New("files.bad_trash_name", "tool", RestoreName, "name", a.trashed))
	}
	return a, nil
}

// Call implements [tool.Tool]. It restores a file only to its original place and
// never replaces another one.
func (r *restorer) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	a, s, err := r.openArgs(ctx, call, r.read)
	if errors.Is(err, errAbsent) && a.createdPath != "" {
		if err = r.makeFolders(call, a); err == nil {
			s, err = r.open(call, a.path)
		}
	}
	switch {
	case errors.Is(err, errAbsent):
		return tool.Result{Error: noFolderError(a.path)}, nil
	case err != nil:
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	defer s.close()
	t, info, err := r.find(ctx, s, a)
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	defer t.close()
	if _, err := s.lstat(); err == nil {
		return tool.Result{Error: blockedError(s)}, nil
	}
	switch err := t.take(a.trashed, s); {
	case errors.Is(err, fs.ErrExist):
		return tool.Result{Error: blockedError(s)}, nil
	case errors.Is(err, fs.ErrNotExist):
		return tool.Result{Error: notInTrashError(a)}, nil
	case err != nil:
		return tool.Result{Error: operationError("restore", s.path, err)}, nil
	}
	return restoredResult(s, a.createdPath, info), nil
}

// fullFolderStays is why some results have no undo.
var fullFolderStays = message.New("files.full_folder_stays")

// restoredResult returns the result for a restored file. A folder with content has no
// undo, because its content may change until then.
func restoredResult(s *spot, made string, info fs.FileInfo) tool.Result {
	payload := map[string]any{"path": s.path, "restored": true}
	r := tool.OK(payload)
	r.Facts = []string{"exists:" + s.path}
	switch {
	case !info.IsDir():
		r.Undo = &tool.Inverse{Tool: DeleteFileName, Args: map[string]any{"path": s.path, "if_unchanged": stateOf(info).String()}}
	case empty(s.parent, s.name):
		r.Undo = &tool.Inverse{Tool: DeleteFolderName, Args: map[string]any{"path": s.path, "if_unchanged": stateOf(info).String()}}
	default:
		payload["irreversible"] = fullFolderStays.PlainValue()
	}
	if r.Undo != nil && made != "" {
		r.Undo.Args["made"] = made
	}
	return r
}

// empty reports whether a folder could be read and has no entries.
func empty(dir *os.Root, name string) bool {
	f, err := dir.OpenFile(name, os.O_RDONLY|realpath.NonBlock, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.ReadDir(1)
	return errors.Is(err, io.EOF)
}

// Forecast implements [tool.Forecaster]. A problem that an earlier action of the
// plan may still solve, such as a file in the way, is a note, not an error.
func (r *restorer) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	a, fail := r.read(call.Args)
	if fail != nil {
		return tool.Forecast{}, fail
	}
	if _, _, fail := r.place(a.path); fail != nil {
		return tool.Forecast{}, fail
	}
	s, err := r.open(call, a.path)
	switch {
	case errors.Is(err, errAbsent):
		f := tool.Forecast{Note: message.New("files.no_folder_now")}
		if a.createdPath == "" { // else the call creates it again
			f.Problem = noFolderError(a.path)
		}
		return f, nil
	case err != nil:
		return tool.Forecast{}, err
	}
	defer s.close()
	t, info, err := r.find(ctx, s, a)
	if err != nil { // it changes nothing
		return tool.Forecast{Reversible: true, Note: tool.AsError(err).Message, Problem: tool.AsError(err), Unsolvable: true}, nil
	}
	defer t.close()
	f := tool.Forecast{Reversible: true, Adds: true}
	if info.IsDir() && !empty(t.files, a.trashed) {
		f = tool.Forecast{Adds: true, Note: message.New("files.restores_contents")}
	}
	if _, err := s.lstat(); err == nil {
		f.Note, f.Problem = message.New("files.other_file_there"), blockedError(s)
	}
	return f, nil
}

// find opens the trash that contains the file and checks that it is the one
// deleted from the path. The caller must close the trash.
func (r *restorer) find(ctx context.Context, s *spot, a arguments) (*trash, fs.FileInfo, error) {
	b, ok := r.bin(s)
	if !ok {
		return nil, nil, notInTrashError(a)
	}
	t, err := b.open(false)
	if err != nil {
		return nil, nil, notInTrashError(a)
	}
	info, err := r.check(ctx, t, b, s, a)
	if err != nil {
		t.close()
		return nil, nil, err
	}
	return t, info, nil
}

func (r *restorer) check(ctx context.Context, t *trash, b bin, s *spot, a arguments) (fs.FileInfo, error) {
	info, err := t.files.Lstat(a.trashed)
	if err != nil {
		return nil, notInTrashError(a)
	}
	if t.info == nil && a.unchanged == nil {
		// Without notes, a call could restore anything that was ever deleted.
		return nil, tool.NewError(tool.ValidationError, "bad_args", message.New("files.needs_if_unchanged", "tool", RestoreName))
	}
	if t.info != nil {
		if n, err := t.note(a.trashed); err != nil || t.origin(n) != s.real {
			return nil, tool.NewError(tool.ExecutionError, "trash_changed", message.New("files.trashed_elsewhere", "name", a.trashed, "trash", b.path(), "path", s.path)).
				WithAlternative(message.New("files.restore_in_file_manager"))
		}
	}
	if a.unchanged != nil {
		switch err := a.unchanged.checkFile(ctx, t.files, a.trashed, info); {
		case errors.Is(err, errChanged):
			return nil, tool.NewError(tool.ExecutionError, "trash_changed", message.New("files.trashed_changed", "name", a.trashed, "trash", b.path())).
				WithAlternative(message.New("files.restore_in_file_manager"))
		case err != nil:
			return nil, operationError("look_at", a.trashed, err)
		}
	}
	if info.IsDir() && !a.recursive && !empty(t.files, a.trashed) { // policy decided about the folder alone
		return nil, tool.NewError(tool.ExecutionError, "folder_not_empty", message.New("files.trashed_not_empty", "name", a.trashed, "trash", b.path())).
			WithAlternative(message.New("files.restore_in_file_manager"))
	}
	return info, nil
}

func noFolderError(p string) *tool.Error {
	return tool.NewError(tool.ExecutionError, "no_folder", message.New("files.no_folder", "path", p)).
		WithHint(message.New("files.restore_folder_first"))
}

func notInTrashError(a arguments) *tool.Error {
	return tool.NewError(tool.ExecutionError, "not_in_trash", message.New("files.not_in_trash", "name", a.trashed)).
		WithAlternative(message.New("files.restored_or_gone"))
}

func blockedError(s *spot) *tool.Error {
	code, what := "file_in_the_way", fileKind
	if info, err := s.lstat(); err == nil && info.IsDir() {
		code, what = "folder_in_the_way", folderKind
	}
	return tool.NewError(tool.ExecutionError, code, message.New("files.restore_blocked", "path", s.path, "kind", what)).
		WithHint(message.New("files.move_other_first"))
}
