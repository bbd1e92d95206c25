package agent

import (
	"bytes"
	"strings"

	"errand/host/llm"
	"errand/host/run"
)

// Limits of what a model reads, in bytes.
const (
	maxResult  = 24 << 10 // of one result
	resultTail = 6 << 10  // of a longer one, its end
	maxResults = 200 << 10
)

// answer is a result as the model reads it.
type answer struct {
	OK      bool         `json:"ok"`
	Payload any          `json:"payload,omitempty"`
	Head    string       `json:"payload_head,omitempty"` // in place of a payload that is too long
	Tail    string       `json:"payload_tail,omitempty"`
	LeftOut int          `json:"left_out_bytes,omitempty"`
	Error   *answerError `json:"error,omitempty"`
	// Repeated says that an earlier call had this effect, and that this one was not made.
	Repeated bool           `json:"repeated,omitempty"`
	Used     map[string]any `json:"args_used,omitempty"` // arguments that the user changed the call to
}

type answerError struct {
	Class        string `json:"class"`
	Code         string `json:"code"`
	Message      string `json:"message"`
	Hint         string `json:"hint,omitempty"`
	Retriable    bool   `json:"retriable"`
	RetryAfterMS int64  `json:"retry_after_ms,omitempty"`
}

// content returns a result as the model reads it. Untrusted content is marked, and can't end
// its mark.
func (p *Planner) content(r run.ToolResult, c llm.Call) string {
	out := answer{OK: r.OK, Repeated: r.Repeated}
	if r.Args != nil && c.Malformed == "" && !bytes.Equal(llm.Marshal(r.Args), llm.Marshal(p.o.Clean(c.WireArgs()))) {
		out.Used = r.Args
	}
	mark := func(text string) string { return text }
	if r.Untrusted != nil {
		from := string(llm.Marshal(strings.Join(r.Untrusted.From, " ")))
		mark = func(text string) string {
			return "<untrusted from=" + escape(from) + ">" + escape(text) + "</untrusted>"
		}
	}
	if e := r.Error; e != nil {
		out.Error = &answerError{string(e.Class), e.Code, mark(clip(p.clean(p.o.Say(e.Message)), maxResult)), "", e.Retriable, e.RetryAfterMS}
		if !e.Hint.IsZero() {
			out.Error.Hint = mark(clip(p.clean(p.o.Say(e.Hint)), maxResult))
		}
	}
	if r.Payload == nil {
		return string(llm.Marshal(out))
	}
	payload := p.o.Clean(r.Payload)
	text := string(llm.Marshal(payload))
	if s, ok := payload.(string); ok {
		text = s
	}
	switch {
	case len(text) > maxResult:
		head, tail := clip(text, maxResult-resultTail), strings.ToValidUTF8(text[len(text)-resultTail:], "")
		out.Head, out.Tail, out.LeftOut = mark(head), mark(tail), len(text)-len(head)-len(tail)
	case r.Untrusted != nil:
		out.Payload = mark(text)
	default:
		out.Payload = payload
	}
	return string(llm.Marshal(out))
}

// escape removes what could look like a mark.
func escape(text string) string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(text)
}

func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
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
