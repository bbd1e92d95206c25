package guard

import (
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"

	"errand/build/must"
)

// TestListenerOwner checks that the user of the socket that takes a connection is found,
// by the more exact address first.
func TestListenerOwner(t *testing.T) {
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	line := func(local, state, uid string) string {
		return "   0: " + local + " 00000000:0000 " + state + " 00000000:00000000 00:00000000 00000000 " + uid + "        0 1 1 0 100 0 0 10 0\n"
	}
	for _, tt := range []struct {
		name, table, at string
		uid             int
		ok              bool
	}{
		{"nothing", "", "127.0.0.1:8080", 0, false},
		{"this address", line("0100007F:1F90", "0A", "1001"), "127.0.0.1:8080", 1001, true},
		{"all addresses", line("00000000:1F90", "0A", "1001"), "127.0.0.1:8080", 1001, true},
		{"all addresses before this one", line("00000000:1F90", "0A", "7") + line("0100007F:1F90", "0A", "1001"), "127.0.0.1:8080", 1001, true},
		{"another address", line("0200007F:1F90", "0A", "1001"), "127.0.0.1:8080", 0, false},
		{"another port", line("0100007F:1F91", "0A", "1001"), "127.0.0.1:8080", 0, false},
		{"a connection, not a listener", line("0100007F:1F90", "01", "1001"), "127.0.0.1:8080", 0, false},
		{"IPv6", line("00000000000000000000000001000000:1F90", "0A", "1001"), "[::1]:8080", 1001, true},
		{"all addresses of IPv6", line("00000000000000000000000000000000:1F90", "0A", "1001"), "127.0.0.1:8080", 1001, true},
		{"a damaged line", "x\n" + line("0100007F:zz", "0A", "1001"), "127.0.0.1:8080", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if uid, ok := findListener(strings.NewReader(head+tt.table), netip.MustParseAddrPort(tt.at)); uid != tt.uid || ok != tt.ok {
				t.Errorf("uid %d, %t", uid, ok)
			}
		})
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	defer l.Close()
	if uid, ok := listenerOwner(listenAddr(l)); !ok || uid != os.Getuid() {
		t.Errorf("our own listener belongs to %d, %t", uid, ok)
	}
}

// TestLoopbackOwner checks that a port of another user is refused, and nothing is sent.
func TestLoopbackOwner(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	defer l.Close()
	for _, tt := range []struct {
		name    string
		owner   int
		known   bool
		refused bool
	}{
		{"ours", os.Getuid(), true, false},
		{"another user's", os.Getuid() + 1, true, true},
		{"unknown", 0, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conn, err := Loopback{owner: func(netip.AddrPort) (int, bool) { return tt.owner, tt.known }}.DialContext(t.Context(), "tcp", l.Addr().String())
			if (err != nil) != tt.refused {
				t.Errorf("%v", err)
			}
			if conn != nil {
				conn.Close()
			}
		})
	}
}

// TestOwnConnection asks the system whose a real connection is.
func TestOwnConnection(t *testing.T) {
	for _, at := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", at)
		if err != nil {
			t.Logf("no address %s: %v", at, err)
			continue
		}
		defer l.Close()
		client, err := net.Dial("tcp", l.Addr().String())
		must.Succeed(t, err)
		defer client.Close()
		server, err := l.Accept()
		must.Succeed(t, err)
		defer server.Close()
		local, remote := addrPort(server.LocalAddr()), addrPort(server.RemoteAddr())
		if !isOwnConnection(local, remote) {
			t.Errorf("%s: the test's own connection is another user's", at)
		}
		if isOwnConnection(local, netip.AddrPortFrom(remote.Addr(), 1)) {
			t.Errorf("%s: a connection that does not exist is the user's", at)
		}
	}
}
