package chromium

import "bytes"

// isIgnored says whether a message is one that nobody here listens to: of the six
// or more that watching the network of a page brings for each resource, one
// matters, and that only for documents. They come in bursts, among them the
// requests that are paused until we answer; reading them all would take longer
// than deciding.
//
// It looks at the text alone, which Chromium writes in this one way. A message
// that is not recognised is heard.
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
