package client

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Over is a connection over a transport of the protocol's library.
func Over(t mcp.Transport) Connection {
	return Connection{transport: t, sent: &meter{}, tells: true}
}
