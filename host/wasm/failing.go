package wasm

import (
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/engine"
	"errand/host/wasm/stack"
)

// calling is a call of a plugin's tool, and the end of what it logged.
type calling struct {
	engine.Call
	tail stack.Tail
}

// unexplained are the codes of ends without a reason.
var unexplained = []string{"plugin_exited", "bad_output"}

// log keeps a line that the plugin logged.
func (c *calling) log(message string) {
	if strings.TrimSpace(message) != "" {
		c.tail.Add(stack.Clip(message, 200))
	}
}

// explain adds to an end that a plugin came to by itself, and gave no reason for,
// what an author looks for: what was called, the end of its log, and which input it
// had.
func (c *calling) explain(e *tool.Error, done engine.Outcome, called string) *tool.Error {
	silent := done.Code != 0 && done.Fault == "" && e.Code == "plugin_error"
	if len(e.Details) > 0 || !silent && !slices.Contains(unexplained, e.Code) {
		return e
	}
	told := *e
	told.Details = append([]string{"in a call of " + called}, engine.Last(c.tail.Lines(), &c.Call)...)
	return &told
}
