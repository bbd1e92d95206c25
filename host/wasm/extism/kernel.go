package extism

import (
	"context"
	"net/http"
	"strings"

	"errand/host/tool"
)

// Level is the severity of a log line.
type Level int32

// Levels, in the ABI's numbers.
const (
	Trace Level = iota
	Debug
	Info
	Warn
	Error
)

var levels = [...]string{"trace", "debug", "info", "warn", "error"}

func (l Level) String() string {
	if l < Trace || l > Error {
		return "off"
	}
	return levels[l]
}

// ParseLevel reads what [Level.String] writes; anything else is Info.
func ParseLevel(s string) Level {
	for i, name := range levels {
		if s == name {
			return Level(i)
		}
	}
	return Info
}

// Most bytes of an answer over HTTP and of all variables together.
const (
	MaxResponse = 50 << 20
	MaxVars     = 1 << 20
)

// Kernel is the host's side of one plugin instance. It serves one call at a
// time, between [Kernel.Begin] and the reading of its outcome. Fields are set
// before the first call.
type Kernel struct {
	Memory   uint64            // most bytes of the memory shared with the plugin
	Config   map[string]string // what config_get answers
	Vars     map[string][]byte // variables; they outlive a call, and Vars is changed in place
	Log      func(level Level, message string)
	LogLevel Level // what is below is not logged

	Client  *http.Client // how requests are made; nil refuses them
	Hosts   []string     // what the plugin may reach, for messages; empty refuses requests
	Secrets map[string]Secret

	// ReadOnly refuses every request but GET and HEAD: the tool says that it
	// changes nothing.
	ReadOnly bool

	arena
	input      span
	output     span
	fault      span // what error_set named
	httpStatus int32
	httpHeader http.Header
}

// span is a range of the arena.
type span struct{ at, length uint64 }

type contextKey struct{}

// Context is ctx with the kernel in it, for calls of the plugin's functions.
func (k *Kernel) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, contextKey{}, k)
}

func kernelOf(ctx context.Context) *Kernel {
	k, ok := ctx.Value(contextKey{}).(*Kernel)
	if !ok {
		panic(tool.Errorf(tool.ExecutionError, "no_kernel", "an Extism function was called outside a call"))
	}
	return k
}

// Begin makes ready for a call: an empty memory that holds just the input.
func (k *Kernel) Begin(input []byte) error {
	k.reset()
	at := k.write(input)
	if at == 0 && len(input) > 0 {
		return tool.Errorf(tool.ValidationError, "input_too_large",
			"the input of %d bytes does not fit in the plugin's memory limit of %d bytes", len(input), k.Memory)
	}
	k.input = span{at, uint64(len(input))}
	return nil
}

// reset is the ABI's reset: nothing allocated, no input, output or error.
func (k *Kernel) reset() {
	k.limit = k.Memory
	k.arena.reset()
	k.input, k.output, k.fault = span{}, span{}, span{}
	k.httpStatus, k.httpHeader = 0, nil
}

// OutputLen is the length of the output in bytes.
func (k *Kernel) OutputLen() uint64 { return k.output.length }

// Output is a copy of what the plugin left as its output, nil for none.
func (k *Kernel) Output() []byte {
	b, _ := k.slice(k.output.at, k.output.length)
	return append([]byte(nil), b...)
}

// Error is what the plugin left as its error, empty for none.
func (k *Kernel) Error() string {
	b, _ := k.slice(k.fault.at, k.fault.length)
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// Exhausted reports whether the plugin asked for more memory than it may have.
func (k *Kernel) Exhausted() bool { return k.refused }

// bytes answers the block at a handle that the plugin handed over. A handle
// that was never handed out ends the call.
func (k *Kernel) bytes(function string, at uint64) []byte {
	b, ok := k.block(at)
	if !ok {
		panic(tool.Errorf(tool.ExecutionError, "invalid_handle", "the plugin passed %s a handle (%d) that is not a block of its memory", function, at))
	}
	return b
}

func (k *Kernel) log(level Level, at uint64) {
	message := k.bytes("log_"+level.String(), at)
	if level >= k.LogLevel && k.Log != nil {
		k.Log(level, strings.ToValidUTF8(string(message), "\uFFFD"))
	}
	k.free(at)
}

// varOverhead is what an entry counts beside its key and value, so that many
// empty ones are not free.
const varOverhead = 40

func (k *Kernel) varSet(key, value uint64) {
	name := string(k.bytes("var_set", key))
	if value == 0 {
		delete(k.Vars, name)
		k.free(key)
		return
	}
	b := k.bytes("var_set", value)
	total := uint64(len(name) + len(b) + varOverhead)
	for n, v := range k.Vars {
		if n != name {
			total += uint64(len(n) + len(v) + varOverhead)
		}
	}
	if total > MaxVars {
		panic(tool.Errorf(tool.ExecutionError, "variables_full", "the plugin's variables would take %d bytes; %d are allowed", total, MaxVars))
	}
	if k.Vars == nil {
		k.Vars = make(map[string][]byte)
	}
	k.Vars[name] = append([]byte(nil), b...)
	k.free(key)
	k.free(value)
}

func (k *Kernel) varGet(key uint64) uint64 {
	value := k.Vars[string(k.bytes("var_get", key))]
	k.free(key)
	return k.write(value)
}

func (k *Kernel) configGet(key uint64) uint64 {
	value := k.Config[string(k.bytes("config_get", key))]
	k.free(key)
	return k.write([]byte(value))
}
