package files

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"errand/host/files/trashinfo"
	"errand/host/mount"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// trash is an open trash. Several programs may use it at once: creating a file's
// note reserves its name.
type trash struct {
	files *os.Root // deleted files
	dir   *os.File // the same folder, for calls that need a handle
	info  *os.Root // notes; nil if the platform has none
	base  string   // base of relative paths in notes; "" if they are absolute
}

func (t *trash) close() {
	t.files.Close()
	t.dir.Close()
	if t.info != nil {
		t.info.Close()
	}
}

// openFolders opens the folders files and info of a trash in the freedesktop.org
// format. With create, it creates missing ones.
func openFolders(root *os.Root, create bool) (*trash, error) {
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

// maxTries limits the names that are tried for one file.
const maxTries = 1000

// put moves the file at s to the trash and returns its name there. It first writes
// the note to disk.
func (t *trash) put(s *spot, key string, now time.Time) (string, error) {
	n := trashinfo.Note{Path: s.real, Deleted: now, Key: key}
	if t.base != "" {
		rel, err := filepath.Rel(t.base, s.real)
		if err != nil || !filepath.IsLocal(rel) {
			return "", tool.NewError(tool.ExecutionError, "path_changed", message.New("files.left_trash_volume", "path", s.path, "base", t.base))
		}
		n.Path = rel
	}
	for i := 1; i <= maxTries; i++ {
		number := i
		if i > maxTries/2 { // a very full trash: take a number from the clock
			number = int(now.UnixNano()&0xffffffff) + i
		}
		name := trashinfo.NameIn(s.name, number, infoSuffix)
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
		if !errors.Is(err, fs.ErrExist) { // else a file without a note has the name
			return "", err
		}
	}
	return "", fs.ErrExist
}

// write writes a note to reserve a name. If the name is taken, the error is
// [fs.ErrExist]. If there are no notes, the move itself detects that.
func (t *trash) write(name string, n trashinfo.Note) error {
	if t.info == nil {
		return nil
	}
	f, err := t.info.OpenFile(name+infoSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(n.Encode())
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		t.forget(name)
	}
	return err
}

func (t *trash) forget(name string) {
	if t.info != nil {
		_ = t.info.Remove(name + infoSuffix) // a note without a file is harmless
	}
}

// take moves name from the trash to s. If a file is at s, the error is
// [fs.ErrExist].
func (t *trash) take(name string, s *spot) error {
	if err := move(t.dir, name, s.dir, s.name); err != nil {
		return err
	}
	sync(s.dir, t.dir)
	t.forget(name)
	return nil
}

// note reads the note of name.
func (t *trash) note(name string) (trashinfo.Note, error) {
	f, err := t.info.OpenFile(name+infoSuffix, os.O_RDONLY|realpath.NonBlock, 0)
	if err != nil {
		return trashinfo.Note{}, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, trashinfo.Max))
	if err != nil {
		return trashinfo.Note{}, err
	}
	return trashinfo.Decode(b)
}

// origin returns the original path in a note.
func (t *trash) origin(n trashinfo.Note) string {
	if t.base != "" && !filepath.IsAbs(n.Path) {
		return filepath.Join(t.base, n.Path)
	}
	return n.Path
}

// maxNotes limits the notes that are searched for a call.
const maxNotes = 20_000

// findByKey returns the file that the call with a key moved to the trash, or nil.
func (t *trash) findByKey(key string) (name string, info fs.FileInfo) {
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
		if n, err := t.note(name); err != nil || n.Key != key {
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

// sync makes a move survive a power failure. It ignores errors, because some file
// systems can't.
func sync(folders ...*os.File) {
	for _, f := range folders {
		_ = f.Sync()
	}
}

// uid returns the user id for the name of a trash.
func uid() string { return strconv.Itoa(os.Getuid()) }

// EmptyTrashName is the tool that deletes everything in the user's trash.
const EmptyTrashName = "files.empty_trash"

// emptier implements files.empty_trash. It empties the trash of the home folder, and not those
// of other file systems.
type emptier struct {
	Options
	spec tool.Spec
}

var (
	_ tool.Forecaster = (*emptier)(nil)
	_ tool.Reconciler = (*emptier)(nil)
)

func emptyTrashSpec(o Options) tool.Spec {
	s := o.builtin(tool.Spec{
		Name: EmptyTrashName, Description: "Delete everything in the trash for good",
		ArgsSchema: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`),
		CanAchieve: []string{"file_operation", "empty_trash"}, Effects: []string{"trash_emptied"},
	})
	s.TimeoutMS, s.Paths, s.Granted, s.Writes, s.Reach = transferTimeoutMS, []string{}, nil, nil, nil
	s.Display = display.Tool{View: display.View{Kind: display.Sentence, Params: []string{"count"}}}.WithName(EmptyTrashName)
	return s
}

func (e *emptier) Spec() tool.Spec { return e.spec }

// open opens the trash. If there is none, it returns nil.
func (e *emptier) open() (*trash, string, error) {
	b := e.homeBin()
	t, err := b.open(false)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, b.path(), nil
	case err != nil:
		return nil, b.path(), operationError("look_into", b.path(), err)
	}
	return t, b.path(), nil
}

// IsTrashEmpty reports whether the trash of the home folder, with the path dir, has nothing in
// it. It is false if that can't be told.
func IsTrashEmpty(dir string) bool {
	t, _, err := (&emptier{Options: Options{TrashDir: dir}}).open()
	if t == nil || err != nil {
		return err == nil && dir != ""
	}
	defer t.close()
	f, err := t.files.Open(".")
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return errors.Is(err, io.EOF)
}

// Call implements [tool.Tool]. It ends soon after ctx does; what is left then stays in the
// trash.
func (e *emptier) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	if _, fail := readArgs(EmptyTrashName, call.Args); fail != nil {
		return tool.Result{Error: fail}, nil
	}
	t, p, err := e.open()
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	count := 0
	if t != nil {
		defer t.close()
		if err = checkTrashMounts(p); err == nil {
			count, err = t.empty(ctx)
		}
	}
	if errors.Is(err, errMounted) {
		err = mountedError(p)
	}
	if err != nil {
		return tool.Result{Error: operationError("delete", p, err), Partial: count > 0}, nil
	}
	return tool.OK(map[string]any{"path": p, "emptied": true, "count": count}), nil
}

// empty deletes everything in the trash, each file with its note, and returns how many.
func (t *trash) empty(ctx context.Context) (count int, err error) {
	own, err := mount.Of(t.dir)
	if err != nil {
		return 0, err
	}
	for _, name := range namesIn(t.files) {
		if err := ctx.Err(); err != nil {
			return count, err
		}
		if err := removeEntry(ctx, t.files, name, own); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return count, err
		}
		t.forget(name)
		count++
	}
	if t.info != nil { // notes without a file
		for _, name := range namesIn(t.info) {
			stem, ok := cutSuffix(name)
			if _, err := t.files.Lstat(stem); ok && errors.Is(err, fs.ErrNotExist) {
				t.forget(stem)
			}
		}
	}
	return count, nil
}

func namesIn(dir *os.Root) []string {
	f, err := dir.Open(".")
	if err != nil {
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return names
}

// Forecast implements [tool.Forecaster].
func (e *emptier) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	if _, fail := readArgs(EmptyTrashName, call.Args); fail != nil {
		return tool.Forecast{}, fail
	}
	t, p, err := e.open()
	if err != nil {
		return tool.Forecast{}, err
	}
	if t == nil {
		return tool.Forecast{Note: message.New("files.trash_is_empty")}, nil
	}
	defer t.close()
	c := counter{root: t.files, prefix: p, deadline: time.Now().Add(maxCounting), digest: sha256.New()}
	c.walk(ctx, ".")
	if c.more {
		return tool.Forecast{}, c.incomplete(p).WithHint(message.New("files.delete_parts_first"))
	}
	f := tool.Forecast{Destroys: c.names, Count: c.count, Identity: c.identity(), Note: c.describe(message.New("files.deleted_for_good"))}
	if c.count == 0 {
		f.Note = message.New("files.trash_is_empty")
	}
	if err := checkTrashMounts(p); err != nil {
		f.Problem, f.Unsolvable = tool.AsError(err), true
	}
	return f, nil
}

// checkTrashMounts returns the error for a trash with something mounted in it. The trash
// itself may be a mount.
func checkTrashMounts(dir string) error {
	real, _ := realpath.Resolve(dir)
	for _, point := range mount.Read().Below(real) {
		if point != real {
			return mountedError(point)
		}
	}
	return nil
}

// Reconcile implements [tool.Reconciler]: the call had its effect if the trash is empty.
func (e *emptier) Reconcile(context.Context, tool.Call) (tool.Reconciled, error) {
	t, p, err := e.open()
	if err != nil {
		return tool.Reconciled{}, err
	}
	if t != nil {
		defer t.close()
		if len(namesIn(t.files)) > 0 {
			return tool.Reconciled{Effect: tool.Unknown}, nil
		}
	}
	return committedEffect(tool.OK(map[string]any{"path": p, "emptied": true, "count": 0})), nil
}
