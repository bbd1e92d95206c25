package wasm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"path"
	"slices"
	"time"

	"errand/host/tool"
	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/host/wasm/inspect"
	"errand/host/wasm/manifest"
	"errand/planner/message"
	"errand/policy"
)

// Module is a module without a plugin folder.
type Module struct {
	Name  string // for messages
	Bytes []byte
}

// Default limits of a single call.
const (
	DefaultTimeout = 30 * time.Second
	DefaultMemory  = 256 << 20 // bytes
	DefaultOutput  = 64 << 20  // bytes
)

// CallOptions configure [Host.Call]. The zero value grants nothing and uses the
// default limits above.
type CallOptions struct {
	Config     map[string]string // values for config_get
	Vars       map[string][]byte // variables of an Extism plugin; changed in place if not nil
	AllowHosts []string          // patterns of hosts that the plugin may contact
	Mounts     []Mount
	Timeout    time.Duration // limit of the run, without compiling; 0 or less: DefaultTimeout
	Memory     int64         // bytes; 0 or less: DefaultMemory
	Output     int64         // bytes; 0 or less: DefaultOutput
	Fuel       int64         // budget in WebAssembly instructions, approximately; 0: unlimited
	Warmup     string        // function that runs before the snapshot that a session's fresh calls start from
	LogLevel   string        // minimum level to keep: trace, debug, info (default), warn, error
}

// LogLine is one line that a plugin logged.
type LogLine struct {
	Level   string          `json:"level"`
	Message message.Message `json:"message"`
}

// Output is the result of a call that the plugin itself ended.
type Output struct {
	Data     []byte          `json:"-"`              // an Extism plugin's output, a command's standard output
	Error    message.Message `json:"error,omitzero"` // what the plugin says went wrong
	ExitCode int32           `json:"exit_code"`      // what the function returned or the program exited with, as programs mean it: -1
	Logs     []LogLine       `json:"logs"`
	Fuel     uint64          `json:"fuel"`   // that the function used
	Memory   uint64          `json:"memory"` // bytes of its memories at the end
}

// Mount makes a folder of this machine visible to a plugin.
type Mount = engine.Mount

// Call runs one function of a module: an exported function of an Extism plugin, or
// _start of a WASI command with input as its standard input.
//
// If the plugin reports a failure, the Output has an Error or an ExitCode. The
// error is a *tool.Error for a module that can't run, an exceeded limit or a
// crash.
func (h *Host) Call(ctx context.Context, m Module, function string, input []byte, o CallOptions) (Output, error) {
	out := Output{Logs: []LogLine{}}
	i, err := m.inspect()
	if err != nil {
		return out, err
	}
	if err := o.check(); err != nil {
		return out, err
	}
	log := func(level string, line message.Message) { out.Logs = append(out.Logs, LogLine{level, line}) }
	c := &engine.Call{Function: function, Input: input, Timeout: o.timeout(), Log: log, WritesAll: true}
	if usesExtism(&i, function) {
		c.Extism = h.extismCall(m.Name, o, log)
	}
	done, err := h.callOnce(ctx, m, i, h.moduleSetup(m.Name, o, c.Extism != nil), c)
	out.Data, out.Error, out.ExitCode, out.Fuel, out.Memory = done.Data, failure(done), int32(done.Code), done.Fuel, done.Memory
	if err == nil && out.ExitCode != 0 && out.Error.IsZero() {
		out.Error = message.New("plugin.exited", "name", m.Name, "code", out.ExitCode)
	}
	return out, withModuleName(err, m.Name)
}

// failure returns what the guest says of its failure, or the zero Message.
func failure(done engine.Outcome) message.Message {
	if !done.Failed {
		return message.Message{}
	}
	return extism.ErrorMessage(done.ErrorText)
}

func (m Module) inspect() (Inspection, error) {
	if len(m.Bytes) > MaxModule {
		return Inspection{}, withModuleName(moduleTooLong(), m.Name)
	}
	i, err := inspect.Read(m.Bytes)
	if err != nil {
		return i, withModuleName(tool.UnavailableError("bad_module", message.FromError(err)).WithHint(message.New("plugin.build_or_fetch_again")), m.Name)
	}
	return i, nil
}

// usesExtism reports whether a function is called by Extism's ABI. A plain
// module's functions are, because that ABI requires less.
func usesExtism(i *Inspection, function string) bool {
	return i.ABI == inspect.Extism || function != "_start"
}

func (o CallOptions) check() error {
	if err := checkMounts(o.Mounts); err != nil {
		return err
	}
	return checkHosts(o.AllowHosts)
}

func (o CallOptions) timeout() time.Duration {
	if o.Timeout <= 0 {
		return DefaultTimeout
	}
	return o.Timeout
}

func (h *Host) extismCall(name string, o CallOptions, log func(level string, line message.Message)) *extism.Call {
	return &extism.Call{
		Plugin: message.Verbatim(name), Config: o.Config, Vars: o.Vars, LogLevel: extism.ParseLevel(o.LogLevel), ByFlag: true,
		Log:    func(level extism.Level, line message.Message) { log(level.String(), line) },
		Client: h.client(name, o.AllowHosts), Hosts: o.AllowHosts,
		Limits: extism.DefaultLimits(), Raise: raiseByFlag,
	}
}

// callOnce executes a call in a new instance.
func (h *Host) callOnce(ctx context.Context, m Module, inspection Inspection, s engine.Setup, c *engine.Call) (engine.Outcome, error) {
	leave, err := h.enter()
	if err != nil {
		return engine.Outcome{}, err
	}
	defer leave()
	p, err := h.acquire(ctx, inspection.SHA256, 1, func() ([]byte, Inspection, error) { return m.Bytes, inspection, nil })
	if err != nil {
		return engine.Outcome{}, err
	}
	defer h.release(p)
	s.Closing, s.Total = h.ctx, h.total
	i, err := p.Start(ctx, s, c)
	if err != nil {
		return engine.Outcome{}, err
	}
	defer i.Close()
	return i.Call(ctx, c)
}

func (h *Host) moduleSetup(name string, o CallOptions, extism bool) engine.Setup {
	begin := h.extismCall(name, o, func(string, message.Message) {})
	s := engine.Setup{Name: message.Verbatim(name), Program: name, Extism: extism, Begin: *begin, Warmup: o.Warmup, Mounts: slices.Clone(o.Mounts), Limits: engine.Limits{
		Memory: DefaultMemory, Output: DefaultOutput, Fuel: o.Fuel,
		LogLines: manifest.DefaultLogLines, OpenFiles: manifest.DefaultOpenFiles, Raise: raiseByFlag,
	}}
	if o.Memory > 0 {
		s.Limits.Memory = manifest.Size(o.Memory)
	}
	if o.Output > 0 {
		s.Limits.Output = manifest.Size(o.Output)
	}
	for n := range s.Mounts {
		m := &s.Mounts[n]
		m.Root = m.Guest
		m.Quota, m.MaxFile = cmp.Or(m.Quota, manifest.DefaultQuota), cmp.Or(m.MaxFile, manifest.DefaultMaxFile)
	}
	return s
}

// raiseByFlag returns the command-line flag that raises a limit of a module
// without a manifest. key is the limit's key in a manifest.
func raiseByFlag(key string) message.Message {
	switch key {
	case "memory":
		return message.New("plugin.allow_more_memory")
	case "timeout_ms":
		return message.New("plugin.allow_more_time")
	}
	switch key {
	case "quota", "max_file":
		return message.New("plugin.fixed_path_limit", "file", manifest.File, "key", key)
	case engine.CallerTime:
		return message.New("plugin.give_call_more_time")
	}
	return message.New("plugin.fixed_limit", "file", manifest.File, "key", key)
}

// checkMounts refuses folders that don't exist. (A plugin's roots may be missing.)
func checkMounts(mounts []Mount) error {
	for _, m := range mounts {
		info, err := os.Stat(m.Host)
		switch {
		case err != nil:
			return tool.NewError(tool.ValidationError, "bad_mount", message.New("plugin.bad_mount", "folder", m.Host, "cause", err))
		case !info.IsDir():
			return tool.NewError(tool.ValidationError, "bad_mount", message.New("plugin.mount_not_folder", "folder", m.Host))
		case !path.IsAbs(m.Guest):
			return tool.NewError(tool.ValidationError, "bad_mount", message.New("plugin.mount_not_absolute", "folder", m.Host, "guest", m.Guest))
		}
	}
	return nil
}

// checkHosts refuses invalid host patterns, which would otherwise permit nothing
// without an error.
func checkHosts(hosts []string) error {
	for _, pattern := range hosts {
		if _, err := policy.ParsePattern(pattern); err != nil {
			return tool.NewError(tool.ValidationError, "bad_host_pattern", message.New("plugin.bad_host_pattern", "pattern", pattern, "cause", err)).
				WithHint(message.New("plugin.write_host_pattern"))
		}
	}
	return nil
}

func (h *Host) client(caller string, hosts []string) *http.Client {
	if h.o.Client == nil || len(hosts) == 0 {
		return nil
	}
	return h.o.Client(caller, hosts)
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func moduleTooLong() *tool.Error {
	return tool.UnavailableError("bad_module", message.New("plugin.module_too_long", "limit", MaxModule)).
		WithAlternative(message.New("plugin.build_optimised"))
}

// withModuleName prefixes an error about the module with the module's name, if it is
// missing.
func withModuleName(err error, name any) error {
	if err == nil {
		return nil
	}
	e := *tool.AsError(err)
	switch e.Code {
	case "bad_module", "unsupported_module", "missing_imports", "wrong_imports", "module_too_complex", "still_compiling":
		e.Message = message.New("module.of", "module", name, "fault", e.Message)
	}
	return &e
}
