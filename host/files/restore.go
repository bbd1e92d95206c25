package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
	a, fail := readArgs(RestoreName, args, "path", "trashed", "if_unchanged")
	if fail != nil {
		return a, fail
	}
	if a.trashed == "" || a.trashed == "." || a.trashed == ".." || a.trashed != filepath.Base(a.trashed) || strings.ContainsAny(a.trashed, "/\x00") {
		return a, tool.NewError(tool.ValidationError, "bad_args", message.New("files.trashed_is_not_name", "restore_name", RestoreName, "trashed", a.trashed))
	}
	return a, nil
}

// Call implements [tool.Tool]. It restores a file only to its original place and
// never replaces another one.
func (r *restorer) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	if err := ctx.Err(); err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	a, fail := r.read(call.Args)
	if fail != nil {
		return tool.Result{Error: fail}, nil
	}
	s, err := r.open(a.path)
	switch {
	case errors.Is(err, errAbsent):
		return tool.Result{Error: tool.NewError(tool.ExecutionError, "no_folder", message.New("files.no_folder", "path", a.path)).
			WithHint(message.New("files.restore_or_create_folder"))}, nil
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
		return tool.Result{Error: occupied(s)}, nil
	}
	switch err := t.take(a.trashed, s); {
	case errors.Is(err, fs.ErrExist):
		return tool.Result{Error: occupied(s)}, nil
	case errors.Is(err, fs.ErrNotExist):
		return tool.Result{Error: missing(a)}, nil
	case err != nil:
		return tool.Result{Error: refused("restore", s.path, err)}, nil
	}
	return restored(s, info), nil
}

// staysRestored is why some results have no undo.
const staysRestored = "a folder that is not empty is not deleted again by an undo: what is in it may have changed since"

// restored returns the result for a restored file. A folder with content has no
// undo, because its content may change until then.
func restored(s *spot, info fs.FileInfo) tool.Result {
	payload := map[string]any{"path": s.path, "restored": true}
	r := tool.OK(payload)
	r.Facts = []string{"exists:" + s.path}
	switch {
	case !info.IsDir():
		r.Undo = &tool.Inverse{Tool: DeleteFileName, Args: map[string]any{"path": s.path, "if_unchanged": whole(info).String()}}
	case empty(s.parent, s.name):
		r.Undo = &tool.Inverse{Tool: DeleteFolderName, Args: map[string]any{"path": s.path, "if_unchanged": whole(info).String()}}
	default:
		payload["irreversible"] = staysRestored
	}
	return r
}

// empty reports whether a folder could be read and has no entries.
func empty(dir *os.Root, name string) bool {
	f, err := dir.OpenFile(name, os.O_RDONLY|nonblock, 0)
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
	s, err := r.open(a.path)
	switch {
	case errors.Is(err, errAbsent):
		return tool.Forecast{Note: message.New("files.folder_that_it_was")}, nil
	case err != nil:
		return tool.Forecast{}, err
	}
	defer s.close()
	t, info, err := r.find(ctx, s, a)
	if err != nil { // it changes nothing
		return tool.Forecast{Reversible: true, Note: tool.AsError(err).Message}, nil
	}
	defer t.close()
	f := tool.Forecast{Reversible: true}
	if info.IsDir() && !empty(t.files, a.trashed) {
		f = tool.Forecast{Note: message.New("files.folder_that_is_not")}
	}
	if _, err := s.lstat(); err == nil {
		f.Note = message.New("files.something_else_is_there")
	}
	return f, nil
}

// find opens the trash that contains the file and checks that it is the one
// deleted from the path. The caller must close the trash.
func (r *restorer) find(ctx context.Context, s *spot, a arguments) (*trash, fs.FileInfo, error) {
	b, ok := r.bin(s)
	if !ok {
		return nil, nil, missing(a)
	}
	t, err := b.open(false)
	if err != nil {
		return nil, nil, missing(a)
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
		return nil, missing(a)
	}
	if t.info == nil && a.unchanged == nil {
		// Without notes, a call could restore anything that was ever deleted.
		return nil, tool.NewError(tool.ValidationError, "bad_args", message.New("files.needs_if_unchanged_on", "restore_name", RestoreName))
	}
	if t.info != nil {
		if n, err := t.note(a.trashed); err != nil || t.origin(n) != s.real {
			return nil, tool.NewError(tool.ExecutionError, "trash_changed", message.New("files.trash_changed", "trashed", a.trashed, "path", b.path(), "path2", s.path)).
				WithHint(message.New("files.restore_it_with_file"))
		}
	}
	if a.unchanged != nil {
		switch err := a.unchanged.holds(ctx, t.files, a.trashed, info); {
		case errors.Is(err, errChanged):
			return nil, tool.NewError(tool.ExecutionError, "trash_changed", message.New("files.in_trash_is_not", "trashed", a.trashed, "path", b.path())).
				WithHint(message.New("files.restore_it_with_file"))
		case err != nil:
			return nil, refused("look at", a.trashed, err)
		}
	}
	return info, nil
}

func missing(a arguments) *tool.Error {
	return tool.NewError(tool.ExecutionError, "not_in_trash", message.New("files.not_in_trash", "trashed", a.trashed)).
		WithHint(message.New("files.it_was_restored_or"))
}

func occupied(s *spot) *tool.Error {
	code, what := "file_in_the_way", "a file"
	if info, err := s.lstat(); err == nil && info.IsDir() {
		code, what = "folder_in_the_way", "a folder"
	}
	return tool.NewError(tool.ExecutionError, code, message.New("files.cant_be_restored_is", "path", s.path, "what", what)).
		WithHint(message.New("files.move_or_rename_what"))
}
