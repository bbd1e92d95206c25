package chromium

import "bytes"

// isIgnored reports whether a message can be dropped unread. The network domain
// sends six or more messages for each resource, in bursts; two of them matter, and
// only some. Reading all of them would delay the paused requests that wait
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
	case "requestWillBeSent": // the document of a request matters for addresses only
		_, url, _ := bytes.Cut(event, []byte(`"request":{"url":"`))
		_, host, _ := bytes.Cut(url[:min(len(url), 16)], []byte("://"))
		return len(host) > 0 && host[0] != '[' && (host[0] < '0' || host[0] > '9')
	case "responseReceived":
		return !bytes.Contains(event, []byte(`"type":"Document"`))
	}
	return true
}
