package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
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
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// Mount makes a folder of this machine visible to a plugin.
type Mount struct {
	Host     string // folder of this machine; omitted if it does not exist
	Guest    string // absolute path in the plugin
	ReadOnly bool
	// Root names the limits for writing. Mounts with the same root share them.
	Root    string
	Quota   manifest.Size // bytes that a call may write
	MaxFile manifest.Size // maximum size of a file
}

// Setup configures an instance.
type Setup struct {
	Name    message.Message // plugin or file, for messages
	Program string          // its name for the guest: argv[0]
	Limits  Limits
	Mounts  []Mount
	// Usable returns an error if the guest must not get a folder of Mounts that was opened
	// just now. Nil permits all.
	Usable func(folder string) error
	Extism bool   // uses the Extism ABI; else it is a WASI command
	Warmup string // function that runs before the snapshot; may be ""
	// Begin is the guest's Extism call during initialisation: settings, limits and
	// other values that are the same for every call. It has no variables, and its
	// requests are refused.
	Begin extism.Call
	Clock Clock // nil means this machine's clock
	// Total limits the memory of all running instances. Nil means unlimited.
	Total *linear.Total
	// Closing cancels every call when it ends. If its cause is a *tool.Error, the
	// calls end with it.
	Closing context.Context
}

// Instance is a running copy of a module. It runs one call at a time.
type Instance struct {
	Setup
	program *Program
	module  api.Module
	kernel  *extism.Kernel // of a plugin with the Extism ABI
	memory  *linear.Memory
	share   *linear.Share // share of the total during a call
	fuel    api.MutableGlobal
	depth   api.MutableGlobal // nil if the module has no recursion
	globals []api.MutableGlobal
	begin   *state // state for Reset; nil if there is none

	run        run
	current    *Call // running call; nil between calls
	functions  map[string]function
	lastCalled function // the last function called
	calls      int
	stack      [2]uint64

	stdin      input
	stdout     boundedBuffer
	stderr     lineWriter
	lines      lineWriter // standard output, unless that is the answer
	log        logger
	account    rootfs.Account
	folders    []*rootfs.FS
	guests     []string      // their paths in the plugin
	mountInfos []os.FileInfo // folders of the mounts; nil for a missing one
	quotas     []*rootfs.Quota

	// listedFolders are the descriptors of folders whose listing started after the
	// snapshot.
	listedFolders map[uint64]bool

	isInitialised bool        // the guest's runtime is initialised
	starting      string      // part of the start code that runs: "start", "_initialize", …; else ""
	wasOutside    bool        // the call was denied a change outside of its arguments
	changed       bool        // an initial descriptor has changed
	healthy       bool        // the last call ended normally
	stopError     *tool.Error // exceeded limit, set before the guest is stopped
}

// Codes of the error of a call that found a file not as the user approved it: before it
// changed anything, or later.
const (
	FileChanged     = "approval_drift"
	FileChangedLate = "file_changed"
)

// Start makes an instance for the call c, initialises it and warms it up. The time
// counts towards the call. The guest sees only values of the setup, whichever call
// makes the instance: no input, variables or network, and its folders are
// read-only.
func (p *Program) Start(ctx context.Context, s Setup, c *Call) (*Instance, error) {
	b := s.initialCall(c)
	defer func() { c.deadline = b.deadline }()
	i, err := p.open(ctx, s, b)
	if err != nil {
		return nil, err
	}
	if err := i.start(ctx, b); err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}

// open makes an instance. It runs the module's start section as part of the call
// c.
func (p *Program) open(ctx context.Context, s Setup, c *Call) (*Instance, error) {
	share := s.Total.Share()
	i := &Instance{
		Setup: s, program: p, memory: linear.New(uint64(s.Limits.Memory), share), share: share,
		functions: map[string]function{},
	}
	i.run.instance, i.run.slice = i, firstSlice
	i.memory.Pause = i.pause
	i.account = rootfs.Account{OpenFiles: s.Limits.OpenFiles, Exceeded: func(limit string, value uint64) {
		i.stop(i.Limits.filesExceeded(i.Name, limit, value))
	}, Pause: i.pause, Denied: func(f *rootfs.FS, name string) {
		if !i.wasOutside { // say it once in a call
			i.wasOutside = true
			i.log.report("warn", message.New("plugin.log_outside_arguments", "path", path.Join(i.guests[slices.Index(i.folders, f)], name)))
		}
	}, Changed: func(f *rootfs.FS, name string) {
		e := tool.NewError(tool.PolicyDenied, FileChanged, message.New("plugin.file_changed", "name", i.Name, "path", path.Join(i.guests[slices.Index(i.folders, f)], name)))
		if slices.ContainsFunc(i.folders, (*rootfs.FS).HasEffect) {
			e.Code = FileChangedLate
		}
		i.stop(e)
	}}
	i.beginCall(ctx, c)
	defer i.endCall()
	i.starting = "start"
	err := i.instantiate(c)
	i.starting = ""
	if err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}

func (i *Instance) instantiate(c *Call) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = tool.NewError(tool.ExecutionError, "host_fault", message.New("plugin.host_broke_at_start", "name", i.Name, "cause", fmt.Sprint(p)))
		}
	}()
	p := i.program
	if m := p.Inspection.Memory; m != nil && m.Min > uint64(i.Limits.Memory) {
		return i.Limits.memoryExceeded(i.Name, message.New("plugin.starts_with", "size", m.Min))
	}
	var ctx context.Context = &i.run
	if i.Extism {
		if i.kernel, err = p.abi.New(context.Background(), uint64(i.Limits.Memory), i.share, i.pause); err != nil {
			return tool.NewError(tool.ExecutionError, "host_fault", message.New("plugin.of", "name", i.Name, "cause", err))
		}
		if err := i.beginKernel(c, nil); err != nil { // a start section may use it
			return err
		}
		ctx = i.kernel.Link(c.Extism, nil)
	}
	i.run.granted = 0
	i.module, err = p.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, i.memory), p.compiled, i.config())
	if err != nil {
		return i.toError(err)
	}
	if i.share.IsFull() {
		return i.totalExceeded(stack.Trap{})
	}
	m := p.metered
	i.fuel = mutableGlobals(i.module, m.Fuel)
	i.depth = mutableGlobals(i.module, m.Stack)
	for _, g := range m.Globals {
		i.globals = append(i.globals, mutableGlobals(i.module, g.Name))
	}
	return nil
}

func mutableGlobals(m api.Module, name string) api.MutableGlobal {
	if name == "" {
		return nil
	}
	return m.ExportedGlobal(name).(api.MutableGlobal)
}

// config returns what the instance may use: mounts, clock, randomness and standard
// streams. There are no environment variables, arguments or sockets.
func (i *Instance) config() wazero.ModuleConfig {
	i.stdout = boundedBuffer{limit: uint64(i.Limits.Output), overflow: func() {
		i.stop(i.Limits.outputExceeded(i.Name))
	}, pause: i.pause}
	i.log = logger{limit: i.Limits.LogLines, sink: i.log.sink, exceeded: func() {
		i.stop(i.Limits.logExceeded(i.Name))
	}}
	i.stderr.log = func(line string) { i.log.log("info", line) }
	i.lines.log = i.stderr.log
	i.stderr.pause, i.lines.pause = i.pause, i.pause
	folders := wazero.NewFSConfig()
	quotas := map[string]*rootfs.Quota{}
	i.mountInfos = make([]os.FileInfo, len(i.Mounts))
	for n, m := range i.Mounts {
		if quotas[m.Root] == nil {
			quotas[m.Root] = &rootfs.Quota{Bytes: uint64(m.Quota), MaxFile: uint64(m.MaxFile)}
			i.quotas = append(i.quotas, quotas[m.Root])
		}
		fs, err := rootfs.Open(m.Host, m.ReadOnly, &i.account, quotas[m.Root])
		if err == nil {
			if i.mountInfos[n], err = i.check(m, fs); err != nil {
				fs.Close()
			}
		}
		if err != nil {
			i.log.report("debug", message.New("plugin.log_folder_not_mounted", "path", m.Host, "cause", err))
			continue
		}
		i.folders, i.guests = append(i.folders, fs), append(i.guests, m.Guest)
		folders = folders.(sysfs.FSConfig).WithSysFSMount(fs, m.Guest)
	}
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions().WithArgs(i.Program).
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

// check returns the info of an opened folder. It fails if plugins must not use the
// folder, or if another one has its path since it was opened.
func (s Setup) check(m Mount, opened *rootfs.FS) (os.FileInfo, error) {
	info, err := opened.Info()
	if err != nil || s.Usable == nil {
		return info, err
	}
	if err := s.Usable(m.Host); err != nil {
		return nil, err
	}
	if now, err := os.Stat(m.Host); err != nil || !os.SameFile(now, info) {
		return nil, message.Error("realpath.link")
	}
	return info, nil
}

// sleep sleeps for the guest. It stops the guest if the call ends first.
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
		i.stop(i.run.endError())
	}
}

// random is the guests' buffered source of random bytes.
type random struct{ *Instance }

// maxRandomRead is how many random bytes are generated at a time.
const maxRandomRead = 64 << 10

// Read implements [io.Reader].
func (r random) Read(b []byte) (int, error) {
	if len(b) > maxRandomRead {
		r.pause()
		b = b[:maxRandomRead]
	}
	return rand.Read(b)
}

// pause stops the guest if the call has ended. Long host functions call it
// repeatedly.
func (i *Instance) pause() {
	if i.run.Err() != nil {
		i.stop(i.run.endError())
	}
}

// stop stops the guest inside a host function.
func (i *Instance) stop(why *tool.Error) {
	if i.stopError == nil {
		i.stopError = why
	}
	panic(why)
}

// IsStale reports whether a mounted folder was created, removed or replaced since
// the instance was made.
func (i *Instance) IsStale() bool {
	for n, m := range i.Mounts {
		now, err := os.Stat(m.Host)
		if err != nil != (i.mountInfos[n] == nil) || err == nil && !os.SameFile(now, i.mountInfos[n]) {
			return true
		}
	}
	return false
}

// FitsMemory reserves the memory of an idle instance in the total for its next call and
// reports whether there is enough. The memory that earlier calls added counts too,
// because the next call may use it without a request. A new instance needs less.
func (i *Instance) FitsMemory() bool { return i.share.Grow(i.Memory()) }

// Memory returns the current size in bytes of the guest's memory and the memory
// that it shares with the host.
func (i *Instance) Memory() uint64 {
	n := i.memory.Size()
	if i.kernel != nil {
		n += i.kernel.Size()
	}
	return n
}

// overhead is the estimated size of an instance without its memories: stacks,
// tables and wazero's data.
const overhead = 64 << 10

// Bytes returns how many bytes an idle instance uses that it does not share.
func (i *Instance) Bytes() uint64 {
	n := uint64(overhead) + i.memory.Private()
	if i.kernel != nil {
		n += i.kernel.Size()
	}
	return n
}

// Close releases the instance. No call may be running.
func (i *Instance) Close() {
	if i.module != nil {
		i.module.Close(context.Background()) // also closes the guest's files
	}
	i.memory.Free()
	i.share.Set(0)
	if i.kernel != nil {
		i.kernel.Close()
	}
	for _, f := range i.folders {
		f.Close()
	}
}

// errExited marks a guest that ended by itself with an exit code.
var errExited = errors.New("the plugin exited")
