package wasm

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"errand/host/tool"
	"errand/host/wasm/inspect"
)

// MaxModule is the biggest module that is looked at, in bytes.
const MaxModule = 64 << 20

// compilation is a module that is compiled or being compiled. Its fields are
// readable once done is closed.
type compilation struct {
	done       chan struct{}
	module     wazero.CompiledModule
	engine     *engine // that it was compiled by and runs on
	inspection Inspection
	err        error // *tool.Error
}

// compiled answers the module with the digest, compiling the code that load
// answers where that hasn't happened yet. Compiling goes on where ctx ends
// first, so that asking again finds more of it done.
func (h *Host) compiled(ctx context.Context, digest string, load func() ([]byte, error)) (*compilation, error) {
	e, err := h.started()
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	c, ok := h.modules[digest]
	if !ok {
		if h.closed {
			h.mu.Unlock()
			return nil, errClosed
		}
		c = &compilation{done: make(chan struct{})}
		h.modules[digest] = c
		h.busy.Add(1)
		go func() {
			defer h.busy.Done()
			defer close(c.done)
			if c.err = c.compile(h.ctx, h, e, load); c.err != nil {
				h.forget(digest) // a file that was mended is worth another try
			}
		}()
	}
	h.mu.Unlock()
	select {
	case <-c.done:
		return c, c.err
	case <-ctx.Done():
		return nil, tool.Errorf(tool.ToolTimeout, "still_compiling", "the plugin was still being compiled when the call had to end: %v", ctx.Err()).
			WithHint("try again: compiling happens once")
	}
}

func (h *Host) forget(digest string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.modules, digest)
}

func (c *compilation) compile(ctx context.Context, h *Host, e *engine, load func() ([]byte, error)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = badModule("the compiler broke on it: %v", p)
		}
	}()
	code, err := load()
	if err != nil {
		return tool.AsError(err)
	}
	if c.inspection, err = inspect.Read(code); err != nil {
		return badModule("%v", err)
	}
	if err := linkable(&c.inspection, e); err != nil {
		return err
	}
	if code, err = inspect.ClampTables(code); err != nil {
		return badModule("%v", err)
	}
	ctx = experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
	c.engine = e
	c.module, err = e.runtime.CompileModule(ctx, code)
	if err != nil && e.onDisk {
		err = c.again(ctx, h, code, err)
	}
	if err != nil {
		return badModule("it does not compile: %v", err)
	}
	return nil
}

// again compiles without the cache folder what did not compile with it: the
// folder may be full, gone or damaged, and none of that is the plugin's fault.
func (c *compilation) again(ctx context.Context, h *Host, code []byte, first error) error {
	spare, err := h.withoutFolder()
	if err != nil {
		return err
	}
	c.engine = spare
	if c.module, err = spare.runtime.CompileModule(ctx, code); err == nil {
		h.cacheFailed(first)
	}
	return err
}

// unavailable is an error of a module that can't be run as it is: trying again
// won't help.
func unavailable(code, format string, args ...any) *tool.Error {
	err := tool.Errorf(tool.ToolUnavailable, code, format, args...)
	err.Retriable = false
	return err
}

func badModule(format string, args ...any) *tool.Error {
	return unavailable("bad_module", format, args...)
}

// linkable says what is wrong with a module that can be read and not run: its
// kind, or what it imports.
func linkable(i *Inspection, e *engine) error {
	if i.Problem != "" {
		return unavailable("unsupported_module", "%s", i.Problem).WithHint("%s", i.Cure)
	}
	var missing []string
	newer := false
	for _, imp := range i.Imports {
		var d api.FunctionDefinition
		if imp.Kind == "func" {
			d = e.function(imp.Module, imp.Name)
		}
		switch {
		case d == nil:
			missing = append(missing, fmt.Sprintf("%s %q %q", imp.Kind, imp.Module, imp.Name))
			newer = newer || imp.Module == inspect.ExtismModule
		case signature(d) != imp.Type:
			return badModule("it imports %q %q as %s, which is %s", imp.Module, imp.Name, imp.Type, signature(d))
		}
	}
	switch {
	case len(missing) == 0:
		return nil
	case newer:
		return unavailable("missing_imports", "it imports what this host does not have: %s", strings.Join(missing, ", ")).
			WithHint("its PDK may be newer than this host: update the program, or build with an older PDK")
	}
	return unavailable("missing_imports", "it imports what this host does not have: %s", strings.Join(missing, ", ")).
		WithHint("plugins import functions of %s and %s alone", inspect.ExtismModule, inspect.WASIModule)
}

// function answers what a plugin may import by a name, nil where there is
// nothing. Other modules of the runtime are the host's own.
func (e *engine) function(module, name string) api.FunctionDefinition {
	if module == inspect.WASIModule {
		return e.runtime.Module(module).ExportedFunctionDefinitions()[name]
	}
	return e.abi.Function(module, name)
}

// signature writes a function's type as an [inspect.Import] has it.
func signature(d api.FunctionDefinition) string {
	list := func(types []api.ValueType) string {
		names := make([]string, len(types))
		for i, t := range types {
			names[i] = api.ValueTypeName(t)
		}
		return "(" + strings.Join(names, ", ") + ")"
	}
	return list(d.ParamTypes()) + " -> " + list(d.ResultTypes())
}
