package chromium

import (
	"bytes"
	"encoding/json"

	"github.com/go-rod/rod/lib/proto"
)

// Message is an event as the browser sent it.
type Message struct {
	Method    string                `json:"method"`
	SessionID proto.TargetSessionID `json:"sessionId"` // whose it is; "" is the browser itself
	Params    json.RawMessage       `json:"params"`
}

// ParseEvent reads an event; false for an answer, which rod's client takes, and for
// what is neither. Chromium writes both in one way each.
func ParseEvent(raw []byte) (m Message, ok bool) {
	if !bytes.HasPrefix(raw, []byte(`{"method":`)) {
		return Message{}, false
	}
	return m, json.Unmarshal(raw, &m) == nil
}
