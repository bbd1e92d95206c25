// Package trial runs the cases of a plugin's manifest: each call in folders of
// its own with the settings that the case gives, over recorded answers in place
// of the network, with the plugin's own limits. A case that passes does so on
// every machine, unless what it expects has the clock or randomness in it:
// those are the real ones.
package trial

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// Options are what cases run with.
type Options struct {
	CacheDir string // of compiled modules, as in [wasm.Options]
	// Record, where set, answers the client whose answers are recorded; what
	// cases have recorded is not used. It has to keep to the hosts it is given.
	Record func(caller string, hosts []string) *http.Client
	// Only picks cases by tool and title; nil picks all.
	Only func(tool, title string) bool
}

// Outcome is what came of a case.
type Outcome struct {
	Tool     string              `json:"tool"`
	Case     string              `json:"case"`
	Number   int                 `json:"number"`          // among all cases of the manifest, from 0
	Diffs    []Diff              `json:"diffs"`           // none: it passed
	Error    *tool.Error         `json:"error,omitempty"` // what the call answered where a payload was expected
	Logs     []wasm.LogLine      `json:"logs"`
	Duration time.Duration       `json:"duration_ns"`
	Recorded []manifest.Exchange `json:"recorded,omitempty"`
}

// Passed reports whether everything came as expected.
func (o Outcome) Passed() bool { return len(o.Diffs) == 0 }

// Run runs the cases of the plugin in a folder, one after the other in the order
// of the manifest. The error is for a plugin that can't be loaded, a temporary
// folder that can't be made, or ctx: a case that fails is an outcome.
func Run(ctx context.Context, fsys fs.FS, o Options) (outcomes []Outcome, err error) {
	s, err := open(fsys, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close(ctx)) }()
	number := -1
	for i, t := range s.manifest.Tools {
		for n, c := range t.Cases {
			number++
			title := c.Title(n + 1)
			if o.Only != nil && !o.Only(t.Name, title) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return outcomes, err
			}
			out := Outcome{Tool: t.Name, Case: title, Number: number}
			if err := s.run(ctx, &out, i, c); err != nil {
				return outcomes, err
			}
			outcomes = append(outcomes, out)
		}
	}
	return outcomes, nil
}

// stage is where cases are played: a host whose folders, settings and network
// are those of the case that is on.
type stage struct {
	fsys     fs.FS
	o        Options
	host     *wasm.Host
	manifest wasm.Manifest
	schemas  schema.Checker
	dir      string   // temporary
	folders  []string // in it, one for each key of [[paths]]

	mu  sync.Mutex
	now scene
}

// scene is the case that is on.
type scene struct {
	config map[string]any
	net    *network
	logs   []wasm.LogLine
}

func open(fsys fs.FS, o Options) (*stage, error) {
	probe := wasm.New(wasm.Options{})
	defer probe.Close(context.Background())
	p, err := probe.Load(fsys)
	if err != nil {
		return nil, err
	}
	s := &stage{fsys: fsys, o: o, manifest: p.Manifest()}
	if s.dir, err = os.MkdirTemp("", "errand-case-"); err != nil {
		return nil, tool.Errorf(tool.ExecutionError, "no_folder", "make a folder for the cases: %v", err)
	}
	if real, err := filepath.EvalSymlinks(s.dir); err == nil {
		s.dir = real // payloads have paths without links
	}
	roots := map[string][]string{}
	for _, p := range s.manifest.Paths {
		if roots[p.Root] == nil {
			s.folders = append(s.folders, filepath.Join(s.dir, strconv.Itoa(len(s.folders))))
			roots[p.Root] = s.folders[len(s.folders)-1:]
		}
	}
	s.host = wasm.New(wasm.Options{
		CacheDir: o.CacheDir, Roots: roots,
		Client: s.client,
		Config: func(string) map[string]any {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.now.config
		},
		Log: func(_, level, message string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.now.logs = append(s.now.logs, wasm.LogLine{Level: level, Message: message})
		},
	})
	return s, nil
}

// close releases all. A module that is compiling can't be interrupted; who has
// lost patience with it is not kept waiting.
func (s *stage) close(ctx context.Context) error {
	patience := time.Minute
	if ctx.Err() != nil {
		patience = 100 * time.Millisecond
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := s.host.Close(limited)
	if ctx.Err() != nil {
		err = nil
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

// run plays one case of the i-th tool.
func (s *stage) run(ctx context.Context, out *Outcome, i int, c manifest.Case) error {
	if err := s.set(c); err != nil {
		return err
	}
	// Loaded anew, so that a sticky plugin has not seen the case before.
	p, err := s.host.Load(s.fsys)
	if err != nil {
		return err
	}
	args, _ := s.placed(plain(c.Args)).(map[string]any)
	if args == nil {
		args = map[string]any{}
	}
	t := p.Tools()[i]
	if err := p.Prepare(ctx); err != nil {
		return err
	}
	start := time.Now()
	result := s.call(ctx, t, args)
	out.Duration = time.Since(start)
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out.Logs = s.now.logs
	out.Error = result.Error
	out.Diffs = s.compare(c, result)
	if s.o.Record != nil {
		out.Recorded = s.now.net.made
		if s.now.net.fault != nil {
			out.Diffs = append(out.Diffs, Diff{Field: "http", Got: s.now.net.fault.Error()})
		}
		return nil
	}
	for _, x := range s.now.net.unused() {
		out.Diffs = append(out.Diffs, Diff{Field: "http", Want: x.Method + " " + x.URL, Got: "the request was not made"})
	}
	return nil
}

// call makes the call as the program would: nothing reaches a plugin that its
// schema refuses.
func (s *stage) call(ctx context.Context, t tool.Tool, args map[string]any) tool.Result {
	if err := s.schemas.Check(t.Spec(), args); err != nil {
		return tool.Result{Error: err}
	}
	result, err := t.Call(ctx, tool.Call{RunID: "case", CallID: "a1", Tool: t.Spec().Name, Args: args, Key: key(t.Spec())})
	if err != nil { // it broke half-way
		return tool.Result{Error: tool.AsError(err)}
	}
	return result
}

// key is the idempotency key of a case: the same each time.
func key(spec tool.Spec) string {
	if spec.SideEffectClass == tool.Read {
		return ""
	}
	return "case:a1"
}

// set clears the stage for a case.
func (s *stage) set(c manifest.Case) error {
	for i, folder := range s.folders {
		if err := fill(folder, map[bool]map[string]string{true: c.Files}[i == 0]); err != nil {
			return tool.Errorf(tool.ExecutionError, "no_folder", "make the case's files: %v", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = scene{config: c.Config, net: newNetwork(c.HTTP), logs: []wasm.LogLine{}}
	return nil
}

// fill has a folder hold files and nothing else. The folder itself stays: an
// instance that is kept may hold it open.
func fill(folder string, files map[string]string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	for name, content := range files {
		place := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o700), os.WriteFile(place, []byte(content), 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// placed is a value with {{root}} replaced by the first folder.
func (s *stage) placed(v any) any {
	switch v := v.(type) {
	case string:
		if len(s.folders) == 0 {
			return v
		}
		return strings.ReplaceAll(v, manifest.Root, s.folders[0])
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			out[k] = s.placed(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = s.placed(item)
		}
		return out
	}
	return v
}
