package trial

import (
	"context"
	"errors"
	"io/fs"
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
	"errand/planner/message"
)

// stage runs cases: a host with the folders, settings and network of the current
// case.
type stage struct {
	fsys     fs.FS
	o        Options
	host     *wasm.Host
	manifest wasm.Manifest
	schemas  schema.Checker
	clock    clock
	dir      string   // temporary
	folders  []string // one folder in dir for each key of [[paths]]

	mu      sync.Mutex
	current scene
}

// scene is the current case.
type scene struct {
	config map[string]any
	net    *network
	logs   []wasm.LogLine
}

func open(fsys fs.FS, o Options) (*stage, error) {
	probe := wasm.New(wasm.Options{Reserved: o.Reserved})
	defer probe.Close(context.Background())
	p, err := probe.Load(fsys)
	if err != nil {
		return nil, err
	}
	s := &stage{fsys: fsys, o: o, manifest: p.Manifest()}
	s.schemas.Display = message.New("schema.see_manifest")
	if s.dir, err = os.MkdirTemp("", "errand-case-"); err != nil {
		return nil, tool.NewError(tool.ExecutionError, "no_folder", message.New("kit.make_folder", "cause", err))
	}
	if real, err := filepath.EvalSymlinks(s.dir); err == nil {
		s.dir = real // payloads contain resolved paths
	}
	roots := map[string][]string{}
	for _, p := range s.manifest.Paths {
		if roots[p.Root] == nil {
			s.folders = append(s.folders, filepath.Join(s.dir, strconv.Itoa(len(s.folders))))
			roots[p.Root] = s.folders[len(s.folders)-1:]
		}
	}
	s.host = wasm.New(wasm.Options{
		CacheDir: o.CacheDir, KeyFile: o.KeyFile, Roots: roots, Effort: o.Effort,
		Client: s.client, Clock: &s.clock,
		Config: func(string) map[string]any {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.current.config
		},
		Log: func(_ context.Context, _, level string, line message.Message) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.current.logs = append(s.current.logs, wasm.LogLine{Level: level, Message: line})
		},
	})
	return s, nil
}

// close releases everything. A running compilation can't be interrupted; if ctx
// ends, close does not wait for it.
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

// set prepares the stage for a case.
func (s *stage) set(c manifest.Case) error {
	at, err := c.Time()
	if err != nil {
		return tool.NewError(tool.ValidationError, "bad_manifest", message.New("kit.case_now", "cause", err))
	}
	s.clock.set(at)
	files, err := c.Content()
	if err != nil {
		return tool.NewError(tool.ValidationError, "bad_manifest", message.New("kit.case_files", "cause", err))
	}
	for i, folder := range s.folders {
		if err := fill(folder, map[bool]map[string][]byte{true: files}[i == 0]); err != nil {
			return tool.NewError(tool.ExecutionError, "no_folder", message.New("kit.make_case_files", "cause", err))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = scene{config: c.Config, net: newNetwork(c.HTTP), logs: []wasm.LogLine{}}
	return nil
}

// fill replaces the content of a folder. It keeps the folder itself, because an
// instance may have it open.
func fill(folder string, files map[string][]byte) error {
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
		if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o700), os.WriteFile(place, content, 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// insertRoot replaces {{root}} in a value with the first folder.
func (s *stage) insertRoot(v any) any {
	return tool.MapLeaves(v, func(leaf any) any {
		if text, ok := leaf.(string); ok && len(s.folders) > 0 {
			return strings.ReplaceAll(text, manifest.Root, s.folders[0])
		}
		return leaf
	})
}
