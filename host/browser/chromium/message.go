package chromium

import (
	"bytes"
	"encoding/json"

	"github.com/go-rod/rod/lib/proto"
)

// Message is an event from the browser.
type Message struct {
	Method    string                `json:"method"`
	SessionID proto.TargetSessionID `json:"sessionId"` // the session of the event; "" is the browser itself
	Params    json.RawMessage       `json:"params"`
}

// ParseEvent parses an event. It returns false for responses, which the protocol client
// handles, and for anything else. It relies on the fixed form in which Chromium writes
// messages.
func ParseEvent(raw []byte) (m Message, ok bool) {
	if !bytes.HasPrefix(raw, []byte(`{"method":`)) {
		return Message{}, false
	}
	return m, json.Unmarshal(raw, &m) == nil
}
