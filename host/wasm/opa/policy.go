package opa

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"errand/host/wasm/codecache"
	"errand/host/wasm/meter"
	"errand/planner/message"
)

// Limits of a policy.
const (
	MaxMemory = 16 << 20 // bytes
	MaxInput  = 1 << 20  // bytes of the input's JSON
	// MaxFuel is how many instructions one evaluation may take, roughly: a second on a slow machine.
	MaxFuel = 2_000_000_000

	page     = 64 << 10
	maxStack = 1 << 20 // bytes
	// meteredFile is the rewritten module in the cache.
	meteredFile = "metered.wasm"
	startTime   = 5 * time.Second // of a new instance
	fuelSlice   = 1_000_000       // about a millisecond
)

// Errors of [Policy.Eval].
var (
	ErrTime  = message.Error("opa.too_slow")
	ErrInput = message.Error("opa.input_too_large")
	ErrFuel  = message.Error("opa.too_many_steps")
	ErrDepth = message.Error("opa.too_deep")
)

// Policy is a compiled policy. It is safe for concurrent use, and evaluates one input at a time.
type Policy struct {
	mu       sync.Mutex
	code     []byte
	cache    *codecache.Cache
	warn     func(error)
	runtime  wazero.Runtime
	compiled wazero.CompilationCache
	exports
	memory   api.Memory
	builtins map[int32]builtin
	data     uint64 // address of the policy's data, which is empty
	heap     uint64 // where the input begins
	until    time.Time
	fuel     int64 // that this evaluation may still take
}

// exports are the functions of the module that are used.
type exports struct {
	eval, malloc, jsonParse, jsonDump, valueDump, heapPtrGet, builtinNames api.Function
}

// Options configure [Load].
type Options struct {
	Cache *codecache.Cache // nil: nothing is cached
	Warn  func(error)      // about the cache; nil: not reported
}

// Load compiles the module for this machine, or takes it from the cache, and starts it. Close
// releases it.
func Load(ctx context.Context, code []byte, o Options) (*Policy, error) {
	p := &Policy{code: code, cache: o.Cache, warn: o.Warn}
	if p.warn == nil {
		p.warn = func(error) {}
	}
	if err := p.start(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close ends the policy.
func (p *Policy) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
}

func (p *Policy) stop() {
	ctx := context.Background()
	if p.runtime != nil {
		p.runtime.Close(ctx)
		p.compiled.Close(ctx)
	}
	p.runtime = nil
}

// Eval evaluates the policy with an input, which is JSON, and returns its answer as JSON: an array
// that is empty if the entry is undefined, and otherwise has one object whose "result" is the value.
// It takes at most the time limit. After an error, the policy can be evaluated again.
func (p *Policy) Eval(ctx context.Context, input []byte, limit time.Duration) ([]byte, error) {
	if len(input) > MaxInput {
		return nil, ErrInput
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.runtime == nil {
		if err := p.start(ctx); err != nil {
			return nil, err
		}
	}
	p.until, p.fuel = time.Now().Add(limit), MaxFuel
	if end, ok := ctx.Deadline(); ok && end.Before(p.until) {
		p.until = end
	}
	answer, err := p.evaluate(ctx, input)
	if err != nil {
		p.stop() // the state of its memory is unknown
		var aborted abortError
		for _, known := range []error{ErrTime, ErrFuel, ErrDepth} {
			if errors.Is(err, known) {
				return nil, known
			}
		}
		if errors.As(err, &aborted) {
			return nil, aborted
		}
	}
	return answer, err
}

func (p *Policy) evaluate(ctx context.Context, input []byte) ([]byte, error) {
	end := p.heap + uint64(len(input))
	if missing := int64(end) + page - int64(p.memory.Size()); missing > 0 {
		if _, ok := p.memory.Grow(uint32((missing + page - 1) / page)); !ok {
			return nil, ErrInput
		}
	}
	if !p.memory.Write(uint32(p.heap), input) {
		return nil, ErrInput
	}
	at, err := p.call(ctx, p.eval, 0, 0, p.data, p.heap, uint64(len(input)), (end+7)&^7, 0)
	if err != nil {
		return nil, err
	}
	return []byte(p.text(uint32(at))), nil
}

// start makes a new instance.
func (p *Policy) start(ctx context.Context) (err error) {
	folder := p.folder()
	if folder != nil {
		defer folder.Drop()
	}
	metered, err := p.metered(folder)
	if err != nil {
		return err
	}
	p.compiled = wazero.NewCompilationCache()
	if folder != nil {
		if cache, err := wazero.NewCompilationCacheWithDir(folder.Path()); err == nil {
			p.compiled = cache
		}
	}
	p.runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithCompilationCache(p.compiled).WithMemoryLimitPages(MaxMemory/page).WithDebugInfoEnabled(false))
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	module, err := p.runtime.CompileModule(ctx, metered)
	if err != nil {
		return err
	}
	memories := module.ImportedMemories()
	if len(memories) != 1 {
		return message.Error("opa.not_a_policy", "lacks", "env.memory")
	}
	if p.memory, err = p.addEnvironment(ctx, p.runtime, memories[0].Min()); err != nil {
		return err
	}
	i64 := []api.ValueType{api.ValueTypeI64}
	if _, err := p.runtime.NewHostModuleBuilder(meter.YieldModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(p.yield), i64, i64).Export(meter.YieldName).Instantiate(ctx); err != nil {
		return err
	}
	p.until, p.fuel = time.Now().Add(startTime), MaxFuel
	instance, err := p.runtime.InstantiateModule(ctx, module, wazero.NewModuleConfig())
	if err != nil {
		return err
	}
	if folder != nil {
		if err := folder.Seal(); err != nil {
			p.warn(err)
		}
	}
	return p.prepare(ctx, instance)
}

// metered is the policy's module, rewritten so that it can be stopped.
func (p *Policy) metered(folder *codecache.Folder) ([]byte, error) {
	if folder != nil && folder.Sealed {
		if code, err := os.ReadFile(filepath.Join(folder.Path(), meteredFile)); err == nil {
			return code, nil
		}
	}
	m, err := meter.Rewrite(p.code, meter.Options{Stack: maxStack})
	if err != nil {
		return nil, err
	}
	if folder != nil && !folder.Sealed {
		if err := os.WriteFile(filepath.Join(folder.Path(), meteredFile), m.Code, 0o600); err != nil {
			p.warn(err)
		}
	}
	return m.Code, nil
}

// prepare finds the functions, and gives the policy its empty data.
func (p *Policy) prepare(ctx context.Context, m api.Module) error {
	for name, f := range map[string]*api.Function{
		"opa_eval": &p.eval, "opa_malloc": &p.malloc, "opa_json_parse": &p.jsonParse, "opa_json_dump": &p.jsonDump,
		"opa_value_dump": &p.valueDump, "opa_heap_ptr_get": &p.heapPtrGet, "builtins": &p.builtinNames,
	} {
		if *f = m.ExportedFunction(name); *f == nil {
			return message.Error("opa.not_a_policy", "lacks", name)
		}
	}
	at, err := p.call(ctx, p.builtinNames)
	if err != nil {
		return err
	}
	if at, err = p.call(ctx, p.jsonDump, at); err != nil {
		return err
	}
	var ids map[string]int32
	if err := json.Unmarshal([]byte(p.text(uint32(at))), &ids); err != nil {
		return err
	}
	p.builtins = make(map[int32]builtin, len(ids))
	for name, id := range ids {
		f, ok := hostBuiltins[name]
		if !ok {
			return message.Error("opa.not_allowed", "function", name)
		}
		p.builtins[id] = f
	}
	if p.data, err = p.parse(ctx, []byte("{}")); err != nil {
		return err
	}
	p.heap, err = p.call(ctx, p.heapPtrGet)
	return err
}

// parse makes a value of JSON in the policy's memory and returns its address.
func (p *Policy) parse(ctx context.Context, text []byte) (uint64, error) {
	at, err := p.call(ctx, p.malloc, uint64(len(text)))
	if err != nil {
		return 0, err
	}
	if !p.memory.Write(uint32(at), text) {
		return 0, ErrInput
	}
	return p.call(ctx, p.jsonParse, at, uint64(len(text)))
}

func (p *Policy) call(ctx context.Context, f api.Function, args ...uint64) (uint64, error) {
	results, err := f.Call(ctx, args...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return results[0], nil
}

// text reads a text that ends with a zero byte.
func (p *Policy) text(at uint32) string {
	rest, ok := p.memory.Read(at, p.memory.Size()-min(at, p.memory.Size()))
	if !ok {
		return ""
	}
	text, _, _ := bytes.Cut(rest, []byte{0})
	return string(text)
}

// yield grants fuel, or stops the policy.
func (p *Policy) yield(_ context.Context, stack []uint64) {
	remaining := int64(stack[0])
	p.fuel -= fuelSlice
	switch {
	case remaining == meter.TooDeep:
		panic(ErrDepth)
	case !time.Now().Before(p.until):
		panic(ErrTime)
	case p.fuel <= 0:
		panic(ErrFuel)
	}
	stack[0] = uint64(remaining + fuelSlice)
}

// folder is the policy's folder in the cache, nil if there is none.
func (p *Policy) folder() *codecache.Folder {
	if p.cache == nil {
		return nil
	}
	f, err := p.cache.Folder(strings.Join([]string{
		"opa", fmt.Sprintf("%x", sha256.Sum256(p.code)), meter.Version, runtime.GOOS, runtime.GOARCH, runtime.Version(),
	}, " "))
	if err != nil {
		p.warn(err)
		return nil
	}
	return f
}
