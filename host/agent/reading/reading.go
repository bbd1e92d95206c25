// Package reading is the form in which language models and programs of others read the results of calls:
// without secrets, cut to a length, and with text of others between marks that it can't end.
package reading

import (
	"strings"

	"errand/host/llm"
	"errand/host/tool"
	"errand/planner/message"
)

// Form is how results are read.
type Form struct {
	Max   int                          // bytes of a payload
	Tail  int                          // bytes of the end of a longer payload, and of a text of an error
	Clean func(any) any                // removes secrets from JSON values
	Say   func(message.Message) string // in English
}

// Payload is the payload of a result.
type Payload struct {
	Payload any    `json:"payload,omitempty"`
	Head    string `json:"payload_head,omitempty"` // in place of a payload that is too long
	Tail    string `json:"payload_tail,omitempty"`
	LeftOut int    `json:"left_out_bytes,omitempty"`
}

// Error is why a call failed.
type Error struct {
	Class        string `json:"class"`
	Code         string `json:"code"`
	Message      string `json:"message"`
	Hint         string `json:"hint,omitempty"`
	Retriable    bool   `json:"retriable"`
	RetryAfterMS int64  `json:"retry_after_ms,omitempty"`
}

// Mark returns the function that puts text between marks which name its sources. It changes nothing if
// origin is nil: the text is not of others.
func Mark(origin *tool.Untrusted) func(text string) string {
	if origin == nil {
		return func(text string) string { return text }
	}
	from := escape(string(llm.Marshal(strings.Join(origin.From, " "))))
	return func(text string) string { return "<untrusted from=" + from + ">" + escape(text) + "</untrusted>" }
}

// PayloadOf returns a payload as it is read.
func (f Form) PayloadOf(payload any, origin *tool.Untrusted) (p Payload) {
	if payload == nil {
		return p
	}
	payload = f.Clean(payload)
	text, ok := payload.(string)
	if !ok {
		text = string(llm.Marshal(payload))
	}
	mark := Mark(origin)
	switch {
	case len(text) > f.Max:
		head, tail := Cut(text, f.Max-f.Tail), strings.ToValidUTF8(text[len(text)-f.Tail:], "")
		p.Head, p.Tail, p.LeftOut = mark(head), mark(tail), len(text)-len(head)-len(tail)
	case origin != nil:
		p.Payload = mark(text)
	default:
		p.Payload = payload
	}
	return p
}

// ErrorOf returns an error as it is read, and nil for none.
func (f Form) ErrorOf(e *tool.Error, origin *tool.Untrusted) *Error {
	if e == nil {
		return nil
	}
	mark := Mark(origin)
	say := func(m message.Message) string {
		if m.IsZero() {
			return ""
		}
		text, _ := f.Clean(f.Say(m)).(string)
		return mark(Cut(text, f.Tail))
	}
	return &Error{string(e.Class), e.Code, say(e.Message), say(e.Hint), e.Retriable, e.RetryAfterMS}
}

// Cut returns the first n bytes of a text, without a part of a character at the end.
func Cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}

// escape removes what could look like a mark.
func escape(text string) string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(text)
}
