package chromium

import "bytes"

// isIgnored reports whether a message can be dropped unread. The network domain
// sends six or more messages for each resource, in bursts; one of them matters, and
// only for documents. Reading all of them would delay the paused requests that wait
// for an answer.
//
// It compares the text, which Chromium always writes in the same way. A message that
// it does not recognise is not ignored.
func isIgnored(message []byte) bool {
	event, ok := bytes.CutPrefix(message, []byte(`{"method":"Network.`))
	if !ok {
		return false
	}
	name, _, _ := bytes.Cut(event, []byte(`"`))
	switch string(name) {
	case "webSocketCreated":
		return false
	case "responseReceived":
		return !bytes.Contains(event, []byte(`"type":"Document"`))
	}
	return true
}
