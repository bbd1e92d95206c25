package guard_test

import (
	"net"
	"testing"

	"errand/build/must"
	"errand/policy/guard"
)

func TestLoopback(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Addr().String())
	tests := []struct {
		address string
		ok      bool
	}{
		{"127.0.0.1:" + port, true},
		{"localhost:" + port, true},
		{"192.0.2.1:" + port, false},
		{"0.0.0.0:" + port, false},
		{"example.org:" + port, false},
		{"localhost.example:" + port, false},
		{"127.0.0.1", false},
	}
	for _, tt := range tests {
		conn, err := guard.Loopback{}.DialContext(t.Context(), "tcp", tt.address)
		if (err == nil) != tt.ok {
			t.Errorf("dial %s: %v", tt.address, err)
		}
		if conn != nil {
			conn.Close()
		}
	}
}
