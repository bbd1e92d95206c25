package wasm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path"
	"strconv"
	"time"

	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/host/wasm/inspect"
	"errand/host/wasm/manifest"
	"errand/policy"
)

// Module is a module that is no plugin of a folder.
type Module struct {
	Name  string // for messages
	Bytes []byte
}

// Limits of a single call where its options state none.
const (
	DefaultTimeout = 30 * time.Second
	DefaultMemory  = 256 << 20 // bytes
	DefaultOutput  = 64 << 20  // bytes
)

// CallOptions are what one call of [Host.Call] may use. The zero value grants
// nothing and bounds the call by the defaults above.
type CallOptions struct {
	Config     map[string]string // what config_get answers
	Vars       map[string][]byte // variables of an Extism plugin; changed in place where not nil
	AllowHosts []string          // patterns of hosts that may be reached
	Mounts     []Mount
	Timeout    time.Duration // of the run alone: compiling comes before and isn't counted; 0 or less: DefaultTimeout
	Memory     int64         // bytes; 0 or less: DefaultMemory
	Output     int64         // bytes; 0 or less: DefaultOutput
	LogLevel   string        // least level that is kept: trace, debug, info (where empty), warn, error
}

// LogLine is one line that a plugin logged.
type LogLine struct {
	Level   string `json:"level"`
	Message string `json:"message"`
}

// Output is how a call ended by the plugin's own doing.
type Output struct {
	Data     []byte    `json:"-"`               // an Extism plugin's output, a command's standard output
	Error    string    `json:"error,omitempty"` // what the plugin says went wrong
	ExitCode uint32    `json:"exit_code"`       // what the function returned or the program exited with
	Logs     []LogLine `json:"logs"`
}

// Call runs one function of a module: one of an Extism plugin, or the _start
// of a WASI command with input as its standard input.
//
// A plugin that says no answers an Output with an Error or an ExitCode. The
// error is a *tool.Error: a module that can't be run, a limit that was passed,
// a plugin that broke.
func (h *Host) Call(ctx context.Context, m Module, function string, input []byte, o CallOptions) (Output, error) {
	out := Output{Logs: []LogLine{}}
	i, err := inspect.Read(m.Bytes)
	if err != nil {
		return out, named(badModule("%v", err), m.Name)
	}
	if len(m.Bytes) > MaxModule {
		return out, named(tooBig(), m.Name)
	}
	if err := mountable(o.Mounts); err != nil {
		return out, err
	}
	if err := reachable(o.AllowHosts); err != nil {
		return out, err
	}
	j := job{
		name: m.Name, digest: digest(m.Bytes), load: func() ([]byte, error) { return m.Bytes, nil },
		function: function, input: input, mounts: o.Mounts, limits: o.limits(),
		sink: func(level, message string) { out.Logs = append(out.Logs, LogLine{level, message}) },
	}
	if i.ABI == inspect.Extism || function != "_start" {
		j.call = &extism.Call{
			Config: o.Config, Vars: o.Vars, LogLevel: extism.ParseLevel(o.LogLevel),
			Client: h.client(m.Name, o.AllowHosts), Hosts: o.AllowHosts,
			Limits: extism.DefaultLimits(),
		}
	}
	done, err := h.run(ctx, j)
	out.Data, out.Error, out.ExitCode = done.data, done.fault, done.code
	if err == nil && out.ExitCode != 0 && out.Error == "" {
		out.Error = fmt.Sprintf("%s ended with exit code %s", m.Name, exitCode(out.ExitCode))
	}
	return out, named(err, m.Name)
}

func (o CallOptions) limits() limits {
	l := limits{memory: DefaultMemory, output: DefaultOutput, timeout: DefaultTimeout, flags: true}
	if o.Memory > 0 {
		l.memory = manifest.Size(o.Memory)
	}
	if o.Output > 0 {
		l.output = manifest.Size(o.Output)
	}
	if o.Timeout > 0 {
		l.timeout = o.Timeout
	}
	return l
}

// mountable refuses what a person who names a folder would else look for in
// vain. (A plugin's roots may be missing.)
func mountable(mounts []Mount) error {
	for _, m := range mounts {
		info, err := os.Stat(m.Host)
		switch {
		case err != nil:
			return tool.Errorf(tool.ValidationError, "bad_mount", "show %s to the plugin: %v", m.Host, err)
		case !info.IsDir():
			return tool.Errorf(tool.ValidationError, "bad_mount", "show %s to the plugin: it is not a folder", m.Host)
		case !path.IsAbs(m.Guest):
			return tool.Errorf(tool.ValidationError, "bad_mount", "show %s to the plugin: %q is not an absolute path in it", m.Host, m.Guest)
		}
	}
	return nil
}

// reachable refuses patterns of hosts that mean nothing, which else would allow
// nothing without a word.
func reachable(hosts []string) error {
	for _, pattern := range hosts {
		if _, err := policy.ParsePattern(pattern); err != nil {
			return tool.Errorf(tool.ValidationError, "bad_host_pattern", "%q is no pattern of hosts: %v", pattern, err).
				WithHint("write a name such as api.example.com, or *.example.com for all below it")
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

// exitCode writes a code as programs mean it: -1 and not 4294967295.
func exitCode(code uint32) string { return strconv.Itoa(int(int32(code))) }

func tooBig() *tool.Error {
	return badModule("it is longer than the %d bytes allowed", MaxModule)
}

// named puts the module's name before an error that is about the module and
// doesn't say which.
func named(err error, name string) error {
	if err == nil {
		return nil
	}
	e := *tool.AsError(err)
	switch e.Code {
	case "bad_module", "unsupported_module", "missing_imports":
		e.Message = name + ": " + e.Message
	}
	return &e
}
