package files

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"errand/host/files/inode"
	"errand/host/filestate"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// MoveName is the tool that moves or renames a file or folder.
const MoveName = "files.move"

const moveSchema = `{"type":"object","properties":{"path":{"type":"string","format":"path","minLength":1,"description":"the absolute path of the file or folder"},` +
	`"destination":{"type":"string","format":"path","minLength":1,"description":"its new absolute path, name included; folders above it are created"},` +
	madeSchema +
	`"if_unchanged":{"type":"string","minLength":1,"maxLength":256,"description":"move it only while it is this very one, as the result of an earlier call describes it"}` +
	`},"required":["path","destination"],"additionalProperties":false}`

// transferTimeoutMS limits a call that may copy.
const transferTimeoutMS = 600_000

// unsupported are the errors of a system that can't rename between two places: they are on
// different file systems, or the system can't rename without replacing.
var unsupported = []error{syscall.EXDEV, syscall.ENOSYS, syscall.EINVAL, syscall.ENOTSUP, errors.ErrUnsupported}

// mover implements files.move. It renames, or copies and deletes where the system can't
// rename. It never replaces a file.
type mover struct {
	Options
	spec tool.Spec
}

var (
	_ tool.Forecaster = (*mover)(nil)
	_ tool.Reconciler = (*mover)(nil)
)

func moveSpec(o Options) tool.Spec {
	s := o.builtin(tool.Spec{
		Name: MoveName, Description: "Move or rename a file or folder; what is at the new place is never replaced",
		ArgsSchema: json.RawMessage(moveSchema),
		CanAchieve: []string{"file_operation", "move_file", "move_folder", "rename_file", "rename_folder"}, Effects: []string{"file_moved"},
		Reversible: true, Reach: map[string]tool.Reach{"path": tool.ReachContents},
	})
	s.TimeoutMS, s.Writes = transferTimeoutMS, []string{"path", "destination", "made"}
	s.Copies = map[string]string{"destination": "path"}
	s.Display = display.Tool{
		Summary: [][]string{{"path", "destination"}}, Internal: []string{"if_unchanged", "made"},
		View: display.View{Kind: display.Sentence, Params: []string{"from", "path"}, Variant: "renamed"},
	}.WithName(MoveName)
	return s
}

func (m *mover) Spec() tool.Spec { return m.spec }

func (m *mover) read(args map[string]any) (arguments, *tool.Error) {
	return readArgs(MoveName, args, "path", "destination", "made", "if_unchanged")
}

// Call implements [tool.Tool].
func (m *mover) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	if err := ctx.Err(); err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	a, fail := m.read(call.Args)
	if fail != nil {
		return tool.Result{Error: fail}, nil
	}
	p, fail := m.openPair(ctx, call, a)
	if fail != nil {
		return tool.Result{Error: fail}, nil
	}
	defer p.close()
	err := checkMovable(p.from.real, p.to.real)
	if err == nil {
		err = m.move(ctx, p, call.Key)
	}
	if err != nil {
		m.dropMade(p)
		return failedMove(p, err), nil
	}
	m.dropFolders(p.from, a.createdPath)
	now, err := p.to.lstat()
	if err != nil {
		return tool.Result{Error: operationError("look_at", p.to.path, err), Partial: true}, nil
	}
	return movedResult(p, now), nil
}

// move renames the file, and checks that it was the one that was looked at.
func (m *mover) move(ctx context.Context, p *pair, key string) error {
	err := move(p.from.dir, p.from.name, p.to.dir, p.to.name)
	if isUnsupported(err) {
		return m.carry(ctx, p, key)
	}
	if err != nil {
		return err
	}
	sync(p.from.dir, p.to.dir)
	now, err := p.to.lstat()
	if err == nil && !os.SameFile(p.info, now) {
		return errors.Join(errChanged, move(p.to.dir, p.to.name, p.from.dir, p.from.name))
	}
	return err
}

// errLeft means that the original could not be deleted after it was copied.
var errLeft = message.Error("files.original_left")

// carry copies the file, compares the copy and deletes the original.
func (m *mover) carry(ctx context.Context, p *pair, key string) error {
	if err := checkMounts(p.from.real); err != nil {
		return err
	}
	t := transfer{pair: p, certain: true, part: tool.PartName(key)}
	if err := t.run(ctx); err != nil {
		return err
	}
	err := checkSame(p.from.parent, p.from.name, p.info)
	if err == nil && p.info.IsDir() {
		err = removeFolder(context.WithoutCancel(ctx), p.from, p.info)
	} else if err == nil {
		err = p.from.parent.Remove(p.from.name)
	}
	if err != nil {
		return errors.Join(errLeft, err)
	}
	sync(p.from.dir, p.to.dir)
	return nil
}

func failedMove(p *pair, err error) tool.Result {
	switch {
	case errors.Is(err, errLeft):
		return tool.Result{Partial: true, Error: tool.NewError(tool.ExecutionError, "original_left", message.New("files.move_left_original", "path", p.from.path, "destination", p.to.path)).
			WithAlternative(message.New("files.compare_both"))}
	case errors.Is(err, fs.ErrExist):
		return tool.Result{Error: existsError(p.to)}
	case errors.Is(err, fs.ErrNotExist):
		return tool.Result{Error: notFoundError(p.from.path)}
	case errors.Is(err, errChanged):
		return tool.Result{Error: tool.NewError(tool.ExecutionError, "changed", message.New("files.changed", "path", p.from.path)).
			WithHint(message.New("files.try_again"))}
	case errors.Is(err, errMounted):
		return tool.Result{Error: mountedError(p.from.path)}
	case errors.Is(err, errCopyDiffers):
		return tool.Result{Error: tool.NewError(tool.ExecutionError, "copy_differs", message.New("files.copy_is_different", "path", p.from.path)).
			WithHint(message.New("files.check_disk"))}
	}
	return tool.Result{Error: operationError("move", p.from.path, err)}
}

func movedResultWithoutUndo(p *pair, now fs.FileInfo) tool.Result {
	r := tool.OK(map[string]any{"path": p.to.path, "from": p.from.path, "kind": string(kindOf(now)), "renamed": filepath.Dir(p.from.path) == filepath.Dir(p.to.path)})
	r.Facts = []string{"!exists:" + p.from.path, "exists:" + p.to.path}
	return r
}

func movedResult(p *pair, now fs.FileInfo) tool.Result {
	r := movedResultWithoutUndo(p, now)
	args := map[string]any{"path": p.to.path, "destination": p.from.path, "if_unchanged": movedIdentity(p.to, now).String()}
	if p.createdRoot != "" {
		args["made"] = p.createdRoot
	}
	r.Undo = &tool.Inverse{Tool: MoveName, Args: args}
	return r
}

// movedIdentity is what a moved file is recognized by. What happened in a folder since does
// not matter, because moving it back loses nothing.
func movedIdentity(s *spot, info fs.FileInfo) identity {
	if info.IsDir() {
		return identity{kind: folderKind, ino: inode.Number(info), born: inode.BirthTime(s.parent, s.name, info)}
	}
	return stateOf(info)
}

// Forecast implements [tool.Forecaster]. A problem that an earlier action of the plan may
// still solve is a note, not an error.
func (m *mover) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	a, fail := m.read(call.Args)
	if fail != nil {
		return tool.Forecast{}, fail
	}
	to, ok := realpath.EntryIn(call, a.destination)
	f, from, err := m.foresee(ctx, call, a)
	if err == nil && ok && from != nil && f.Problem == nil {
		if err := checkMovable(from.real, to); err != nil {
			f.Problem, f.Unsolvable = tool.AsError(err), true
		}
	}
	return f, err
}

// Reconcile implements [tool.Reconciler]: the call had its effect if the file is at its new
// place and no longer at the old one.
func (m *mover) Reconcile(_ context.Context, call tool.Call) (tool.Reconciled, error) {
	a, fail := m.read(call.Args)
	if fail != nil {
		return tool.Reconciled{}, fail
	}
	from, was, err := m.look(call, a.path)
	if err != nil {
		return tool.Reconciled{}, err
	}
	to, is, err := m.look(call, a.destination)
	if err != nil {
		return tool.Reconciled{}, err
	}
	switch {
	case was != nil && is == nil:
		return tool.Reconciled{Effect: tool.Released}, nil
	case was == nil && is != nil:
		m.dropFolders(from, a.createdPath) // the call may have ended before that
		return committedEffect(m.findMoved(from, to, is, call.Claimed)), nil
	}
	return tool.Reconciled{Effect: tool.Unknown}, nil
}

// findMoved is the result of a move that began at a time and whose end is unknown. It can be
// undone if the file has been moved or changed since, so that it is the one.
func (m *mover) findMoved(from, to *spot, now fs.FileInfo, began time.Time) tool.Result {
	p := &pair{from: from, to: to}
	changed, err := strconv.ParseInt(filestate.ChangeTime(now), 10, 64)
	if err != nil || !m.openFound(to, began) || changed < began.Add(-clockStep).UnixNano() {
		return movedResultWithoutUndo(p, now)
	}
	defer to.parent.Close()
	p.createdRoot = m.foldersSince(to, began)
	return movedResult(p, now)
}
