package waysout

import (
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/http"
)

// socketWork opens a WebSocket to a public host that isn't listed, which a page and its
// workers and frames may do. WebSockets can't be paused: if one opens, it was reported in
// time. Each uses its own host, because admitting a host would admit the others too.
type socketWork struct {
	Name string // the name of the work
	URL  string
	// JS is an expression that becomes true when the socket is open. S is its URL.
	// opened(S) opens it, and opening(S) returns a script that opens it and passes the
	// result to say.
	JS template.JS
}

var sockets = []socketWork{
	socketTo("page", "a WebSocket", `opened(S)`),
	socketTo("worker", "a WebSocket of a worker", `heard(new Worker(scriptOf("const say = postMessage;" + opening(S))))`),
	socketTo("nested", "a WebSocket of a worker's worker",
		`heard(new Worker(scriptOf("new Worker('" + scriptOf("const say = postMessage;" + opening(S)) + "').onmessage = e => postMessage(e.data)")))`),
	socketTo("shared", "a WebSocket of a shared worker",
		`heard(new SharedWorker(scriptOf("onconnect = c => { const say = m => c.ports[0].postMessage(m);" + opening(S) + "}")).port)`),
	socketTo("service", "a WebSocket of a service worker",
		`(navigator.serviceWorker.register("/socket/worker.js"), heard(new BroadcastChannel("socket")))`),
	socketTo("frame", "a WebSocket of another site's frame",
		`new Promise(done => { addEventListener("message", e => e.data.socket !== undefined && done(e.data.socket)); el("iframe", {src: "https://`+Foreign+`/", onload: () => setTimeout(done, 3000, false)}) })`),
}

func socketTo(who, name, js string) socketWork {
	return socketWork{name + workSockets, "wss://" + who + ".sockets.errand.example/", template.JS(js)}
}

func socketURL(who string) string { return socketTo(who, "", "").URL }

func socketHosts() []string {
	var hosts []string
	for _, s := range sockets {
		hosts = append(hosts, s.URL[len("wss://"):len(s.URL)-1])
	}
	return hosts
}

// socketScript returns a script that opens a socket and reports the result.
func socketScript(url, say string) string {
	return fmt.Sprintf(`const w = new WebSocket(%q); w.onopen = () => %s(true); w.onerror = () => %s(false);`, url, say, say)
}

// serviceSocket returns a service worker that opens a socket.
func serviceSocket() string {
	return `const say = m => new BroadcastChannel("socket").postMessage(m);` + socketScript(socketURL("service"), "say")
}

// foreignFrame is a page of another site that opens a socket.
func foreignFrame(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><script>const say = m => parent.postMessage({socket: m}, "*");%s</script>`, socketScript(socketURL("frame"), "say"))
}

// socket accepts a WebSocket (RFC 6455 §4.2.2) and sends nothing on it.
func socket(w http.ResponseWriter, r *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		base64.StdEncoding.EncodeToString(sum[:]))
	_, _ = io.Copy(io.Discard, io.LimitReader(conn, 1<<10)) // until the page closes
}
