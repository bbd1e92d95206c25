package files

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"errand/host/files/inode"
	"errand/host/filestate"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// CopyName is the tool that copies a file or folder.
const CopyName = "files.copy"

const copySchema = `{"type":"object","properties":{"path":{"type":"string","format":"path","minLength":1,"description":"the absolute path of the file or folder"},` +
	`"destination":{"type":"string","format":"path","minLength":1,"description":"the absolute path of the copy, name included; folders above it are created"}` +
	`},"required":["path","destination"],"additionalProperties":false}`

// copier implements files.copy.
type copier struct {
	Options
	spec tool.Spec
}

var (
	_ tool.Forecaster = (*copier)(nil)
	_ tool.Reconciler = (*copier)(nil)
)

func copySpec(o Options) tool.Spec {
	s := o.builtin(tool.Spec{
		Name: CopyName, Description: "Copy a file or folder with everything in it; links are copied as links, and nothing is replaced",
		ArgsSchema: json.RawMessage(copySchema),
		CanAchieve: []string{"file_operation", "copy_file", "copy_folder"}, Effects: []string{"file_copied"},
		Reversible: true,
	})
	s.TimeoutMS, s.Writes = transferTimeoutMS, []string{"destination"}
	s.Copies = map[string]string{"destination": "path"}
	s.Display = display.Tool{
		Summary: [][]string{{"path", "destination"}},
		View:    display.View{Kind: display.Sentence, Params: []string{"bytes", "files", "from", "path"}},
	}.WithName(CopyName)
	return s
}

func (c *copier) Spec() tool.Spec { return c.spec }

func (c *copier) read(args map[string]any) (arguments, *tool.Error) {
	return readArgs(CopyName, args, "path", "destination")
}

// Call implements [tool.Tool].
func (c *copier) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	if err := ctx.Err(); err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	a, fail := c.read(call.Args)
	if fail != nil {
		return tool.Result{Error: fail}, nil
	}
	p, fail := c.openPair(ctx, call, a)
	if fail != nil {
		return tool.Result{Error: fail}, nil
	}
	defer p.close()
	t := transfer{pair: p, part: tool.PartName(call.Key)}
	if err := t.run(ctx); err != nil {
		c.dropMade(p)
		return failedCopy(ctx, p, err), nil
	}
	now, err := p.to.lstat()
	if err != nil {
		return tool.Result{Error: operationError("look_at", p.to.path, err), Partial: true}, nil
	}
	r := copiedResult(p.from.path, p.to.path, now, t.content)
	r.Undo = t.undo(now)
	return r, nil
}

func failedCopy(ctx context.Context, p *pair, err error) tool.Result {
	switch {
	case ctx.Err() != nil:
		return tool.Result{Error: tool.AsError(ctx.Err())}
	case errors.Is(err, fs.ErrExist):
		return tool.Result{Error: existsError(p.to)}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errChanged), errors.Is(err, realpath.ErrLink):
		return tool.Result{Error: tool.NewError(tool.ExecutionError, "changed", message.New("files.changed_in_copy", "path", p.from.path)).
			WithHint(message.New("files.try_again"))}
	}
	return tool.Result{Error: operationError("copy", p.from.path, err)}
}

func copiedResult(from, to string, now fs.FileInfo, s survey) tool.Result {
	r := tool.OK(map[string]any{"path": to, "from": from, "kind": string(kindOf(now)), "files": s.files, "bytes": s.bytes})
	r.Facts = []string{"exists:" + to}
	return r
}

// undo deletes the copy while it has not changed.
func (t *transfer) undo(now fs.FileInfo) *tool.Inverse {
	this := stateOf(now)
	args := map[string]any{"path": t.to.path}
	name := DeleteFileName
	switch {
	case now.IsDir():
		name, args["recursive"] = DeleteFolderName, true
		this = identity{kind: folderKind, ino: inode.Number(now), born: inode.BirthTime(t.to.parent, t.to.name, now), tree: t.content.mark}
	case now.Mode().IsRegular():
		this = identity{kind: fileKind, ino: inode.Number(now), size: strconv.FormatInt(now.Size(), 10), sum: t.sum}
	}
	args["if_unchanged"] = this.String()
	if t.createdRoot != "" {
		args["made"] = t.createdRoot
	}
	return &tool.Inverse{Tool: name, Args: args}
}

// Forecast implements [tool.Forecaster]. It says how much a folder contains.
func (c *copier) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	a, fail := c.read(call.Args)
	if fail != nil {
		return tool.Forecast{}, fail
	}
	f, s, err := c.foresee(ctx, call, a)
	f.Adds = true
	if err != nil || s == nil || !f.Note.IsZero() {
		return f, err
	}
	dir, err := realpath.Open(c.Roots(), filepath.Dir(s.real))
	if err != nil {
		return f, nil
	}
	defer dir.Close()
	info, err := dir.Lstat(s.name)
	if err != nil || !info.IsDir() {
		return f, nil
	}
	content, err := makeSurvey(ctx, dir, s.name, info)
	if err != nil {
		f.Note = tool.AsError(operationError("look_at", s.path, err)).Message
		return f, nil
	}
	f.Note = message.New("files.copies_content", "files", content.files, "size", content.bytes)
	return f, nil
}

// Reconcile implements [tool.Reconciler]: the call had its effect if there is the same
// content at the destination.
func (c *copier) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	a, fail := c.read(call.Args)
	if fail != nil {
		return tool.Reconciled{}, fail
	}
	from, was, err := c.look(call, a.path)
	if err != nil {
		return tool.Reconciled{}, err
	}
	to, is, err := c.look(call, a.destination)
	switch {
	case err != nil:
		return tool.Reconciled{}, err
	case is == nil:
		return tool.Reconciled{Effect: tool.Released}, nil
	case was == nil:
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	wanted, found := c.surveyAt(ctx, from, was), c.surveyAt(ctx, to, is)
	if wanted.mark == "" || wanted.mark != found.mark || c.sumAt(ctx, from, was) != c.sumAt(ctx, to, is) {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	r := copiedResult(from.path, to.path, is, found)
	r.Undo = c.undoFound(ctx, &pair{from: from, to: to}, is, found, call.Claimed)
	return committedEffect(r), nil
}

// undoFound undoes a copy that began at a time and whose end is unknown, if what is there was
// created since.
func (c *copier) undoFound(ctx context.Context, p *pair, now fs.FileInfo, found survey, began time.Time) *tool.Inverse {
	if !c.openFound(p.to, began) {
		return nil
	}
	defer p.to.parent.Close()
	if !c.isBornSince(p.to.real, began) {
		return nil
	}
	t := transfer{pair: p, content: found, sum: c.sumAt(ctx, p.to, now)}
	if now.Mode().IsRegular() && t.sum == "" {
		return nil
	}
	p.createdRoot = c.foldersSince(p.to, began)
	return t.undo(now)
}

// sumAt returns the hash of a regular file; "" of anything else, and if it can't be read.
func (o Options) sumAt(ctx context.Context, s *spot, info fs.FileInfo) string {
	dir, err := realpath.Open(o.Roots(), filepath.Dir(s.real))
	if err != nil {
		return ""
	}
	defer dir.Close()
	if !info.Mode().IsRegular() {
		return ""
	}
	sum, _ := filestate.HashOf(ctx, dir, s.name, info)
	return sum
}

// surveyAt surveys what is at a path; the zero survey if that fails.
func (o Options) surveyAt(ctx context.Context, s *spot, info fs.FileInfo) survey {
	dir, err := realpath.Open(o.Roots(), filepath.Dir(s.real))
	if err != nil {
		return survey{}
	}
	defer dir.Close()
	found, err := makeSurvey(ctx, dir, s.name, info)
	if err != nil {
		return survey{}
	}
	return found
}

// look returns the place of a path and what is there, or nil. It opens nothing.
func (o Options) look(call tool.Call, p string) (*spot, fs.FileInfo, error) {
	root, rel, fail := o.place(p)
	if fail != nil {
		return nil, nil, fail
	}
	s := &spot{path: filepath.Join(root, rel), name: filepath.Base(rel)}
	switch err := s.locate(call, p, root, o.Roots()); {
	case errors.Is(err, errAbsent):
		return s, nil, nil
	case err != nil:
		return nil, nil, err
	}
	info, err := os.Lstat(s.real)
	if err != nil {
		return s, nil, nil
	}
	return s, info, nil
}

// foresee is the forecast of a call with a source and a destination, and its source if that
// exists.
func (o Options) foresee(ctx context.Context, call tool.Call, a arguments) (tool.Forecast, *spot, error) {
	f := tool.Forecast{Reversible: true}
	from, was, err := o.look(call, a.path)
	if err != nil {
		return tool.Forecast{}, nil, err
	}
	to, is, err := o.look(call, a.destination)
	if err != nil {
		return tool.Forecast{}, nil, err
	}
	switch {
	case was == nil:
		f.Note, f.Problem = message.New("files.nothing_there"), notFoundError(from.path)
		return f, nil, nil
	case is != nil:
		f.Note, f.Problem = message.New("files.other_file_there"), existsError(to)
	default:
		err = checkDestination(to, from, was)
	}
	return f, from, err
}
