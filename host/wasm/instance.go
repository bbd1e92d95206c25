package wasm

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/sys"

	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/host/wasm/inspect"
	"errand/host/wasm/rootfs"
)

// Mount shows a folder of this machine to a plugin.
type Mount struct {
	Host     string // folder of this machine; one that doesn't exist is left out
	Guest    string // absolute path in the plugin
	ReadOnly bool
}

// setup is what an instance is made of, beside its module.
type setup struct {
	name   string // of the plugin or file, for messages
	limits limits
	mounts []Mount
	log    *logger
	extism *extism.Call // of a plugin that speaks the Extism ABI: its first call
	stdin  io.Reader
}

// instance is one running copy of a module. It serves one call at a time.
type instance struct {
	setup
	module api.Module
	kernel *extism.Kernel    // of a plugin that speaks the Extism ABI
	vars   map[string][]byte // of kernel's calls
	memory *boundedMemory
	stdout boundedBuffer
	stderr lineWriter
	lines  lineWriter      // standard output where it is no answer
	ctx    context.Context // of the call that runs now
	broken *tool.Error     // a limit that was passed, set before the instance is ended
	closes []io.Closer
	begun  bool // the guest's runtime is initialised
}

// open makes an instance. Its start section runs here, within ctx.
func (e *engine) open(ctx context.Context, c *compilation, s setup) (*instance, error) {
	i := &instance{setup: s, ctx: ctx, memory: &boundedMemory{limit: uint64(s.limits.memory)}}
	if err := i.instantiate(ctx, e, c); err != nil {
		i.close()
		return nil, err
	}
	return i, nil
}

func (i *instance) instantiate(ctx context.Context, e *engine, c *compilation) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = tool.Errorf(tool.ExecutionError, "host_fault", "the host broke while it started %s: %v", i.name, p)
		}
	}()
	if m := c.inspection.Memory; m != nil && m.Min > i.memory.limit {
		return i.limits.memoryExceeded(i.name, fmt.Sprintf("it starts with %d bytes", m.Min))
	}
	if i.extism != nil {
		if i.kernel, err = e.abi.New(ctx, uint64(i.limits.memory)); err != nil {
			return tool.Errorf(tool.ExecutionError, "host_fault", "%s: %v", i.name, err)
		}
		if err := i.kernel.Begin(ctx, i.extism, nil); err != nil { // a start section may use it
			return err
		}
		ctx = i.kernel.Link(i.extism, nil)
	}
	ctx = experimental.WithMemoryAllocator(ctx, i.memory)
	module, err := e.runtime.InstantiateModule(ctx, c.module, i.config())
	if err != nil {
		return i.fault(ctx, err)
	}
	i.module = module
	return nil
}

// config is what the instance gets of the world: its mounts, clock, randomness
// and standard streams. There are no variables, no arguments and no sockets.
func (i *instance) config() wazero.ModuleConfig {
	i.stdout = boundedBuffer{limit: uint64(i.limits.output), overflow: func() {
		i.stop(i.limits.outputExceeded(i.name))
	}}
	i.stderr.log = func(line string) { i.log.log("info", line) }
	i.lines.log = i.stderr.log
	folders := wazero.NewFSConfig()
	for _, m := range i.mounts {
		fs, err := rootfs.Open(m.Host, m.ReadOnly)
		if err != nil {
			i.log.log("debug", fmt.Sprintf("%s is not shown to the plugin: %v", m.Host, err))
			continue
		}
		i.closes = append(i.closes, fs)
		folders = folders.(sysfs.FSConfig).WithSysFSMount(fs, m.Guest)
	}
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions().WithArgs(i.name).
		WithStdout(&i.stdout).WithStderr(&i.stderr).WithFSConfig(folders).
		WithSysWalltime().WithSysNanotime().WithRandSource(rand.Reader).WithNanosleep(i.sleep)
	if i.stdin != nil {
		config = config.WithStdin(i.stdin)
	}
	if i.kernel != nil {
		config = config.WithStdout(&i.lines)
	}
	return config
}

// sleep is the guest's sleep. It ends the guest where the call ends first.
func (i *instance) sleep(ns int64) {
	t := time.NewTimer(time.Duration(ns))
	defer t.Stop()
	select {
	case <-t.C:
	case <-i.ctx.Done():
		code := sys.ExitCodeContextCanceled
		if errors.Is(i.ctx.Err(), context.DeadlineExceeded) {
			code = sys.ExitCodeDeadlineExceeded
		}
		panic(sys.NewExitError(code))
	}
}

// stop ends the guest from within one of its calls of the host.
func (i *instance) stop(why *tool.Error) {
	if i.broken == nil {
		i.broken = why
	}
	panic(why)
}

// call runs an exported function of no parameters, within ctx, and answers
// what it returned, 0 for nothing. An instance that answers an error is of no
// further use.
func (i *instance) call(ctx context.Context, function string) (code uint32, err error) {
	i.ctx = ctx
	defer func() {
		if p := recover(); p != nil {
			err = tool.Errorf(tool.ExecutionError, "host_fault", "the host broke while it ran %s: %v", i.name, p)
		}
		i.stderr.flush()
		i.lines.flush()
	}()
	f := i.module.ExportedFunction(function)
	if f == nil {
		return 0, unavailable("no_such_function", "%s has no function %q", i.name, function).
			WithHint("it has %s", strings.Join(exported(i.module), ", "))
	}
	d := f.Definition()
	if len(d.ParamTypes()) > 0 || len(d.ResultTypes()) > 1 ||
		len(d.ResultTypes()) == 1 && d.ResultTypes()[0] != api.ValueTypeI32 {
		return 0, unavailable("bad_signature", "%s: function %q takes or answers values; a plugin's takes none and answers nothing or an i32", i.name, function)
	}
	results, err := f.Call(ctx)
	var exit *sys.ExitError
	switch {
	case err == nil && len(results) == 1:
		return uint32(results[0]), nil
	case err == nil:
		return 0, nil
	case errors.As(err, &exit) && i.broken == nil && ctx.Err() == nil:
		return exit.ExitCode(), errExited
	}
	return 1, i.fault(ctx, err)
}

// errExited marks a guest that ended by itself, with the code beside it.
var errExited = errors.New("the plugin exited")

// begin initialises the guest's language runtime, once, as its kind wants it:
// a reactor's _initialize does all; where there is none the constructors are
// called; Haskell's runtime wants a start of its own after that.
func (i *instance) begin(ctx context.Context, function string) error {
	if i.begun || function == "_start" || function == "_initialize" {
		return nil
	}
	i.begun = true
	initialise := "_initialize"
	haskell := i.module.ExportedFunction("hs_init")
	if haskell == nil && !i.plain(initialise) {
		initialise = "__wasm_call_ctors"
	}
	if i.plain(initialise) {
		code, err := i.call(ctx, initialise)
		if errors.Is(err, errExited) {
			return tool.Errorf(tool.ExecutionError, "plugin_exited", "%s exited with code %d while it started", i.name, code)
		}
		if err != nil {
			return err
		}
	}
	if haskell != nil && len(haskell.Definition().ParamTypes()) == 2 {
		if _, err := haskell.Call(ctx, 0, 0); err != nil {
			return i.fault(ctx, err)
		}
	}
	return nil
}

// plain reports whether a function is exported that takes and answers nothing.
func (i *instance) plain(function string) bool {
	f := i.module.ExportedFunction(function)
	return f != nil && len(f.Definition().ParamTypes()) == 0 && len(f.Definition().ResultTypes()) == 0
}

func (i *instance) close() {
	if i.module != nil {
		i.module.Close(context.Background()) // also closes the guest's files
	}
	if i.kernel != nil {
		i.kernel.Close()
	}
	for _, c := range i.closes {
		c.Close()
	}
}

func exported(m api.Module) []string {
	i := inspect.Inspection{}
	for name := range m.ExportedFunctionDefinitions() {
		i.Exports = append(i.Exports, inspect.Export{Name: name, Kind: "func"})
	}
	return i.Funcs()
}
