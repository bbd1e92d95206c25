package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"errand/host/tool"
	"errand/host/wasm/codecache"
	"errand/host/wasm/extism"
	"errand/host/wasm/fit"
	"errand/host/wasm/inspect"
	"errand/host/wasm/meter"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// Program is a compiled module. It has its own runtime, so Close releases
// everything. It is safe for concurrent use.
type Program struct {
	Inspection inspect.Inspection

	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	abi      *extism.ABI
	compiled wazero.CompiledModule
	metered  *meter.Module
	lines    func() map[string]string // source positions of functions; nil if the module has none
}

// Options configure [Compile].
type Options struct {
	Inspection *inspect.Inspection   // of the code, if it is known
	Cache      *codecache.Cache      // nil disables caching
	Warn       func(message.Message) // about the cache
	// Functions are host functions in addition to those of the ABIs.
	Functions []extism.Function
	// Effort raises the bounds on what compiling may take ([meter.Options]); 0 means 1.
	Effort int
}

// meterOptions apply to all plugins.
var meterOptions = meter.Options{}

// Compile validates and compiles a module. That takes milliseconds to seconds. It ends
// with the function that is being compiled when ctx ends. Errors are *tool.Error.
func Compile(ctx context.Context, code []byte, o Options) (p *Program, err error) {
	p = &Program{}
	defer func() {
		if r := recover(); r != nil {
			err = tool.UnavailableError("bad_module", message.New("plugin.compiler_broke", "cause", fmt.Sprint(r)))
		}
		if err != nil {
			p.Close()
			p = nil
		}
	}()
	if o.Inspection != nil {
		p.Inspection = *o.Inspection
	} else if p.Inspection, err = inspect.Read(code); err != nil {
		return p, tool.UnavailableError("bad_module", message.FromError(err))
	}
	if mismatch := fit.Module(&p.Inspection); mismatch != nil {
		return p, mismatch
	}
	if stack.HasLines(code) { // a debug build: keep the code to look up source lines
		p.lines = sync.OnceValue(func() map[string]string { return stack.Lines(code) })
	}
	if p.compileCached(ctx, o) {
		return p, nil
	}
	if err = p.rewrite(code, o.Effort); err != nil {
		return p, err
	}
	folder := o.folder(p)
	if folder != nil {
		defer folder.Drop()
		if err := p.saveRewritten(folder); err != nil {
			o.logNotCached(err)
		}
	}
	valid := func() error { return nil }
	if folder == nil || !folder.Sealed {
		valid = p.validate(ctx, code) // runs in parallel with compiling
	}
	err = p.compile(ctx, folder, o.Functions)
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	if cached := err; cached != nil && folder != nil && tool.AsError(err).Code == "bad_module" {
		// The folder may be full, missing or damaged, so try without it.
		p.Close()
		if err = p.compile(ctx, nil, o.Functions); err == nil {
			o.logNotCached(cached)
		}
		folder = nil
	}
	if invalid := valid(); invalid != nil {
		return p, invalidError(invalid)
	}
	p.metered.Code = nil // only compiling needs it
	if err == nil && folder != nil {
		if sealing := folder.Seal(); sealing != nil {
			o.logNotCached(sealing)
		}
	}
	return p, err
}

// rewrite produces the module to compile.
func (p *Program) rewrite(code []byte, effort int) error {
	o := meterOptions
	o.Effort = effort
	m, err := meter.Rewrite(code, o)
	var why *meter.Error
	switch {
	case errors.Is(err, meter.ErrUnsupported) && errors.As(err, &why):
		return tool.UnavailableError("unsupported_module", message.New("plugin.unsupported_module", "fault", why.Reason)).WithHint(message.New(cures[why.Feature]))
	case errors.Is(err, meter.ErrComplex):
		return tool.UnavailableError("module_too_complex", message.FromError(err)).
			WithHint(message.New("plugin.build_smaller_functions"))
	case errors.Is(err, meter.ErrForbidden):
		return tool.UnavailableError("bad_module", message.FromError(err)).WithHint(message.New("plugin.build_with_less"))
	case err != nil:
		return tool.UnavailableError("bad_module", message.FromError(err)).WithHint(message.New("plugin.build_or_fetch_again"))
	}
	p.metered = m
	return nil
}

// rewrittenFile is the cache file with the rewritten module. Reading it takes a tenth
// of the time of rewriting.
const rewrittenFile = "rewritten"

// compileCached loads the program from the cache and reports whether it could. The
// seal of the folder is checked in parallel. No code runs before that, and
// everything is discarded if the check fails.
func (p *Program) compileCached(ctx context.Context, o Options) bool {
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
	p.metered.Code = nil                  // only compiling needs it
	if err := folder.Seal(); err != nil { // code for this CPU may be new
		o.logNotCached(err)
	}
	return true
}

// readRewritten reads the rewritten module from a folder and compiles it. The
// runtime then also reads the machine code from that folder.
func (p *Program) readRewritten(ctx context.Context, folder *codecache.Folder, more []extism.Function) (err error) {
	defer func() {
		if r := recover(); r != nil { // the files are not verified yet
			err = fmt.Errorf("%v", r)
		}
	}()
	b, err := os.ReadFile(filepath.Join(folder.Path(), rewrittenFile))
	if err != nil {
		return err
	}
	p.metered = &meter.Module{}
	if err := p.metered.UnmarshalBinary(b); err != nil {
		return err
	}
	return p.compile(ctx, folder, more)
}

func (p *Program) saveRewritten(folder *codecache.Folder) error {
	b, err := p.metered.MarshalBinary()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder.Path(), rewrittenFile), b, 0o600)
}

// Foresight is how a module's calls will run, as far as the module itself shows.
type Foresight struct {
	NewInstance message.Message `json:"held,omitzero"` // why each call has a new instance
}

// Foresee reports how a module's calls will run. It does all checks of [Compile]
// without generating machine code and returns the same *tool.Error if the module
// is refused. effort is that of [Options]. Foresee returns when ctx ends, with an error;
// the rest of its work ends later.
func Foresee(ctx context.Context, code []byte, effort int) (Foresight, error) {
	type answer struct {
		Foresight
		err error
	}
	interrupted := tool.NewError(tool.ExecutionError, "interrupted", message.New("plugin.inspecting_interrupted"))
	if ctx.Err() != nil {
		return Foresight{}, interrupted
	}
	done := make(chan answer, 1)
	go func() {
		f, err := foresee(ctx, code, effort)
		done <- answer{f, err}
	}()
	select {
	case a := <-done:
		return a.Foresight, a.err
	case <-ctx.Done():
		return Foresight{}, interrupted
	}
}

func foresee(ctx context.Context, code []byte, effort int) (f Foresight, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = tool.UnavailableError("bad_module", message.New("plugin.compiler_broke", "cause", fmt.Sprint(r)))
		}
	}()
	p := &Program{}
	if p.Inspection, err = inspect.Read(code); err != nil {
		return f, tool.UnavailableError("bad_module", message.FromError(err))
	}
	if mismatch := fit.Module(&p.Inspection); mismatch != nil {
		return f, mismatch
	}
	if err = p.rewrite(code, effort); err != nil {
		return f, err
	}
	if invalid := p.validate(ctx, code)(); invalid != nil {
		return f, invalidError(invalid)
	}
	if !p.metered.Resettable() {
		f.NewInstance = p.metered.NewInstanceReasons[0]
	}
	return f, nil
}

// validate starts to validate the original code and returns a function that waits
// for the result. The rewritten code does not suffice: an invalid module that sets
// the global after its last one would become valid and could set its own fuel.
func (p *Program) validate(ctx context.Context, code []byte) (wait func() error) {
	valid := inBackground(func() error { return validate(ctx, code) })
	return func() error {
		if err := valid(); !errors.Is(err, errValid) {
			return err
		}
		return nil
	}
}

var errValid = errors.New("the module is valid")

// validate decodes and validates code, without compiling it: wazero asks for listeners
// in between, and gets errValid. (A module without functions asks for none.)
func validate(ctx context.Context, code []byte) (err error) {
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(coreFeatures))
	defer r.Close(ctx)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
			if p == errValid {
				err = errValid
			}
		}
	}()
	_, err = r.CompileModule(experimental.WithFunctionListenerFactory(ctx, stopWhenValid{}), code)
	return err
}

// stopWhenValid ends a compilation before it generates code.
type stopWhenValid struct{}

func (stopWhenValid) NewFunctionListener(api.FunctionDefinition) experimental.FunctionListener {
	panic(errValid)
}

// inBackground runs f and returns a function that waits for its result, which can be
// called more than once. A panic of f is an error.
func inBackground(f func() error) (wait func() error) {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("%v", r)
			}
		}()
		done <- f()
	}()
	return sync.OnceValue(func() error { return <-done })
}

// invalidError returns the error for an invalid module, which only a compiler bug or
// manual editing produces.
func invalidError(why error) *tool.Error {
	return tool.UnavailableError("bad_module", message.New("plugin.invalid_module", "cause", why)).
		WithHint(message.New("plugin.build_with_other_tool"))
}

// compile makes the runtime and compiles the module, with the cache folder if
// there is one.
func (p *Program) compile(ctx context.Context, folder *codecache.Folder, more []extism.Function) error {
	p.cache = wazero.NewCompilationCache()
	if folder != nil {
		cache, err := wazero.NewCompilationCacheWithDir(folder.Path())
		if err != nil {
			return tool.UnavailableError("bad_module", message.FromError(err))
		}
		p.cache = cache
	}
	p.runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithCoreFeatures(coreFeatures).
		WithCompilationCache(p.cache).
		WithDebugInfoEnabled(false)) // debug info does not match rewritten code
	added := inBackground(func() error { return p.addHostModules(ctx, more) })
	defer added() // also after a panic
	var err error
	p.compiled, err = p.runtime.CompileModule(experimental.WithCompilationWorkers(ctx, workers()), p.metered.Code)
	if err := added(); err != nil {
		return tool.UnavailableError("bad_module", message.FromError(err))
	}
	if err != nil {
		return tool.UnavailableError("bad_module", message.New("plugin.does_not_compile", "cause", err))
	}
	return nil
}

// addHostModules adds the host functions to the runtime: those that every plugin needs
// and the modules that this one imports.
func (p *Program) addHostModules(ctx context.Context, more []extism.Function) (err error) {
	isImported := func(module string) bool {
		return slices.ContainsFunc(p.Inspection.Imports, func(i inspect.Import) bool { return i.Module == module })
	}
	if isImported(inspect.WASIModule) {
		if err := instantiateWASI(ctx, p.runtime); err != nil {
			return message.Error("plugin.instantiate_wasi", "cause", err)
		}
	}
	if p.abi, err = extism.Register(ctx, p.runtime, isImported, more...); err != nil {
		return message.Error("plugin.instantiate_extism", "cause", err)
	}
	if err := instantiateYield(ctx, p.runtime); err != nil {
		return message.Error("plugin.instantiate_meter", "cause", err)
	}
	return nil
}

// workers is how many functions are compiled at a time. Two at least, because wazero
// checks for a cancel only then; no more than the estimate of memory assumes.
func workers() int { return min(max(runtime.GOMAXPROCS(0), 2), meter.MaxCompiled) }

// Close releases the program. Close its instances first.
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

// folder returns the program's cache folder, or nil if it can't be cached. A
// sealed folder also means that the module is valid.
func (o Options) folder(p *Program) *codecache.Folder {
	if o.Cache == nil {
		return nil
	}
	f, err := o.Cache.Folder(p.key())
	if err != nil {
		o.logNotCached(err)
		return nil
	}
	if f.Removed {
		o.Warn(message.New("plugin.cache_entry_removed", "folder", o.Cache.Dir()))
	}
	return f
}

// key returns the program's cache key. The file's own name identifies the CPU
// features. The kernel's code is in a file named by the kernel's digest, so that
// another version never matches.
func (p *Program) key() string {
	return strings.Join([]string{
		p.Inspection.SHA256, meter.Version, fmt.Sprintf("%+v", meterOptions), runtime.GOOS, runtime.GOARCH, wazeroVersion(),
	}, " ")
}

// Forget removes a module's compiled code from a cache.
func Forget(code []byte, cache *codecache.Cache) error {
	i, err := inspect.Read(code)
	if err != nil {
		return nil // it was never compiled
	}
	p := &Program{Inspection: i}
	return cache.Forget(p.key())
}

func (o Options) logNotCached(why error) {
	o.Warn(message.New("plugin.cache_unusable", "folder", o.Cache.Dir(), "cause", why))
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
