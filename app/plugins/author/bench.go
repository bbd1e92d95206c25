package author

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"errand/app/plugins"
	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Bench says what is measured: a tool of a folder, or a function of a
// module.
type Bench struct {
	ToolCall               // where Folder is given; without arguments those of its first case
	Function ModuleCall    // where it is not
	Duration time.Duration // of warm calls
	Calls    int           // at most; 0: as many as fit
}

// BenchReport is what calls take. Durations are in nanoseconds.
type BenchReport struct {
	Name   string          `json:"what"` // tool or function
	Args   json.RawMessage `json:"args,omitempty"`
	Cold   time.Duration   `json:"cold_ns"`   // compiling and an instance, nothing kept from before
	Cached time.Duration   `json:"cached_ns"` // the same from the code cache
	First  time.Duration   `json:"first_ns"`  // the first call after that
	Calls  int             `json:"calls"`     // warm ones
	Total  time.Duration   `json:"took_ns"`   // all of them
	Min    time.Duration   `json:"min_ns"`
	P50    time.Duration   `json:"p50_ns"`
	P90    time.Duration   `json:"p90_ns"`
	P99    time.Duration   `json:"p99_ns"`
	Max    time.Duration   `json:"max_ns"`
	Fuel   uint64          `json:"fuel"`   // of the last call
	Steady bool            `json:"steady"` // each call used the same
	Memory uint64          `json:"memory"` // bytes, the most of any call
	Output int             `json:"output"` // bytes, the most of any call
	wasm.InstanceState
	Limits *manifest.Limits `json:"limits,omitempty"` // of a folder's manifest; its timeout is the tool's
}

// benchTarget is the target of repeated calls.
type benchTarget interface {
	prepare(ctx context.Context) (wasm.InstanceState, error)
	call(ctx context.Context) (wasm.Usage, error)
	close()
}

// Bench measures calls one after the other: cold, from the code cache,
// and warm. A call that fails ends it with its error.
func (k *Kit) Bench(ctx context.Context, b Bench) (r BenchReport, err error) {
	dir, err := os.MkdirTemp("", "errand-bench-")
	if err != nil {
		return r, tool.NewError(tool.ExecutionError, "no_folder", message.New("author.make_cache", "cause", err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	open := k.benchModule
	if b.Folder != "" {
		open = k.benchTool
	}
	for _, durations := range []*time.Duration{&r.Cold, &r.Cached} {
		m, err := open(&b, &r, wasm.Options{CacheDir: filepath.Join(dir, "code"), KeyFile: filepath.Join(dir, "key")})
		if err != nil {
			return r, err
		}
		start := time.Now()
		r.InstanceState, err = m.prepare(ctx)
		*durations = time.Since(start)
		if err == nil && durations == &r.Cached {
			err = r.warm(ctx, m, b)
		}
		m.close()
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// warm makes the first call and then those that are measured.
func (r *BenchReport) warm(ctx context.Context, m benchTarget, b Bench) error {
	start := time.Now()
	if _, err := m.call(ctx); err != nil {
		return err
	}
	r.First = time.Since(start)
	var durations []time.Duration
	r.Steady = true
	for begin := time.Now(); len(durations) == 0 || r.Total < b.Duration && (b.Calls == 0 || len(durations) < b.Calls); r.Total = time.Since(begin) {
		start := time.Now()
		u, err := m.call(ctx)
		if err != nil {
			return err
		}
		durations = append(durations, time.Since(start))
		r.Steady = r.Steady && (r.Fuel == 0 || r.Fuel == u.Fuel)
		r.Fuel, r.Memory, r.Output = u.Fuel, max(r.Memory, u.Memory), max(r.Output, u.Output)
	}
	slices.Sort(durations)
	at := func(percent int) time.Duration { return durations[min(len(durations)-1, len(durations)*percent/100)] }
	r.Calls, r.Min, r.P50, r.P90, r.P99, r.Max = len(durations), durations[0], at(50), at(90), at(99), durations[len(durations)-1]
	return nil
}

// benchTool opens a plugin's folder.
func (k *Kit) benchTool(b *Bench, r *BenchReport, cache wasm.Options) (benchTarget, error) {
	at, err := k.Set.FindCallable(b.Folder)
	if err != nil {
		return nil, err
	}
	m := at.Manifest
	exampleOf(&b.ToolCall, m)
	o, err := k.options(b.ToolCall, m)
	if err != nil {
		return nil, err
	}
	o.CacheDir, o.KeyFile = cache.CacheDir, cache.KeyFile
	t := &benchedTool{named: at.IsAuthorFolder}
	o.Used = func(_ string, u wasm.Usage) { t.usage = u }
	t.host = wasm.New(o)
	if t.plugin, err = k.Set.LoadInto(t.host, at); err == nil {
		t.tool, err = toolNamed(t.plugin, b.Tool)
	}
	if err == nil {
		t.args, err = schema.ReadArguments(b.Args)
	}
	if err == nil {
		if refused := checkArgs(at, t.tool.Spec(), t.args); refused != nil {
			err = refused
		}
	}
	if err != nil {
		t.close()
		return nil, tool.AsError(err)
	}
	r.Name, r.Args = t.tool.Spec().Name, orEmptyObject(b.Args)
	limits := m.Limits
	limits.TimeoutMS = t.tool.Spec().TimeoutMS
	r.Limits = &limits
	return t, nil
}

func orEmptyObject(args []byte) []byte {
	if len(args) == 0 {
		return []byte("{}")
	}
	return args
}

// exampleOf fills in, where no arguments are given, those of the tool's first
// case that answers a payload and needs neither files nor a network.
func exampleOf(c *ToolCall, m manifest.Manifest) {
	if len(c.Args) > 0 {
		return
	}
	for _, t := range m.Tools {
		if c.Tool != "" && t.Name != c.Tool && t.Name != m.ID+"."+c.Tool {
			continue
		}
		for _, k := range t.Cases {
			args, err := json.Marshal(k.Args)
			if err != nil || k.Payload == nil || len(k.Files)+len(k.HTTP)+len(k.Config) > 0 || strings.Contains(string(args), manifest.Root) {
				continue
			}
			if c.Tool, c.Args = t.Name, args; k.Args == nil {
				c.Args = nil
			}
			return
		}
	}
}

type benchedTool struct {
	named  bool // of a folder that the user named
	host   *wasm.Host
	plugin *wasm.Plugin
	tool   tool.Tool
	args   map[string]any
	usage  wasm.Usage
}

func (t *benchedTool) prepare(ctx context.Context) (wasm.InstanceState, error) {
	standing, err := t.plugin.InstanceState(ctx)
	if t.named {
		err = plugins.InputError(err)
	}
	return standing, err
}

func (t *benchedTool) call(ctx context.Context) (wasm.Usage, error) {
	result, err := t.tool.Call(ctx, tool.Call{RunID: "bench", ActionID: "a1", Tool: t.tool.Spec().Name, Args: t.args})
	if err == nil && result.Error != nil {
		err = result.Error
	}
	return t.usage, err
}

func (t *benchedTool) close() { closeHost(t.host) }

// benchModule opens a module without a manifest.
func (k *Kit) benchModule(b *Bench, r *BenchReport, cache wasm.Options) (benchTarget, error) {
	c := b.Function
	code, err := k.Set.ReadModule(c.File)
	if err != nil {
		return nil, err
	}
	o, err := k.options(ToolCall{}, manifest.Manifest{})
	if err != nil {
		return nil, err
	}
	o.CacheDir, o.KeyFile = cache.CacheDir, cache.KeyFile
	f := &benchedFunction{host: wasm.New(o), c: c}
	f.session, err = f.host.Session(wasm.Module{Name: c.File, Bytes: code}, manifest.Fresh, wasm.CallOptions{
		Config: c.Config, AllowHosts: c.AllowHosts, Mounts: c.Mounts, Timeout: c.Timeout, Memory: c.MemoryBytes,
	})
	if err != nil {
		f.close()
		return nil, plugins.InputError(err)
	}
	r.Name = c.Function
	return f, nil
}

type benchedFunction struct {
	host    *wasm.Host
	session *wasm.Session
	c       ModuleCall
}

func (f *benchedFunction) prepare(ctx context.Context) (wasm.InstanceState, error) {
	standing, err := f.session.InstanceState(ctx)
	return standing, plugins.InputError(err)
}

func (f *benchedFunction) call(ctx context.Context) (wasm.Usage, error) {
	out, err := f.session.Call(ctx, f.c.Function, f.c.Input)
	if err == nil && !out.Error.IsZero() {
		err = tool.NewError(tool.ExecutionError, "plugin_error", message.New("author.plugin_error", "function", f.c.Function, "cause", out.Error))
	}
	return wasm.Usage{Fuel: out.Fuel, Memory: out.Memory, Output: len(out.Data)}, err
}

func (f *benchedFunction) close() { closeHost(f.host) }
