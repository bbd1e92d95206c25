package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"errand/host/tool"
	"errand/host/wasm/codecache"
	"errand/host/wasm/extism"
	"errand/host/wasm/fit"
	"errand/host/wasm/inspect"
	"errand/host/wasm/meter"
	"errand/host/wasm/stack"
)

// Program is a compiled module. It has a runtime of its own, so that closing it
// leaves nothing behind. It is good for several goroutines.
type Program struct {
	Inspection inspect.Inspection

	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	abi      *extism.ABI
	compiled wazero.CompiledModule
	metered  *meter.Module
	lines    func() map[string]string // where functions begin in the source; nil where the module doesn't say
}

// Options are what compiling needs beside the code.
type Options struct {
	Cache *codecache.Cache // nil: nothing is kept
	Log   func(message string)
	// Functions are what plugins may import beside the ABIs' own.
	Functions []extism.Function
}

// meterOptions are what every plugin gets.
var meterOptions = meter.Options{}

// Compile checks a module and compiles it, which takes milliseconds to seconds
// and can't be interrupted. Errors are *tool.Error.
func Compile(ctx context.Context, code []byte, o Options) (p *Program, err error) {
	p = &Program{}
	defer func() {
		if r := recover(); r != nil {
			err = badModule("the compiler broke on it: %v", r)
		}
		if err != nil {
			p.Close()
			p = nil
		}
	}()
	if p.Inspection, err = inspect.Read(code); err != nil {
		return p, badModule("%v", err)
	}
	if unfit := fit.Module(&p.Inspection); unfit != nil {
		return p, unfit
	}
	if stack.HasLines(code) { // an author's build: what it is in the way of is keeping it
		p.lines = sync.OnceValue(func() map[string]string { return stack.Lines(code) })
	}
	if p.compileKept(ctx, o) {
		return p, nil
	}
	if err = p.rewrite(code); err != nil {
		return p, err
	}
	folder := o.folder(p)
	if folder != nil {
		defer folder.Drop()
		if err := p.keepRewritten(folder); err != nil {
			o.notKept(err)
		}
	}
	valid := func() error { return nil }
	if folder == nil || !folder.Sealed {
		valid = p.validate(ctx, code) // while the rest is compiled
	}
	err = p.compile(ctx, folder, o.Functions)
	if cached := err; cached != nil && folder != nil && tool.AsError(err).Code == "bad_module" {
		// The folder may be full, gone or damaged; that is not the plugin's fault.
		p.Close()
		if err = p.compile(ctx, nil, o.Functions); err == nil {
			o.notKept(cached)
		}
		folder = nil
	}
	if invalid := valid(); invalid != nil {
		return p, notValid(invalid)
	}
	if err == nil && folder != nil {
		if sealing := folder.Seal(); sealing != nil {
			o.notKept(sealing)
		}
	}
	return p, err
}

// rewrite makes what is compiled in place of the code.
func (p *Program) rewrite(code []byte) error {
	m, err := meter.Rewrite(code, meterOptions)
	var why *meter.Error
	switch {
	case errors.Is(err, meter.ErrUnsupported) && errors.As(err, &why):
		return unavailable("unsupported_module", "%s, which plugins can't use here", why.Reason).WithHint("%s", cures[why.Feature])
	case errors.Is(err, meter.ErrComplex):
		return unavailable("module_too_complex", "%v", err).
			WithHint("compile the plugin with optimisation, or split the function: inlining and generated code make such big ones")
	case errors.Is(err, meter.ErrForbidden):
		return badModule("%v", err).WithHint("build it with less of that: no compiler needs as much for a plugin")
	case err != nil:
		return badModule("%v", err).WithHint("build it again, or fetch it again")
	}
	p.metered = m
	return nil
}

// rewritten is the file in the code's folder that holds the rewritten module:
// reading it takes a tenth of the time that rewriting takes.
const rewritten = "rewritten"

// compileKept takes the program from what an earlier run kept, and reports whether
// it could. The folder is checked against its seal meanwhile: nothing of it runs,
// and all of it is dropped, where the check fails.
func (p *Program) compileKept(ctx context.Context, o Options) bool {
	if o.Cache == nil {
		return false
	}
	folder, check, ok := o.Cache.Begin(p.key())
	if !ok {
		return false
	}
	checked := make(chan error, 1)
	go func() { checked <- check() }()
	err := p.readRewritten(ctx, folder, o.Functions)
	if broken := <-checked; broken != nil || err != nil {
		p.Close()
		p.metered, p.abi, p.compiled = nil, nil, nil
		return false
	}
	if err := folder.Seal(); err != nil { // this CPU's code may have been added
		o.notKept(err)
	}
	return true
}

// readRewritten reads the rewritten module from a folder and compiles it, which
// reads its machine code from there too.
func (p *Program) readRewritten(ctx context.Context, folder *codecache.Folder, more []extism.Function) (err error) {
	defer func() {
		if r := recover(); r != nil { // the files are not checked yet
			err = fmt.Errorf("%v", r)
		}
	}()
	b, err := os.ReadFile(filepath.Join(folder.Path(), rewritten))
	if err != nil {
		return err
	}
	p.metered = &meter.Module{}
	if err := p.metered.UnmarshalBinary(b); err != nil {
		return err
	}
	return p.compile(ctx, folder, more)
}

func (p *Program) keepRewritten(folder *codecache.Folder) error {
	b, err := p.metered.MarshalBinary()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder.Path(), rewritten), b, 0o600)
}

// Foresight is how a module's calls will be done, as far as the module itself
// tells.
type Foresight struct {
	Held string `json:"held,omitempty"` // why each call has a new instance
}

// Foresee tells how a module's calls will be done. It goes by all that
// [Compile] goes by, but for making machine code: the error, a *tool.Error, is
// what that would refuse it by.
func Foresee(ctx context.Context, code []byte) (f Foresight, err error) {
	p := &Program{}
	if p.Inspection, err = inspect.Read(code); err != nil {
		return f, badModule("%v", err)
	}
	if unfit := fit.Module(&p.Inspection); unfit != nil {
		return f, unfit
	}
	if err = p.rewrite(code); err != nil {
		return f, err
	}
	if invalid := p.validate(ctx, code)(); invalid != nil {
		return f, notValid(invalid)
	}
	if !p.metered.Resettable() {
		f.Held = p.metered.Held[0]
	}
	return f, nil
}

// validate begins to validate the code as it came and answers a function that
// waits for what comes of it. What the rewriter adds could make a module valid
// that isn't: one that sets the global after its last would set its own fuel.
func (p *Program) validate(ctx context.Context, code []byte) (wait func() error) {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("%v", r)
			}
		}()
		r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(coreFeatures))
		_, err := r.CompileModule(ctx, code)
		done <- errors.Join(err, r.Close(ctx))
	}()
	return func() error { return <-done }
}

// notValid is of what only a fault of a compiler makes, or a hand.
func notValid(why error) *tool.Error {
	return badModule("it is not valid: %v", why).
		WithHint("what made or changed it last (a compiler, wasm-opt, an editor) has broken it: build it again, with another version of that or without it")
}

// compile makes the runtime and compiles into it, by way of the folder where
// there is one.
func (p *Program) compile(ctx context.Context, folder *codecache.Folder, more []extism.Function) error {
	p.cache = wazero.NewCompilationCache()
	if folder != nil {
		cache, err := wazero.NewCompilationCacheWithDir(folder.Path())
		if err != nil {
			return badModule("%v", err)
		}
		p.cache = cache
	}
	p.runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithCoreFeatures(coreFeatures).
		WithCompilationCache(p.cache).
		WithDebugInfoEnabled(false)) // rewritten code is not where it says
	var err error
	if err = instantiateWASI(ctx, p.runtime); err != nil {
		return badModule("instantiate WASI: %v", err)
	}
	if p.abi, err = extism.Register(ctx, p.runtime, more...); err != nil {
		return badModule("instantiate the Extism ABI: %v", err)
	}
	if err := instantiateYield(ctx, p.runtime); err != nil {
		return badModule("instantiate the meter: %v", err)
	}
	ctx = experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
	if p.compiled, err = p.runtime.CompileModule(ctx, p.metered.Code); err != nil {
		return badModule("it does not compile: %v", err)
	}
	return nil
}

// Close releases the program, whose instances must be closed by then.
func (p *Program) Close() {
	ctx := context.Background()
	if p.runtime != nil {
		p.runtime.Close(ctx)
	}
	if p.cache != nil {
		p.cache.Close(ctx)
	}
	p.runtime, p.cache = nil, nil
}

// folder is where the program's code is kept, nil where it can't be. A sealed
// one says as well that the module was found valid.
func (o Options) folder(p *Program) *codecache.Folder {
	if o.Cache == nil {
		return nil
	}
	f, err := o.Cache.Folder(p.key())
	if err != nil {
		o.notKept(err)
		return nil
	}
	if f.Removed {
		o.Log(fmt.Sprintf("a compiled plugin in %s was not what had been put there: it was removed, and is compiled anew", o.Cache.Dir()))
	}
	return f
}

// key is what the program's code is kept by: the file's own name says for which
// features of a CPU it is. The kernel's code lies beside it, in a file named after
// the kernel's own bytes, so that another version's is never taken for it.
func (p *Program) key() string {
	return strings.Join([]string{
		p.Inspection.SHA256, meter.Version, fmt.Sprintf("%+v", meterOptions), runtime.GOOS, runtime.GOARCH, wazeroVersion(),
	}, " ")
}

// Forget removes from a cache what this program compiled of a module.
func Forget(code []byte, cache *codecache.Cache) error {
	i, err := inspect.Read(code)
	if err != nil {
		return nil // nothing was ever compiled of it
	}
	p := &Program{Inspection: i}
	return cache.Forget(p.key())
}

func (o Options) notKept(why error) {
	o.Log(fmt.Sprintf("compiled plugins are not kept in %s: %v", o.Cache.Dir(), why))
}

func wazeroVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "github.com/tetratelabs/wazero" {
				return d.Version + d.Sum
			}
		}
	}
	return ""
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
