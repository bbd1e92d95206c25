package agent

import (
	"bytes"

	"errand/host/agent/reading"
	"errand/host/llm"
	"errand/host/run"
)

// Limits of what a model reads, in bytes.
const (
	maxResult  = 24 << 10 // of one result
	resultTail = 6 << 10  // of a longer one, its end
	maxResults = 200 << 10
	maxName    = 200 // of a tool that a model makes up
)

// answer is a result as the model reads it.
type answer struct {
	OK bool `json:"ok"`
	reading.Payload
	Error *reading.Error `json:"error,omitempty"`
	// Repeated says that an earlier call had this effect, and that this one was not made.
	Repeated bool           `json:"repeated,omitempty"`
	Used     map[string]any `json:"args_used,omitempty"` // arguments that the user changed the call to
}

// content returns a result as the model reads it. Untrusted content is marked, and can't end
// its mark.
func (p *Planner) content(r run.ToolResult, c llm.Call) string {
	form := reading.Form{Max: maxResult, Tail: resultTail, Clean: p.o.Clean, Say: p.o.Say}
	out := answer{OK: r.OK, Repeated: r.Repeated, Payload: form.PayloadOf(r.Payload, r.Untrusted), Error: form.ErrorOf(r.Error, r.Untrusted)}
	if r.Args != nil && c.Malformed == "" && !bytes.Equal(llm.Marshal(r.Args), llm.Marshal(p.o.Clean(c.WireArgs()))) {
		out.Used = r.Args
	}
	return string(llm.Marshal(out))
}

// dropped is in place of a result that was dropped to save room.
const dropped = `{"ok":true,"left_out":true}`

// dropOld drops the oldest results until all of them together are short enough. The same
// conversation always drops the same.
func dropOld(messages []llm.Message) {
	total := 0
	for i := len(messages) - 1; i >= 0; i-- {
		for j := len(messages[i].Results) - 1; j >= 0; j-- {
			r := &messages[i].Results[j]
			if total += len(r.Content); total > maxResults && !r.IsError && len(r.Content) > len(dropped) {
				total -= len(r.Content) - len(dropped)
				r.Content = dropped
			}
		}
	}
}
