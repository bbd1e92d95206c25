package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/experimental/sysfs"

	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/host/wasm/linear"
	"errand/host/wasm/manifest"
	"errand/host/wasm/rootfs"
)

// Mount shows a folder of this machine to a plugin.
type Mount struct {
	Host     string // folder of this machine; one that doesn't exist is left out
	Guest    string // absolute path in the plugin
	ReadOnly bool
	// Root names what bounds writing; folders of one root share its bounds.
	Root    string
	Quota   manifest.Size // bytes that a call may write
	MaxFile manifest.Size // bytes that a file may grow to
}

// Setup is what an instance is made of, beside its module.
type Setup struct {
	Name   string // of the plugin or file, for messages
	Limits Limits
	Mounts []Mount
	Extism bool   // it speaks the Extism ABI; else it is a WASI command
	Warmup string // function that runs before its state is kept; "" for none
	// Begin is what a guest has of the Extism ABI while the state is made that calls
	// begin in: settings, limits and what else is the same for every call. It gets no
	// variables, and no requests but to be refused.
	Begin extism.Call
	Clock Clock // nil: this machine's
	// Closing ends every call when it ends; its cause is what they end with, if it
	// is a *tool.Error.
	Closing context.Context
}

// Instance is one running copy of a module. It does one call at a time.
type Instance struct {
	Setup
	program *Program
	module  api.Module
	kernel  *extism.Kernel // of a plugin that speaks the Extism ABI
	memory  *linear.Memory
	fuel    api.MutableGlobal
	depth   api.MutableGlobal // nil where nothing recurs
	globals []api.MutableGlobal
	begin   *state // that Reset goes back to; nil: none

	run       run
	current   *Call // that it does now; nil between calls
	functions map[string]function
	last      function // that was called
	calls     int
	stack     [2]uint64

	stdin   input
	stdout  boundedBuffer
	stderr  lineWriter
	lines   lineWriter // standard output where it is no answer
	log     logger
	account rootfs.Account
	folders []*rootfs.FS
	shown   []os.FileInfo // the mounts' folders; nil for one that isn't there
	quotas  []*rootfs.Quota

	// listed are the folders' descriptors whose listing has begun since the state that
	// a call begins in.
	listed map[uint64]bool

	begun   bool        // the guest's runtime is initialised
	changed bool        // one of the descriptors that it began with is
	healthy bool        // the last call ended as it should
	broken  *tool.Error // a limit that was passed, set before the guest is ended
}

// Open makes an instance. Its start section runs here, as part of the call c,
// and so counts against its time.
func (p *Program) Open(ctx context.Context, s Setup, c *Call) (*Instance, error) {
	i := &Instance{
		Setup: s, program: p, memory: linear.New(uint64(s.Limits.Memory)),
		functions: map[string]function{},
	}
	i.run.instance, i.run.slice = i, firstSlice
	i.account = rootfs.Account{OpenFiles: s.Limits.OpenFiles, Exceeded: func(limit string, value uint64) {
		i.stop(i.Limits.filesExceeded(i.Name, limit, value))
	}, Pause: i.pause}
	i.take(ctx, c)
	defer i.leave()
	if err := i.instantiate(c); err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}

func (i *Instance) instantiate(c *Call) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = tool.Errorf(tool.ExecutionError, "host_fault", "the host broke while it started %s: %v", i.Name, p)
		}
	}()
	p := i.program
	if m := p.Inspection.Memory; m != nil && m.Min > uint64(i.Limits.Memory) {
		return i.Limits.memoryExceeded(i.Name, fmt.Sprintf("it starts with %d bytes", m.Min))
	}
	var ctx context.Context = &i.run
	if i.Extism {
		if i.kernel, err = p.abi.New(context.Background(), uint64(i.Limits.Memory)); err != nil {
			return tool.Errorf(tool.ExecutionError, "host_fault", "%s: %v", i.Name, err)
		}
		if err := i.kernel.Begin(ctx, c.Extism, nil); err != nil { // a start section may use it
			return err
		}
		ctx = i.kernel.Link(c.Extism, nil)
	}
	i.run.granted = 0
	i.module, err = p.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, i.memory), p.compiled, i.config())
	if err != nil {
		return i.fault(err)
	}
	m := p.metered
	i.fuel = mutable(i.module, m.Fuel)
	i.depth = mutable(i.module, m.Stack)
	for _, g := range m.Globals {
		i.globals = append(i.globals, mutable(i.module, g.Name))
	}
	return nil
}

func mutable(m api.Module, name string) api.MutableGlobal {
	if name == "" {
		return nil
	}
	return m.ExportedGlobal(name).(api.MutableGlobal)
}

// config is what the instance gets of the world: its mounts, clock, randomness
// and standard streams. There are no variables, no arguments and no sockets.
func (i *Instance) config() wazero.ModuleConfig {
	i.stdout = boundedBuffer{limit: uint64(i.Limits.Output), overflow: func() {
		i.stop(i.Limits.outputExceeded(i.Name))
	}}
	i.log = logger{limit: i.Limits.LogLines, sink: i.log.sink, exceeded: func() {
		i.stop(i.Limits.logExceeded(i.Name))
	}}
	i.stderr.log = func(line string) { i.log.log("info", line) }
	i.lines.log = i.stderr.log
	folders := wazero.NewFSConfig()
	quotas := map[string]*rootfs.Quota{}
	i.shown = make([]os.FileInfo, len(i.Mounts))
	for n, m := range i.Mounts {
		if quotas[m.Root] == nil {
			quotas[m.Root] = &rootfs.Quota{Bytes: uint64(m.Quota), MaxFile: uint64(m.MaxFile)}
			i.quotas = append(i.quotas, quotas[m.Root])
		}
		fs, err := rootfs.Open(m.Host, m.ReadOnly, &i.account, quotas[m.Root])
		if err == nil {
			i.shown[n], err = fs.Info()
		}
		if err != nil {
			i.log.pass("debug", fmt.Sprintf("%s is not shown to the plugin: %v", m.Host, err))
			continue
		}
		i.folders = append(i.folders, fs)
		folders = folders.(sysfs.FSConfig).WithSysFSMount(fs, m.Guest)
	}
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions().WithArgs(i.Name).
		WithStdin(&i.stdin).WithStdout(&i.stdout).WithStderr(&i.stderr).WithFSConfig(folders).
		WithSysWalltime().WithSysNanotime().WithRandSource(random{i}).WithNanosleep(i.sleep)
	if c := i.Clock; c != nil {
		config = config.WithNanotime(c.Monotonic, 1).WithWalltime(func() (int64, int32) {
			now := c.Now()
			return now.Unix(), int32(now.Nanosecond())
		}, 1)
	}
	if i.Extism {
		config = config.WithStdout(&i.lines)
	}
	return config
}

// sleep is the guest's sleep. It ends the guest where the call ends first.
func (i *Instance) sleep(ns int64) {
	wait := time.Duration(ns)
	if i.Clock != nil {
		wait = i.Clock.Sleep(wait)
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-i.run.Done():
		i.stop(i.run.ended())
	}
}

// random is where guests get random bytes from, a few at a time.
type random struct{ *Instance }

// atOnce is how many random bytes are made at once.
const atOnce = 64 << 10

// Read implements [io.Reader].
func (r random) Read(b []byte) (int, error) {
	if len(b) > atOnce {
		r.pause()
		b = b[:atOnce]
	}
	return rand.Read(b)
}

// pause is called in the middle of what the host does for the guest where that may
// take long. It ends the guest where the call has ended.
func (i *Instance) pause() {
	if i.run.Err() != nil {
		i.stop(i.run.ended())
	}
}

// stop ends the guest from within one of its calls of the host.
func (i *Instance) stop(why *tool.Error) {
	if i.broken == nil {
		i.broken = why
	}
	panic(why)
}

// Stale reports whether a folder of the mounts is no longer the one that the
// instance sees: it was made, removed or replaced since.
func (i *Instance) Stale() bool {
	for n, m := range i.Mounts {
		now, err := os.Stat(m.Host)
		if err != nil != (i.shown[n] == nil) || err == nil && !os.SameFile(now, i.shown[n]) {
			return true
		}
	}
	return false
}

// Memory is how many bytes the guest's memory and what it shares with the host
// have now.
func (i *Instance) Memory() uint64 {
	n := i.memory.Size()
	if i.kernel != nil {
		n += i.kernel.Size()
	}
	return n
}

// overhead is what an instance takes beside its memories: stacks, tables and
// what wazero notes of it.
const overhead = 64 << 10

// Bytes is how many bytes of the process an idle instance takes that it doesn't
// share with others.
func (i *Instance) Bytes() uint64 {
	n := uint64(overhead) + i.memory.Private()
	if i.kernel != nil {
		n += i.kernel.Size()
	}
	return n
}

// Close releases the instance, which must not be doing a call.
func (i *Instance) Close() {
	if i.module != nil {
		i.module.Close(context.Background()) // also closes the guest's files
	}
	i.memory.Free()
	if i.kernel != nil {
		i.kernel.Close()
	}
	for _, f := range i.folders {
		f.Close()
	}
}

// errExited marks a guest that ended by itself, with the code beside it.
var errExited = errors.New("the plugin exited")
