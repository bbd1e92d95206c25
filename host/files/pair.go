package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// pair is the source of a call and its destination, where nothing is yet.
type pair struct {
	from, to    *spot
	info        fs.FileInfo // of the source
	createdRoot string      // path of the topmost folder that was created for the destination; "" if none
}

func (p *pair) close() {
	p.from.close()
	p.to.close()
}

// openPair opens the source and the destination of a call, and creates the folders above the
// destination. The caller must close the pair, and call dropMade if it leaves the destination
// empty.
func (o Options) openPair(ctx context.Context, call tool.Call, a arguments) (*pair, *tool.Error) {
	from, info, fail := o.openSource(ctx, call, a)
	if fail != nil {
		return nil, fail
	}
	to, made, err := o.openDestination(call, a.destination, from, info)
	if err != nil {
		from.close()
		return nil, tool.AsError(err)
	}
	return &pair{from, to, info, made}, nil
}

// openSource opens the path of a call, and checks that the file exists and is the expected
// one.
func (o Options) openSource(ctx context.Context, call tool.Call, a arguments) (*spot, fs.FileInfo, *tool.Error) {
	s, err := o.open(call, a.path)
	if errors.Is(err, errAbsent) {
		return nil, nil, notFoundError(a.path)
	}
	if err != nil {
		return nil, nil, tool.AsError(err)
	}
	info, err := s.lstat()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = notFoundError(s.path)
	case err != nil:
		err = operationError("look_at", s.path, err)
	case a.unchanged != nil:
		if err = a.unchanged.checkFile(ctx, s.parent, s.name, info); err != nil {
			err = changedError(s.path, err)
		}
	}
	if err == nil {
		err = checkApproved(ctx, call, s.parent, s.name, filepath.Clean(a.path), info)
	}
	if err != nil {
		s.close()
		return nil, nil, tool.AsError(err)
	}
	return s, info, nil
}

// openDestination opens the folder of a new path, and creates it if it is missing.
func (o Options) openDestination(call tool.Call, p string, from *spot, source fs.FileInfo) (s *spot, made string, err error) {
	root, rel, fail := o.place(p)
	if fail != nil {
		return nil, "", fail
	}
	if fail := o.makeRoot(call, p); fail != nil {
		return nil, "", fail
	}
	s = &spot{path: filepath.Join(root, rel), name: filepath.Base(rel)}
	if err := s.locate(call, p, root, o.Roots()); err != nil {
		return nil, "", err
	}
	if err := checkDestination(s, from, source); err != nil {
		return nil, "", err
	}
	folder := filepath.Dir(s.real)
	if made = firstMissing(folder); made != "" {
		made = strings.TrimSuffix(filepath.Dir(s.path), strings.TrimPrefix(folder, made))
	}
	if s.parent, err = realpath.Make(o.Roots(), folder, 0o755); err != nil {
		return nil, "", makeError(s.path, err)
	}
	if s.dir, err = s.parent.Open("."); err != nil {
		s.parent.Close()
		return nil, "", openError(s.path, err)
	}
	return s, made, nil
}

// checkDestination refuses a destination at, in or above the source, and one where something
// is.
func checkDestination(to, from *spot, source fs.FileInfo) error {
	if to.real == from.real {
		return tool.NewError(tool.ValidationError, "same_path", message.New("files.same_path", "path", from.path)).
			WithAlternative(message.New("files.choose_other_name"))
	}
	if source.IsDir() && realpath.Contains(from.real, to.real) {
		return tool.NewError(tool.ValidationError, "bad_path", message.New("files.into_itself", "path", from.path, "destination", to.path)).
			WithAlternative(message.New("files.choose_other_name"))
	}
	if _, err := os.Lstat(to.real); err == nil {
		return existsError(to)
	}
	return nil
}

// makeFolders creates the folder of a path again that an earlier call removed.
func (o Options) makeFolders(call tool.Call, a arguments) error {
	root, rel, fail := o.place(a.path)
	if fail != nil {
		return fail
	}
	s := &spot{path: filepath.Join(root, rel), name: filepath.Base(rel)}
	if err := s.locate(call, a.path, root, o.Roots()); err != nil {
		return err
	}
	dir, err := realpath.Make(o.Roots(), filepath.Dir(s.real), 0o755)
	if err != nil {
		return makeError(s.path, err)
	}
	return dir.Close()
}

// firstMissing returns the topmost folder of a path that does not exist; "" if all do.
func firstMissing(folder string) (missing string) {
	for {
		if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			return missing
		}
		missing, folder = folder, filepath.Dir(folder)
	}
}

// dropMade removes the folders that were created for the destination again.
func (o Options) dropMade(p *pair) { o.dropFolders(p.to, p.createdRoot) }

// dropFolders removes the folder of a spot, and those above it up to top, as far as they are
// empty. If top is "", it does nothing.
func (o Options) dropFolders(s *spot, top string) {
	folder, real := filepath.Dir(s.path), filepath.Dir(s.real)
	if top == "" || !realpath.Contains(filepath.Clean(top), folder) {
		return
	}
	topReal, same := strings.CutSuffix(real, strings.TrimPrefix(folder, filepath.Clean(top)))
	if !same {
		return
	}
	for ; realpath.Contains(topReal, real); real = filepath.Dir(real) {
		parent, err := realpath.Open(o.Roots(), filepath.Dir(real))
		if err != nil {
			return
		}
		info, err := parent.Lstat(filepath.Base(real))
		if err == nil && info.IsDir() {
			err = parent.Remove(filepath.Base(real)) // removes only an empty folder
		}
		parent.Close()
		if err != nil {
			return
		}
	}
}

func notFoundError(p string) *tool.Error {
	return tool.NewError(tool.ExecutionError, "not_found", message.New("files.not_found", "path", p)).
		WithAlternative(message.New("files.check_path"))
}

func existsError(s *spot) *tool.Error {
	return tool.NewError(tool.ExecutionError, "file_exists", message.New("files.destination_exists", "path", s.path)).
		WithAlternative(message.New("files.choose_other_name"))
}

// makeError returns the error for a folder that could not be created.
func makeError(p string, err error) error {
	fault := openError(p, err)
	if errors.Is(fault, errAbsent) {
		return tool.NewError(tool.ExecutionError, "file_in_the_way", message.New("files.no_place", "path", p)).
			WithAlternative(message.New("files.choose_other_name"))
	}
	return fault
}

// isUnsupported reports whether the system can't rename between two places, or not without
// replacing.
func isUnsupported(err error) bool {
	return slices.ContainsFunc(unsupported, func(e error) bool { return errors.Is(err, e) })
}
