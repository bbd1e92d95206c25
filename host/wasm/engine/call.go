package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/host/wasm/fit"
	"errand/host/wasm/meter"
	"errand/host/wasm/rootfs"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// stackLimit is how much of the machine's stack a guest's calls may use.
const stackLimit = meter.DefaultStack

// Call is one call of an instance. It can be reused after it has ended, without an
// allocation.
type Call struct {
	Function string
	Input    []byte
	Args     []string                                 // of a WASI command, after the program's name
	Timeout  time.Duration                            // includes all work for the call
	Extism   *extism.Call                             // for an instance with the Extism ABI
	Log      func(level string, line message.Message) // receives standard error, and standard output unless that is the answer
	// Writes are what the call may change, as absolute paths in the plugin: these
	// files and folders with everything in them. WritesAll permits changes of
	// everything in the mounted folders. Neither changes a read-only mount.
	// Itself are further files and folders that it may change, but nothing in the folders.
	Writes, Itself []string
	WritesAll      bool
	// Places are where paths lead that the call names, as absolute paths in the plugin.
	Places []rootfs.Place

	deadline time.Time
}

// Outcome is the result of a guest that ended by itself.
type Outcome struct {
	Data      []byte
	Failed    bool   // the guest set an error
	ErrorText string // the text of that error; may be empty
	Code      uint32 // 0 for success
	Logged    bool   // a command wrote to its log
	Fuel      uint64 // used by the function, in WebAssembly instructions, approximately
	Memory    uint64 // bytes of the guest's memories at the end of the call
}

// beginCall starts a call. The guest may change only what the call permits.
func (i *Instance) beginCall(ctx context.Context, c *Call) {
	i.run.begin(ctx, c)
	i.log.sink, i.log.lines, i.log.ended = c.Log, 0, false
	i.log.tail.Reset()
	i.stopError, i.current, i.wasOutside = nil, c, false
	i.share.Set(i.Memory())
	for _, q := range i.quotas {
		q.Begin()
	}
	for n, f := range i.folders {
		f.SetAccess(c.access(i.guests[n]))
	}
}

// access returns what the call may change in the folder with a guest's path.
func (c *Call) access(guest string) rootfs.Access {
	a := rootfs.Access{FullAccess: c.WritesAll}
	for _, p := range c.Writes {
		if inside, ok := cutFolder(guest, p); ok {
			a.Paths = append(a.Paths, inside)
		}
	}
	for _, p := range c.Itself {
		if inside, ok := cutFolder(guest, p); ok {
			a.Itself = append(a.Itself, inside)
		}
	}
	for _, p := range c.Places {
		if name, ok := cutFolder(guest, p.Name); ok && name != "." {
			place := rootfs.Place{Name: name, Bind: p.Bind}
			place.Real, _ = cutFolder(guest, p.Real)
			place.Entry, _ = cutFolder(guest, p.Entry)
			a.Places = append(a.Places, place)
		}
	}
	return a
}

// cutFolder returns a plugin's path relative to a folder, if it is in it.
func cutFolder(folder, p string) (inside string, ok bool) {
	if p == "" {
		return "", false
	}
	inside, err := filepath.Rel(folder, p)
	if err != nil || !filepath.IsLocal(inside) {
		return "", false
	}
	return filepath.ToSlash(inside), true
}

// endCall ends the call that take started.
func (i *Instance) endCall() {
	i.log.ended = true
	i.stderr.flush()
	i.lines.flush()
	i.current = nil
	i.share.Set(0)
	i.run.end()
}

// Call runs a call: a function of an Extism plugin, or a WASI command with the
// input as its standard input. A success or failure that the guest reports is an
// outcome. A *tool.Error means that the host stopped the guest; the outcome then
// has only its fuel, and the instance must not be used again.
func (i *Instance) Call(ctx context.Context, c *Call) (Outcome, error) {
	i.beginCall(ctx, c)
	defer func() {
		i.endCall()
		c.deadline = time.Time{}
	}()
	i.healthy = false
	if i.run.parentErr() != nil {
		return Outcome{}, i.run.endError()
	}
	if i.Extism {
		return i.extism(c)
	}
	return i.command(c)
}

// command runs a WASI command.
func (i *Instance) command(c *Call) (Outcome, error) {
	i.stdin.Reset(c.Input)
	i.stdout.Reset()
	code, err := i.invoke(&i.run, c.Function)
	i.stderr.flush()
	out := Outcome{Code: code, Logged: i.log.lines > 0, Fuel: i.usedFuel(), Memory: i.Memory()}
	if err != nil && !errors.Is(err, errExited) {
		return out, err
	}
	if code != 0 {
		if err := i.exhaustedError(message.New("plugin.it_exited", "code", int32(code)), stack.Trap{}); err != nil {
			return out, err
		}
	}
	out.Data = bytes.Clone(i.stdout.Bytes())
	i.healthy = code == 0
	return out, nil
}

// extism calls a function of an Extism plugin.
func (i *Instance) extism(c *Call) (out Outcome, err error) {
	if err := i.beginKernel(c, c.Input); err != nil {
		return out, err
	}
	if err := i.initialise(c); err != nil {
		return Outcome{Code: 1, Fuel: i.usedFuel()}, err
	}
	code, err := i.invoke(c.Extism, c.Function)
	c.Extism.Notice()
	out = Outcome{Code: code, Fuel: i.usedFuel(), Memory: i.Memory()}
	exited := errors.Is(err, errExited)
	if err != nil && !exited {
		return out, err
	}
	if code == 0 && i.kernel.HasNoOutput() {
		i.healthy = !exited
		return out, nil
	}
	if max(i.kernel.OutputLen(), i.kernel.ErrorLen()) > uint64(i.Limits.Output) {
		return out, i.Limits.outputExceeded(i.Name)
	}
	out.Failed, out.ErrorText = i.kernel.HasError(), i.kernel.Error()
	if code != 0 && !out.Failed {
		if err := i.exhaustedError(message.New("plugin.it_ended", "code", int32(code)), stack.Trap{}); err != nil {
			return out, err
		}
	}
	out.Data = i.kernel.Output()
	i.healthy = !exited
	return out, nil
}

// beginKernel prepares the kernel for the call.
func (i *Instance) beginKernel(c *Call, input []byte) error {
	err := i.kernel.Begin(&i.run, c.Extism, input)
	switch {
	case err == nil:
		return nil
	case i.run.Err() != nil:
		return i.run.endError()
	case i.share.IsFull():
		return i.totalExceeded(stack.Trap{})
	}
	return err
}

// IsHealthy reports whether the instance can run another call that continues from
// its state.
func (i *Instance) IsHealthy() bool { return i.healthy }

// function is a cached exported function.
type function struct {
	api.Function
	name    string
	results int
}

// maxCachedCalls is after how many calls the cached functions are discarded. Each holds a
// stack, which grows with the depth of its calls and never shrinks.
const maxCachedCalls = 1024

// entry returns an exported function without parameters.
func (i *Instance) entry(name string) (function, error) {
	if i.calls++; i.calls%maxCachedCalls == 0 {
		clear(i.functions)
		i.lastCalled = function{}
	}
	if i.lastCalled.Function != nil && i.lastCalled.name == name {
		return i.lastCalled, nil
	}
	if f, ok := i.functions[name]; ok {
		i.lastCalled = f
		return f, nil
	}
	if mismatch := fit.Function(&i.program.Inspection, i.Name, name); mismatch != nil {
		return function{}, mismatch
	}
	f := i.module.ExportedFunction(name)
	i.functions[name] = function{f, name, len(f.Definition().ResultTypes())}
	return i.functions[name], nil
}

// invoke runs an exported function and returns its result, or 0 if it has none.
func (i *Instance) invoke(ctx context.Context, name string) (code uint32, err error) {
	f, err := i.entry(name)
	if err != nil {
		return 0, err
	}
	return i.callFunction(ctx, f)
}

func (i *Instance) callFunction(ctx context.Context, f function, params ...uint64) (code uint32, err error) {
	defer func() {
		if p := recover(); p != nil {
			code, err = 1, tool.NewError(tool.ExecutionError, "host_fault", message.New("plugin.host_broke", "name", i.Name, "cause", fmt.Sprint(p)))
		}
	}()
	i.run.refuel()
	copy(i.stack[:], params)
	err = f.CallWithStack(ctx, i.stack[:])
	switch {
	case err != nil:
		return i.exitCode(err)
	case f.results == 1:
		return uint32(i.stack[0]), nil
	}
	return 0, nil
}

// endError distinguishes an exit from a stopped guest.
func (i *Instance) exitCode(err error) (code uint32, _ error) {
	if exit, ok := errors.AsType[*sys.ExitError](err); ok && i.stopError == nil && i.run.Err() == nil {
		return exit.ExitCode(), errExited
	}
	return 1, i.toError(err)
}

// refuel grants a function its first fuel.
func (r *run) refuel() {
	r.granted, r.lastYield = r.slice, time.Time{}
	if r.budget > 0 {
		r.granted = min(r.slice, r.budget)
	}
	r.instance.fuel.Set(uint64(r.granted))
}

// usedFuel returns the fuel that the last function has used.
func (i *Instance) usedFuel() uint64 {
	return uint64(i.run.granted - int64(i.fuel.Get()))
}

// initialise starts the guest's language runtime once. A reactor has _initialize.
// Otherwise it calls the constructors, and for Haskell the runtime's own start
// function.
func (i *Instance) initialise(c *Call) error {
	if i.isInitialised {
		return nil
	}
	haskell := i.module.ExportedFunction("hs_init")
	if c.IsInitialiser() {
		i.isInitialised = c.Function == "_initialize" && haskell == nil
		return nil
	}
	i.isInitialised = true
	first := "_initialize"
	if haskell == nil && !i.isPlainFunction(first) {
		first = "__wasm_call_ctors"
	}
	defer func() { i.starting = "" }()
	if i.isPlainFunction(first) {
		i.starting = first
		code, err := i.invoke(c.Extism, first)
		if errors.Is(err, errExited) {
			if err := i.exhaustedError(message.New("plugin.it_exited", "code", int32(code)), stack.Trap{}); err != nil {
				return err
			}
			return tool.NewError(tool.ExecutionError, "plugin_exited", message.New("plugin.exited_at_start", "name", i.Name, "code", int32(code)))
		}
		if err != nil {
			return err
		}
	}
	if haskell != nil && len(haskell.Definition().ParamTypes()) == 2 && len(haskell.Definition().ResultTypes()) == 0 {
		i.starting = "hs_init"
		if _, err := i.callFunction(c.Extism, function{haskell, "hs_init", 0}, 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// IsInitialiser reports whether the function starts the guest's runtime itself.
// Such a call needs an uninitialised instance, which calls of other functions
// can't use.
func (c *Call) IsInitialiser() bool {
	return c.Extism != nil && slices.Contains(initialisers, c.Function)
}

// initialisers are functions that start the guest's runtime.
var initialisers = []string{"_start", "_initialize"}

// isPlainFunction reports whether the module exports a function without parameters and
// results.
func (i *Instance) isPlainFunction(function string) bool {
	f := i.module.ExportedFunction(function)
	return f != nil && len(f.Definition().ParamTypes()) == 0 && len(f.Definition().ResultTypes()) == 0
}
