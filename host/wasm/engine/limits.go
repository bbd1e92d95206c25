package engine

import (
	"time"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// CallerTime is the key of the caller's time limit for a call.
const CallerTime = "step_timeout_ms"

// ErrClosed is the error of a call whose host was closed.
var ErrClosed = tool.NewError(tool.ToolUnavailable, "host_closed", message.New("plugin.host_closed"))

// Limits apply to each call of an instance. 0 permits nothing, except for Fuel.
type Limits struct {
	Memory    manifest.Size // limit of the guest's own memory and, separately, of the memory that it shares with the host
	Output    manifest.Size
	Fuel      int64 // 0: limited only by the deadline
	LogLines  int   // lines of standard output and error; an Extism call has its own limit
	OpenFiles int
	// Raise returns how to raise a limit, by its key in a manifest's [limits] or
	// [[paths]]. It returns "" if the limit is fixed.
	Raise func(key string) message.Message
}

func (l Limits) limitError(class tool.Class, code, key string, m message.Message) *tool.Error {
	e := tool.NewError(class, code, m)
	if hint := l.Raise(key); !hint.IsZero() {
		return e.WithHint(hint)
	}
	return e
}

func (l Limits) memoryExceeded(name, detail message.Message) *tool.Error {
	return l.limitError(tool.ExecutionError, "memory_limit", "memory", message.New("plugin.memory_limit", "name", name, "limit", l.Memory, "cause", detail))
}

func (l Limits) outputExceeded(name message.Message) *tool.Error {
	return l.limitError(tool.ExecutionError, "output_limit", "output", message.New("plugin.output_limit", "name", name, "limit", l.Output))
}

func (l Limits) timeExceeded(name message.Message, timeout time.Duration) *tool.Error {
	return l.limitError(tool.ToolTimeout, "deadline_exceeded", "timeout_ms", message.New("plugin.time_limit", "name", name, "limit", timeout))
}

func (l Limits) fuelExceeded(name message.Message) *tool.Error {
	return l.limitError(tool.ExecutionError, "fuel_limit", "fuel", message.New("plugin.fuel_limit", "name", name, "limit", l.Fuel))
}

func (l Limits) logExceeded(name message.Message) *tool.Error {
	return l.limitError(tool.ExecutionError, "log_lines_limit", "log_lines", message.New("plugin.log_limit", "name", name, "limit", l.LogLines))
}

func (l Limits) depthExceeded(name message.Message) *tool.Error {
	return tool.NewError(tool.ExecutionError, "depth_limit",
		message.New("plugin.depth_limit", "name", name, "limit", manifest.Size(stackLimit))).
		WithHint(message.New("plugin.look_for_recursion"))
}

// filesExceeded returns the error for a limit of [rootfs.Account].
func (l Limits) filesExceeded(name message.Message, limit string, value uint64) *tool.Error {
	switch limit {
	case "open_files":
		return l.limitError(tool.ExecutionError, "open_files_limit", limit, message.New("plugin.open_files_limit", "name", name, "limit", value))
	case "quota":
		return l.limitError(tool.ExecutionError, "quota_limit", limit, message.New("plugin.quota_limit", "name", name, "limit", manifest.Size(value)))
	}
	return l.limitError(tool.ExecutionError, "max_file_limit", limit, message.New("plugin.file_size_limit", "name", name, "limit", manifest.Size(value)))
}
