package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// spot is a name in an open folder. The file may not exist.
type spot struct {
	path   string // absolute and clean, as the granted folder is written
	real   string // the same path with links resolved, except for the name itself
	name   string
	parent *os.Root // the parent folder
	dir    *os.File // the same folder, for calls that need a handle
}

func (s *spot) close() {
	s.dir.Close()
	s.parent.Close()
}

// lstat returns the info of the file without following a link.
func (s *spot) lstat() (fs.FileInfo, error) { return s.parent.Lstat(s.name) }

// errAbsent means that the parent folder does not exist.
var errAbsent = message.Error("files.no_parent")

// place returns the granted folder that contains a path. It opens nothing.
func (o Options) place(p string) (root, rel string, fail *tool.Error) {
	if !filepath.IsAbs(p) || strings.ContainsRune(p, 0) {
		return "", "", badPath(p)
	}
	clean := filepath.Clean(p)
	roots := o.Roots()
	for _, r := range roots {
		for _, folder := range spellings(r) {
			if inside, err := filepath.Rel(clean, folder); err == nil && filepath.IsLocal(inside) {
				return "", "", rootError(p, r)
			}
			inside, err := filepath.Rel(folder, clean)
			if err == nil && filepath.IsLocal(inside) && (root == "" || len(r) > len(root)) {
				root, rel = filepath.Clean(r), inside
			}
		}
	}
	if root == "" {
		return "", "", outsideError(p, roots)
	}
	return root, rel, nil
}

// spellings returns a folder as granted and, if that contains links, its real
// path.
func spellings(folder string) []string {
	if !filepath.IsAbs(folder) {
		return nil // grants nothing
	}
	folder = filepath.Clean(folder)
	if resolved, err := filepath.EvalSymlinks(folder); err == nil && resolved != folder {
		return []string{folder, resolved}
	}
	return []string{folder}
}

// open opens the parent folder of a path of a call, where policy decided about it. The error
// is [errAbsent] or a *tool.Error. The caller must close the spot.
func (o Options) open(call tool.Call, p string) (*spot, error) {
	root, rel, fail := o.place(p)
	if fail != nil {
		return nil, fail
	}
	s := &spot{path: filepath.Join(root, rel), name: filepath.Base(rel)}
	if err := s.locate(call, p, root, o.Roots()); err != nil {
		return nil, err
	}
	var err error
	if s.parent, err = realpath.Open(o.Roots(), filepath.Dir(s.real)); err != nil {
		return nil, openError(s.path, err)
	}
	if s.dir, err = s.parent.Open("."); err != nil {
		s.parent.Close()
		return nil, openError(s.path, err)
	}
	return s, nil
}

// openArgs reads the arguments of a call and opens the folder of its path. Errors are those
// of [Options.open]. The caller must close the spot.
func (o Options) openArgs(ctx context.Context, call tool.Call, read func(map[string]any) (arguments, *tool.Error)) (arguments, *spot, error) {
	if err := ctx.Err(); err != nil {
		return arguments{}, nil, tool.AsError(err)
	}
	a, fail := read(call.Args)
	if fail != nil {
		return a, nil, fail
	}
	s, err := o.open(call, a.path)
	return a, s, err
}

// locate finds the real path and checks that it is inside the granted folder. A link may
// lead to a folder that contains a granted one.
func (s *spot) locate(call tool.Call, p, root string, roots []string) error {
	real, ok := realpath.EntryIn(call, p)
	if !ok {
		return operationError("look_at", s.path, syscall.ELOOP)
	}
	s.real = real
	if _, err := os.Stat(root); err != nil {
		return openError(root, err)
	}
	if _, _, ok := realpath.FindRoot([]string{root}, real); !ok {
		return operationError("look_at", s.path, fs.ErrPermission)
	}
	for _, r := range roots {
		for _, granted := range spellings(r) {
			if inside, err := filepath.Rel(s.real, granted); err == nil && filepath.IsLocal(inside) {
				return rootError(s.path, r)
			}
		}
	}
	return nil
}

func openError(p string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return errAbsent
	}
	if errors.Is(err, realpath.ErrLink) {
		return tool.NewError(tool.ExecutionError, "path_changed", message.New("files.path_changed", "path", p)).
			WithHint(message.New("files.try_again"))
	}
	return operationError("look_at", p, err)
}

func badPath(p string) *tool.Error {
	return tool.NewError(tool.ValidationError, "bad_path", message.New("files.bad_path", "path", p)).
		WithHint(message.New("files.give_path_in_root"))
}

// rootError is the error for a path that is a granted folder, or that contains one.
func rootError(p, root string) *tool.Error {
	said := message.New("files.root_itself", "path", p)
	if root = filepath.Clean(root); root != filepath.Clean(p) {
		said = message.New("files.holds_root", "path", p, "root", root)
	}
	return tool.NewError(tool.ValidationError, "bad_path", said).WithHint(message.New("files.name_what_is_in_root"))
}

func outsideError(p string, roots []string) *tool.Error {
	if len(roots) == 0 {
		return tool.NewError(tool.PolicyDenied, tool.CodeOutsideRoots, message.New("files.no_roots", "path", p)).
			WithHint(realpath.GrantHint(p))
	}
	return tool.NewError(tool.PolicyDenied, tool.CodeOutsideRoots, message.New("files.outside_roots", "path", p, "roots", roots)).WithHint(realpath.GrantHint(p))
}

// operationError returns the error for an operation that the system did not permit. The
// texts have a verb for each action.
func operationError(action, p string, err error) *tool.Error {
	var number syscall.Errno
	known := errors.As(err, &number)
	var typed *tool.Error
	switch {
	case errors.As(err, &typed):
		return typed
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), !known && errors.As(err, new(*fs.PathError)):
		// os.Root's own error for a path that leads out has no errno.
		return tool.NewError(tool.ExecutionError, "not_permitted", message.New("files.not_permitted", "action", action, "path", p)).
			WithHint(message.New("files.choose_writable_path"))
	case number == syscall.ENOSPC, number == syscall.EDQUOT:
		return tool.NewError(tool.ExecutionError, "disk_full", message.New("files.disk_full", "action", action, "path", p)).
			WithHint(message.New("files.free_space"))
	case known:
		return tool.NewError(tool.ExecutionError, "failed", message.New("files.failed", "action", action, "path", p, "cause", number))
	}
	return tool.NewError(tool.ExecutionError, "failed", message.New("files.failed", "action", action, "path", p, "cause", err))
}
