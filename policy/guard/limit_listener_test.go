package guard

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
)

// TestLimitListener checks that connections beyond the limit are closed, that open ones continue,
// and that a closed one makes room.
func TestLimitListener(t *testing.T) {
	for _, tt := range []struct {
		name         string
		all, perPeer int
		own          int      // of the user of the program, at 127.0.0.9, beyond them
		peers        []string // of the connections, in order
		open         []bool
	}{
		{"within both", 3, 3, 0, []string{"127.0.0.1", "127.0.0.1", "127.0.0.1"}, []bool{true, true, true}},
		{"in all", 2, 9, 0, []string{"127.0.0.1", "127.0.0.2", "127.0.0.3"}, []bool{true, true, false}},
		{"of one peer", 9, 1, 0, []string{"127.0.0.1", "127.0.0.1", "127.0.0.2"}, []bool{true, false, true}},
		{"of one peer, later", 9, 2, 0, []string{"127.0.0.1", "127.0.0.2", "127.0.0.1", "127.0.0.1"}, []bool{true, true, true, false}},
		{"none", 0, 9, 0, []string{"127.0.0.1"}, []bool{false}},
		{"own, beyond all", 1, 9, 2, []string{"127.0.0.1", "127.0.0.9", "127.0.0.9", "127.0.0.9"}, []bool{true, true, true, false}},
		{"own, beyond one peer's", 9, 1, 1, []string{"127.0.0.9", "127.0.0.9", "127.0.0.9", "127.0.0.1"}, []bool{true, true, false, true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := net.Listen("tcp4", "127.0.0.1:0")
			must.Succeed(t, err)
			limited := LimitListener(l, tt.all, tt.perPeer, tt.own)
			limited.(*limitListener).isOwn = func(local, remote netip.AddrPort) bool {
				return local == addrPort(l.Addr()) && remote.Addr().String() == "127.0.0.9"
			}
			defer limited.Close()
			accepted := make(chan net.Conn, 9)
			go func() {
				for {
					conn, err := limited.Accept()
					if err != nil {
						return
					}
					io.WriteString(conn, "x")
					accepted <- conn
				}
			}()
			dial := func(from string) (open bool) {
				d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
				conn, err := d.DialContext(t.Context(), "tcp4", l.Addr().String())
				must.Succeed(t, err)
				t.Cleanup(func() { conn.Close() })
				conn.SetReadDeadline(time.Now().Add(5 * time.Second))
				_, err = conn.Read(make([]byte, 1))
				if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
					t.Fatal(err)
				}
				return err == nil
			}
			for i, peer := range tt.peers {
				if open := dial(peer); open != tt.open[i] {
					t.Errorf("connection %d from %s is open: %t", i, peer, open)
				}
			}
			if tt.all > 0 {
				first := <-accepted
				first.Close()
				first.Close() // counts once
				if !dial(tt.peers[0]) {
					t.Error("a closed connection makes no room")
				}
				if all := tt.all; all == 2 && dial("127.0.0.9") {
					t.Error("closing twice makes room for two")
				}
			}
		})
	}
}
