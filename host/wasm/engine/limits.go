package engine

import (
	"time"

	"errand/host/tool"
	"errand/host/wasm/manifest"
)

// CallerTime is the key of the caller's time limit for a call.
const CallerTime = "step_timeout_ms"

// ErrClosed is the error of a call whose host was closed.
var ErrClosed = tool.Errorf(tool.ToolUnavailable, "host_closed", "the plugin host is closed")

// Limits apply to each call of an instance. 0 permits nothing, except for Fuel.
type Limits struct {
	Memory    manifest.Size // limit of the guest's own memory and, separately, of the memory that it shares with the host
	Output    manifest.Size
	Fuel      int64 // 0: limited only by the deadline
	LogLines  int   // lines of standard output and error; an Extism call has its own limit
	OpenFiles int
	// Raise returns how to raise a limit, by its key in a manifest's [limits] or
	// [[paths]]. It returns "" if the limit is fixed.
	Raise func(key string) string
}

func (l Limits) exceeded(class tool.Class, code, key, format string, args ...any) *tool.Error {
	e := tool.Errorf(class, code, format, args...)
	if hint := l.Raise(key); hint != "" {
		return e.WithHint("%s", hint)
	}
	return e
}

func (l Limits) memoryExceeded(name, detail string) *tool.Error {
	return l.exceeded(tool.ExecutionError, "memory_limit", "memory", "%s needs more than its memory limit of %s: %s", name, l.Memory, detail)
}

func (l Limits) outputExceeded(name string) *tool.Error {
	return l.exceeded(tool.ExecutionError, "output_limit", "output", "%s put out more than its output limit of %s", name, l.Output)
}

func (l Limits) timeExceeded(name string, timeout time.Duration) *tool.Error {
	return l.exceeded(tool.ToolTimeout, "deadline_exceeded", "timeout_ms", "%s ran longer than its time limit of %s", name, timeout)
}

func (l Limits) fuelExceeded(name string) *tool.Error {
	return l.exceeded(tool.ExecutionError, "fuel_limit", "fuel", "%s used more than its fuel limit of %d", name, l.Fuel)
}

func (l Limits) logExceeded(name string) *tool.Error {
	return l.exceeded(tool.ExecutionError, "log_lines_limit", "log_lines", "%s logged more than its limit of %d lines a call", name, l.LogLines)
}

func (l Limits) depthExceeded(name string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, "depth_limit",
		"%s called its own functions too deep: a call's stack may take %s", name, manifest.Size(stackLimit)).
		WithHint("it calls itself without end, most likely; nothing raises this limit")
}

// filesExceeded returns the error for a limit of [rootfs.Account].
func (l Limits) filesExceeded(name, limit string, value uint64) *tool.Error {
	switch limit {
	case "open_files":
		return l.exceeded(tool.ExecutionError, "open_files_limit", limit, "%s opened more than its limit of %d files at a time", name, value)
	case "quota":
		return l.exceeded(tool.ExecutionError, "quota_limit", limit, "%s wrote more than its quota of %s a call", name, manifest.Size(value))
	}
	return l.exceeded(tool.ExecutionError, "max_file_limit", limit, "%s wrote a file larger than its limit of %s", name, manifest.Size(value))
}
