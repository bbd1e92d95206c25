package wasm

import (
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/engine"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// pluginCall is a call of a plugin's tool and the end of its log.
type pluginCall struct {
	engine.Call
	tail stack.Tail
}

// codesWithoutReason are the error codes that carry no reason.
var codesWithoutReason = []string{"plugin_exited", "bad_output"}

// log stores a line that the plugin logged. It leaves out the host's own lines.
func (c *pluginCall) log(line message.Message) {
	if text, _ := line.Text(); strings.TrimSpace(text) != "" {
		c.tail.Add(stack.Clip(text, 200))
	}
}

// explain adds details for the plugin's author to an error without a reason: the
// called function, the end of its log and its input.
func (c *pluginCall) explain(e *tool.Error, done engine.Outcome, called string) *tool.Error {
	silent := done.Code != 0 && !done.Failed && e.Code == "plugin_error"
	if len(e.Details) > 0 || !silent && !slices.Contains(codesWithoutReason, e.Code) {
		return e
	}
	copied := *e
	if cause := c.tail.Cause(); cause != "" && e.Code != "bad_output" {
		copied.Message = message.New("plugin.ended_because", "ended", e.Message, "cause", cause)
	}
	copied.Details = append([]string{"in a call of " + called}, engine.CallDetails(c.tail.Lines(), &c.Call)...)
	return &copied
}
