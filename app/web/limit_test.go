package web

import (
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"errand/build/must"
)

// TestConnectionsAreBounded checks that one address can't take all connections, that the user
// of the program has some more, and that closing some lets it in again.
func TestConnectionsAreBounded(t *testing.T) {
	c := serve(t)
	address := strings.TrimPrefix(c.base, "http://")
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	open := func(from string) net.Conn {
		t.Helper()
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		conn, err := d.DialContext(t.Context(), "tcp", address)
		must.Succeed(t, err)
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	answers := func(conn net.Conn) bool {
		conn.SetDeadline(time.Now().Add(3 * time.Second))
		_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		n, _ := conn.Read(make([]byte, 12))
		return n > 0
	}
	bound := maxPeer
	if runtime.GOOS == "linux" { // which tells that the connections are the user's
		bound += maxPeer
	}
	held := make([]net.Conn, bound)
	for i := range held {
		held[i] = open("127.0.0.5")
	}
	if !answers(held[bound-1]) {
		t.Error("a connection within the bound has no answer")
	}
	if answers(open("127.0.0.5")) {
		t.Error("a connection beyond the bound has an answer")
	}
	if !answers(open("127.0.0.6")) {
		t.Error("another address is kept out")
	}
	held[0].Close()
	again := false
	for range 50 { // the server notices the end
		if again = answers(open("127.0.0.5")); again {
			break
		}
	}
	if !again {
		t.Error("a closed connection makes no room")
	}
}
