package client

import (
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Connection is an open way to a server.
type Connection struct {
	transport mcp.Transport
	sent      *meter
	// tells reports that the server can tell of a changed list of tools.
	tells   bool
	stop    func()          // may be nil
	explain func() []string // may be nil
}

// Stdio is a connection to a program by its input and output. stop ends the program; it may be called more
// than once. explain returns the end of the program's log for errors.
func Stdio(in io.WriteCloser, out io.ReadCloser, stop func(), explain func() []string) Connection {
	sent := &meter{}
	return Connection{
		transport: &mcp.IOTransport{Reader: meteredReader{out, sent}, Writer: in, MaxLineLength: maxMessage},
		sent:      sent, tells: true, stop: stop, explain: explain,
	}
}

// HTTP is a connection to a service by streamable HTTP. The client decides which addresses may
// be reached; its timeout doesn't apply, because calls have deadlines.
func HTTP(url string, client *http.Client) Connection {
	sent := &meter{}
	c := *client
	c.Timeout = 0
	if c.Transport == nil { // a guard's client always has one
		c.Transport = http.DefaultTransport
	}
	c.Transport = meteredHTTP{c.Transport, sent}
	return Connection{
		transport: &mcp.StreamableClientTransport{
			Endpoint: url, HTTPClient: &c, MaxRetries: -1, DisableStandaloneSSE: true,
		},
		sent: sent,
	}
}
