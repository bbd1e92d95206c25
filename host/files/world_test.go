//go:build linux

package files_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/files"
	"errand/host/tool"
	"errand/planner/message"
)

// world is a home with a trash and one granted folder.
type world struct {
	t     *testing.T
	root  string
	trash string
	tools map[string]tool.Tool
}

func newWorld(t *testing.T) world {
	t.Helper()
	return worldAt(t, t.TempDir())
}

// worldAt is a world whose granted folder is the given one.
func worldAt(t *testing.T, roots ...string) world {
	t.Helper()
	w := world{t: t, root: roots[0], trash: filepath.Join(t.TempDir(), "Trash"), tools: map[string]tool.Tool{}}
	for _, tl := range files.Tools(files.Options{
		Roots: func() []string { return roots }, TrashDir: w.trash,
		Artifact: func(_ context.Context, _, call string) (tool.Artifact, error) {
			if call != "a2" {
				return tool.Artifact{}, tool.NewError(tool.ValidationError, "nothing_made", message.New("app.nothing_made", "call_id", call))
			}
			return tool.Artifact{Name: "page.pdf", Data: []byte("%PDF")}, nil
		},
		Now: func() time.Time { return time.Date(2026, 3, 1, 12, 30, 15, 0, time.Local) },
	}) {
		w.tools[tl.Spec().Name] = tl
	}
	return w
}

func (w world) at(rel string) string { return filepath.Join(w.root, rel) }

func (w world) mkdir(rel string) {
	w.t.Helper()
	must.Succeed(w.t, os.MkdirAll(w.at(rel), 0o755))
}

func (w world) write(rel, content string) {
	w.t.Helper()
	w.mkdir(filepath.Dir(rel))
	must.Succeed(w.t, os.WriteFile(w.at(rel), []byte(content), 0o600))
}

func (w world) link(target, rel string) {
	w.t.Helper()
	must.Succeed(w.t, os.Symlink(target, w.at(rel)))
}

func (w world) call(name string, args map[string]any) tool.Result {
	w.t.Helper()
	return w.keyed(name, "", args)
}

func (w world) keyed(name, key string, args map[string]any) tool.Result {
	w.t.Helper()
	r, err := w.tools[name].Call(w.t.Context(), tool.Call{Tool: name, Args: args, Key: key})
	must.Succeed(w.t, err)
	return r
}

// undo carries out a result's inverse.
func (w world) undo(r tool.Result) tool.Result {
	w.t.Helper()
	if r.Undo == nil {
		w.t.Fatalf("there is no undo in %+v, %v", r, r.Error)
	}
	return w.call(r.Undo.Tool, r.Undo.Args)
}

func (w world) forecast(name string, args map[string]any) (tool.Forecast, error) {
	return w.tools[name].(tool.Forecaster).Forecast(context.Background(), tool.Call{Tool: name, Args: args})
}

func (w world) reconcile(name, key string, args map[string]any) tool.Reconciled {
	w.t.Helper()
	r, err := w.tools[name].(tool.Reconciler).Reconcile(w.t.Context(), tool.Call{Tool: name, Args: args, Key: key})
	must.Succeed(w.t, err)
	return r
}

func args(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

func code(r tool.Result) string {
	if r.Error == nil {
		return ""
	}
	return r.Error.Code
}

func read(t *testing.T, name string) string {
	t.Helper()
	return string(must.ReadFile(t, name))
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// tree lists what is below a folder, by relative paths; nil where it is not
// there.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		if p != dir {
			out = append(out, strings.TrimPrefix(p, dir+"/"))
		}
		return err
	})
	if err != nil && exists(dir) {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func contextEnded(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx, cancel
}
