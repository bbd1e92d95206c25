package guard

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// listenState is the state of a listening socket in /proc/net/tcp.
const listenState = "0A"

// listenerOwner returns the user who listens on a TCP address of this machine. ok is
// false if that is unknown.
func listenerOwner(at netip.AddrPort) (uid int, ok bool) {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		uid, ok = findListener(f, at)
		f.Close()
		if ok {
			return uid, true
		}
	}
	return 0, false
}

// connectedState is the state of an open connection in /proc/net/tcp.
const connectedState = "01"

// isOwnConnection reports whether the other end of a connection within this machine belongs
// to the user who runs the program. local and remote are the program's view.
func isOwnConnection(local, remote netip.AddrPort) bool {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		uid, ok := findConnection(f, remote, local)
		f.Close()
		if ok {
			return uid == os.Geteuid()
		}
	}
	return false
}

// findConnection finds the user of the socket that is connected from one address to another.
func findConnection(table io.Reader, from, to netip.AddrPort) (uid int, ok bool) {
	lines := bufio.NewScanner(table)
	lines.Scan() // the names of the columns
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 8 || fields[3] != connectedState {
			continue
		}
		local, _ := parseSocketAddr(fields[1])
		remote, _ := parseSocketAddr(fields[2])
		if sameAddr(local, from) && sameAddr(remote, to) {
			uid, err := strconv.Atoi(fields[7])
			return uid, err == nil
		}
	}
	return 0, false
}

func sameAddr(a, b netip.AddrPort) bool {
	return a.Port() == b.Port() && a.Addr().Unmap() == b.Addr().Unmap()
}

// findListener finds the user of the socket that accepts connections to an address: one
// that listens on it, or else on its port of all addresses.
func findListener(table io.Reader, at netip.AddrPort) (uid int, ok bool) {
	lines := bufio.NewScanner(table)
	lines.Scan() // the names of the columns
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 8 || fields[3] != listenState {
			continue
		}
		local, valid := parseSocketAddr(fields[1])
		if !valid || local.Port() != at.Port() {
			continue
		}
		exact := local.Addr().Unmap() == at.Addr().Unmap()
		if !exact && !local.Addr().Unmap().IsUnspecified() {
			continue
		}
		if n, err := strconv.Atoi(fields[7]); err == nil && (exact || !ok) {
			uid, ok = n, true
			if exact {
				return uid, true
			}
		}
	}
	return uid, ok
}

// parseSocketAddr parses an address of /proc/net/tcp, such as 0100007F:1F90: words of 32
// bits in the order of the machine, in hex.
func parseSocketAddr(text string) (netip.AddrPort, bool) {
	host, port, _ := strings.Cut(text, ":")
	words, err := hex.DecodeString(host)
	number, portErr := strconv.ParseUint(port, 16, 16)
	if err != nil || portErr != nil || len(words)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(words); i += 4 {
		binary.BigEndian.PutUint32(words[i:], binary.NativeEndian.Uint32(words[i:]))
	}
	addr, ok := netip.AddrFromSlice(words)
	return netip.AddrPortFrom(addr, uint16(number)), ok
}
