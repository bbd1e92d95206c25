package files

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

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
	s.TimeoutMS, s.Paths, s.Writes, s.Reach = transferTimeoutMS, []string{}, nil, nil
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
		count, err = t.empty(ctx)
	}
	if err != nil {
		return tool.Result{Error: operationError("delete", p, err), Partial: count > 0}, nil
	}
	return tool.OK(map[string]any{"path": p, "emptied": true, "count": count}), nil
}

// empty deletes everything in the trash, each file with its note, and returns how many.
func (t *trash) empty(ctx context.Context) (count int, err error) {
	own, err := t.files.Stat(".")
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
	return f, nil
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
