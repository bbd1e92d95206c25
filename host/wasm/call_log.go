package wasm

import (
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/engine"
	"errand/host/wasm/stack"
)

// calling is a call of a plugin's tool and the end of its log.
type calling struct {
	engine.Call
	tail stack.Tail
}

// unexplained are the error codes that carry no reason.
var unexplained = []string{"plugin_exited", "bad_output"}

// log stores a line that the plugin logged.
func (c *calling) log(message string) {
	if strings.TrimSpace(message) != "" {
		c.tail.Add(stack.Clip(message, 200))
	}
}

// explain adds details for the plugin's author to an error without a reason: the
// called function, the end of its log and its input.
func (c *calling) explain(e *tool.Error, done engine.Outcome, called string) *tool.Error {
	silent := done.Code != 0 && done.Fault == "" && e.Code == "plugin_error"
	if len(e.Details) > 0 || !silent && !slices.Contains(unexplained, e.Code) {
		return e
	}
	told := *e
	told.Details = append([]string{"in a call of " + called}, engine.CallDetails(c.tail.Lines(), &c.Call)...)
	return &told
}
