package browser

import (
	"bytes"
	"encoding/json"

	"github.com/go-rod/rod/lib/proto"
)

// message is an event as the browser sent it.
type message struct {
	Method    string                `json:"method"`
	SessionID proto.TargetSessionID `json:"sessionId"` // whose it is; "" is the browser itself
	Params    json.RawMessage       `json:"params"`
}

// event reads an event; false for an answer, which rod's client takes, and for
// what is neither. Chromium writes both in one way each.
func event(raw []byte) (m message, ok bool) {
	if !bytes.HasPrefix(raw, []byte(`{"method":`)) {
		return message{}, false
	}
	return m, json.Unmarshal(raw, &m) == nil
}
