package extism

import (
	"errand/host/tool"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// Level is the severity of a log line.
type Level int32

// Levels with the numbers of the ABI.
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

// ParseLevel parses the output of [Level.String]; any other text is Info.
func ParseLevel(s string) Level {
	for i, name := range levels {
		if s == name {
			return Level(i)
		}
	}
	return Info
}

// log implements the ABI's log_trace and similar functions. Handle 0 is an empty
// line. The host frees the message even if it is not logged.
func (c *Call) log(level Level, at uint64) {
	text := c.bytes("log_"+level.String(), at)
	if level >= c.LogLevel && c.Log != nil {
		c.line(level, message.Verbatim(stack.Clip(text, MaxLogLine)))
	}
	c.kernel.free(at)
}

// Report logs a line for the plugin. It counts towards the plugin's limit. Each
// text in the line has at most [MaxLogLine] bytes.
func (c *Call) Report(level Level, line message.Message) {
	if level >= c.LogLevel && c.Log != nil {
		c.line(level, line.MapText(func(text string) string { return stack.Clip(text, MaxLogLine) }))
	}
}

// MaxLogLine is the maximum length of a logged line in bytes.
const MaxLogLine = 8 << 10

func (c *Call) line(level Level, line message.Message) {
	if c.lines++; c.lines > c.Limits.LogLines {
		panic(c.limitError(tool.ExecutionError, "log_lines_limit", "log_lines",
			message.New("plugin.log_limit", "name", c.name(), "limit", c.Limits.LogLines)))
	}
	if text, ok := line.Text(); ok || line.IsZero() {
		c.tail.Add(stack.Clip(text, 200))
	}
	c.Log(level, line)
}

// LastLines returns the last lines that the plugin logged, for an error. The host's
// own lines are not among them.
func (c *Call) LastLines() []string { return c.tail.Lines() }
