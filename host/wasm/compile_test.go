package wasm_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/engine"
)

// loading is a folder whose module's second reading, which is for compiling, is told.
type loading struct {
	fstest.MapFS
	mu     sync.Mutex
	reads  int
	loaded chan struct{}
	once   sync.Once
}

func (l *loading) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".wasm") {
		l.mu.Lock()
		l.reads++
		if l.reads > 1 {
			l.once.Do(func() { close(l.loaded) })
		}
		l.mu.Unlock()
	}
	return l.MapFS.Open(name)
}

// slowModule is a module that takes seconds to compile: functions with many loads, and the
// function go.
func slowModule(functions int) []byte {
	code := bytes.Repeat([]byte("\x41\x00\x28\x02\x00\x1a"), 5000)
	body := slices.Concat([]byte{0}, code, []byte("\x0b"))
	body = slices.Concat(uvarint(len(body)), body)
	part := func(id byte, count int, entries []byte) []byte {
		content := append(uvarint(count), entries...)
		return slices.Concat([]byte{id}, uvarint(len(content)), content)
	}
	return slices.Concat([]byte("\x00asm\x01\x00\x00\x00"), part(1, 1, []byte("\x60\x00\x00")), part(3, functions, make([]byte, functions)),
		part(5, 1, []byte{0, 1}), part(7, 1, []byte("\x02go\x00\x00")), part(10, functions, bytes.Repeat(body, functions)))
}

// TestCompileEnds: a cancel ends a call whose module is being compiled, and the
// compilation itself; a later call compiles it again. Closing the host waits for no
// compilation.
func TestCompileEnds(t *testing.T) {
	manifest := []byte("schema = 1\nid = \"s\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n[[tool]]\nname = \"s\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n")
	uncached := wasm.New(wasm.Options{})
	defer uncached.Close(t.Context())
	p, err := uncached.Load(fstest.MapFS{"plugin.toml": {Data: manifest}, "m.wasm": {Data: slowModule(20)}})
	must.Succeed(t, err)
	begin := time.Now()
	must.Succeed(t, p.Prepare(t.Context()))
	tenth := time.Since(begin)
	for _, tt := range []struct {
		name string
		do   func(ctx context.Context, p *wasm.Plugin) error
	}{
		{"a call", func(ctx context.Context, p *wasm.Plugin) error {
			r, err := p.Tools()[0].Call(ctx, tool.Call{Tool: "s", ActionID: "a1", Args: map[string]any{}})
			if err == nil && r.Error != nil {
				err = r.Error
			}
			return err
		}},
		{"preparing", func(ctx context.Context, p *wasm.Plugin) error { return p.Prepare(ctx) }},
		{"checking the start", func(ctx context.Context, p *wasm.Plugin) error { return p.CheckStart(ctx) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := &loading{MapFS: fstest.MapFS{"plugin.toml": {Data: manifest}, "m.wasm": {Data: slowModule(200)}}, loaded: make(chan struct{})}
			h := wasm.New(wasm.Options{})
			p, err := h.Load(files)
			must.Succeed(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-files.loaded; cancel() }()
			if err := tt.do(ctx, p); tool.AsError(err) == nil || tool.AsError(err).Code != "interrupted" {
				t.Errorf("%v, want interrupted", err)
			}
			begin := time.Now()
			if err := h.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if took := time.Since(begin); took > 5*tenth {
				t.Errorf("closing took %v, and a tenth of the compilation %v", took, tenth)
			}
		})
	}
	t.Run("a later call", func(t *testing.T) {
		files := &loading{MapFS: fstest.MapFS{"plugin.toml": {Data: manifest}, "m.wasm": {Data: slowModule(3)}}, loaded: make(chan struct{})}
		p, err := newHost(t, wasm.Options{}).Load(files)
		must.Succeed(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.Prepare(ctx); tool.AsError(err) == nil || tool.AsError(err).Code != "interrupted" {
			t.Errorf("%v, want interrupted", err)
		}
		if err := p.Prepare(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Run("the compilation", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := engine.Compile(ctx, slowModule(200), engine.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want canceled", err)
		}
	})
	t.Run("an inspection", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := wasm.Foresee(ctx, wasm.Module{Name: "m", Bytes: slowModule(3)}, 1); tool.AsError(err) == nil || tool.AsError(err).Code != "interrupted" {
			t.Errorf("%v, want interrupted", err)
		}
	})
}

// TestEffortOfPlugin: a module that takes more than the usual bounds is refused by all
// that would compile it, and accepted for a plugin whose bounds the user raised.
func TestEffortOfPlugin(t *testing.T) {
	manifest := []byte("schema = 1\nid = \"s\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n[[tool]]\nname = \"s\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n")
	// One function is longer than usual, and made of instructions that are compiled fast.
	body := slices.Concat([]byte{0}, bytes.Repeat([]byte{0x01}, 3<<20), []byte("\x0b"))
	code := slices.Concat(uvarint(1), uvarint(len(body)), body)
	module := slices.Concat([]byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x07\x06\x01\x02go\x00\x00\x0a"), uvarint(len(code)), code)
	for _, tt := range []struct {
		name   string
		effort func(string) int
		code   string
	}{
		{"usual", nil, "module_too_complex"},
		{"of another plugin", func(id string) int { return map[string]int{"t": 5}[id] }, "module_too_complex"},
		{"raised", func(id string) int { return map[string]int{"s": 5}[id] }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// Without a cache: compiled code that is there already may be used.
			h := wasm.New(wasm.Options{Effort: tt.effort})
			t.Cleanup(func() { _ = h.Close(context.Background()) })
			p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: manifest}, "m.wasm": {Data: module}})
			must.Succeed(t, err)
			effort := 1
			if tt.effort != nil {
				effort = tt.effort("s")
			}
			_, foreseen := wasm.Foresee(t.Context(), wasm.Module{Name: "s/m.wasm", Bytes: module}, effort)
			for _, err := range []error{p.Prepare(t.Context()), foreseen} {
				if got := tool.AsError(err); (got == nil) != (tt.code == "") || got != nil && (got.Code != tt.code || !strings.Contains(got.Hint.String(), "build_smaller_functions")) {
					t.Errorf("%v, want %q", err, tt.code)
				}
			}
		})
	}
}
