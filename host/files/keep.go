package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// KeepName is the tool that saves what an earlier step of the run made.
const KeepName = "files.keep"

const keepSchema = `{"type":"object","properties":{"from":{"type":"string","pattern":"^[A-Za-z0-9_.-]{1,64}$","description":"id of the step that made it"},` +
	`"path":{"type":"string","format":"path","minLength":1,"description":"where to keep it, as an absolute path; a folder where it ends in a separator"}` +
	`},"required":["from","path"],"additionalProperties":false}`

// maxNumber is the highest number of a free name: "name (99).ext".
const maxNumber = 99

// ArtifactOf returns the artifact of a run's step, with its data. If there is none, it
// returns an error.
type ArtifactOf func(ctx context.Context, runID, callID string) (tool.Artifact, error)

// keeper implements files.keep. It writes a file atomically: under a temporary
// name until all data is on disk. It never replaces another file.
type keeper struct {
	Options
	spec tool.Spec
}

var _ tool.Reconciler = (*keeper)(nil)

func keepSpec(o Options) tool.Spec {
	s := o.builtin(tool.Spec{
		Name: KeepName, Description: "Keep what an earlier step made, such as a screenshot, as a file",
		ArgsSchema: json.RawMessage(keepSchema), CanAchieve: []string{"save_copy"}, Effects: []string{"copy_saved"}, Reversible: true,
		Reach: map[string]tool.Reach{"path": tool.ReachItself}, // a new file in a folder replaces nothing
	})
	s.Writes, s.Saves = []string{"path"}, &tool.Saved{Path: "path"}
	return s
}

func (k *keeper) Spec() tool.Spec { return k.spec }

// Call implements [tool.Tool].
func (k *keeper) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	path, _ := call.Args["path"].(string)
	if fail := k.makeRoot(call, filepath.Join(path, "file")); fail != nil { // path may be the folder itself
		return tool.Result{Error: fail}, nil
	}
	a, s, fail := k.ready(ctx, call)
	if fail != nil {
		return tool.Result{Error: fail}, nil
	}
	defer s.close()
	part := tool.PartName(call.Key)
	_ = s.parent.Remove(part) // of an earlier attempt
	if err := s.parent.WriteFile(part, a.Data, 0o666); err != nil {
		_ = s.parent.Remove(part)
		return tool.Result{Error: operationError("write", s.path, err)}, nil
	}
	defer s.parent.Remove(part) // removes only the temporary name
	stem, ext := strings.TrimSuffix(s.name, filepath.Ext(s.name)), filepath.Ext(s.name)
	for n := 1; n <= maxNumber; n++ {
		name := s.name
		if n > 1 {
			name = fmt.Sprintf("%s (%d)%s", stem, n, ext)
		}
		err := s.parent.Link(part, name) // unlike Rename, Link fails if the name exists
		switch {
		case err == nil:
			return k.keptResult(filepath.Join(filepath.Dir(s.path), name), a), nil
		case !errors.Is(err, fs.ErrExist):
			return tool.Result{Error: operationError("write", s.path, err)}, nil
		}
	}
	return tool.Result{Error: tool.NewError(tool.ExecutionError, "no_free_name", message.New("files.no_free_name", "path", s.path, "count", maxNumber-1)).
		WithAlternative(message.New("files.choose_other_name"))}, nil
}

// makeRoot creates the granted folder of a path of a call if it does not exist. For
// example, a new machine may have no ~/Documents.
func (o Options) makeRoot(call tool.Call, path string) *tool.Error {
	root, rel, fail := o.place(path)
	if fail != nil {
		return nil // the caller reports the error
	}
	if _, err := os.Stat(root); err == nil {
		return nil
	}
	real, ok := realpath.EntryIn(call, path)
	folder, below := strings.CutSuffix(real, string(filepath.Separator)+rel)
	if !ok || !below {
		return nil
	}
	dir, err := realpath.Make(o.Roots(), folder, 0o755)
	if err == nil {
		err = dir.Close()
	}
	if err != nil {
		return tool.NewError(tool.ExecutionError, "root_unwritable", message.New("files.root_unwritable", "folder", root, "cause", err))
	}
	return nil
}

// ready parses the call, finds the artifact and opens the destination folder. The
// caller must close it.
func (k *keeper) ready(ctx context.Context, call tool.Call) (tool.Artifact, *spot, *tool.Error) {
	from, ok1 := call.Args["from"].(string)
	path, ok2 := call.Args["path"].(string)
	if _, _, fail := k.place(path); ok2 && fail != nil && fail.Class == tool.PolicyDenied {
		return tool.Artifact{}, nil, fail
	}
	if !ok1 || !ok2 || len(call.Args) != 2 {
		return tool.Artifact{}, nil, tool.NewError(tool.ValidationError, "bad_args", message.New("files.keep_arguments", "tool", KeepName))
	}
	if k.Artifact == nil {
		return tool.Artifact{}, nil, tool.NewError(tool.ToolUnavailable, "nothing_kept", message.New("files.no_artifacts", "tool", KeepName))
	}
	a, err := k.Artifact(ctx, call.RunID, from)
	if err != nil {
		return a, nil, tool.AsError(err)
	}
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		path = filepath.Join(path, filepath.Base(a.Name))
	}
	s, err := k.open(call, path)
	if errors.Is(err, errAbsent) {
		return a, nil, tool.NewError(tool.ExecutionError, "folder_missing", message.New("files.folder_missing", "path", path)).WithHint(message.New("files.create_folder_first"))
	}
	if err != nil {
		return a, nil, tool.AsError(err)
	}
	return a, s, nil
}

func (k *keeper) keptResult(path string, a tool.Artifact) tool.Result {
	sum := sha256.Sum256(a.Data)
	this := identity{kind: fileKind, size: strconv.Itoa(len(a.Data)), sum: hex.EncodeToString(sum[:])}
	r := tool.OK(map[string]any{"path": path, "saved": true, "size": len(a.Data), "sha256": this.sum})
	r.Facts = []string{"exists:" + path}
	r.Undo = &tool.Inverse{Tool: DeleteFileName, Args: map[string]any{"path": path, "if_unchanged": this.String()}}
	return r
}

// Reconcile implements [tool.Reconciler]: the call had its effect if there is a
// file with the same content.
func (k *keeper) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	a, s, fail := k.ready(ctx, call)
	if fail != nil {
		return tool.Reconciled{}, fail
	}
	defer s.close()
	f, err := s.parent.Open(s.name)
	if errors.Is(err, fs.ErrNotExist) {
		return tool.Reconciled{Effect: tool.Released}, nil
	}
	if err != nil {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	defer f.Close()
	there, err := io.ReadAll(io.LimitReader(f, int64(len(a.Data))+1))
	if err != nil || string(there) != string(a.Data) {
		return tool.Reconciled{Effect: tool.Unknown}, nil // another file, or this one with a number in its name
	}
	return committedEffect(k.keptResult(s.path, a)), nil
}
