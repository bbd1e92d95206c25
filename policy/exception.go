package policy

import (
	"fmt"
	"net/netip"
	"strings"
)

// exceptions are the private addresses that the user opened: single addresses with a
// port, and ranges with every port. Names are not supported.
type exceptions struct {
	exact  map[netip.AddrPort]bool
	ranges []netip.Prefix
}

// add reads "127.0.0.1:11434", "[::1]:8080" or "10.20.0.0/16".
func (x *exceptions) add(text string) error {
	if strings.Contains(text, "/") {
		p, err := netip.ParsePrefix(text)
		switch {
		case err != nil || p.Addr().Is4In6():
			return fmt.Errorf("it is no range of addresses like 10.20.0.0/16")
		case p != p.Masked():
			return fmt.Errorf("the range starts at %s: write %s", p.Masked().Addr(), p.Masked())
		case p.Addr().Is4() && p.Bits() < 8, p.Addr().Is6() && p.Bits() < 7:
			return fmt.Errorf("the range is wider than any private network")
		}
		x.ranges = append(x.ranges, p)
		return nil
	}
	a, err := netip.ParseAddrPort(text)
	switch {
	case err != nil || a.Addr().Zone() != "":
		return fmt.Errorf("it must be address:port or a range, never a name: 127.0.0.1:8080, [::1]:8080, 10.20.0.0/16")
	case a.Addr().Is4In6():
		return fmt.Errorf("write the IPv4 address %s", a.Addr().Unmap())
	case a.Port() == 0:
		return fmt.Errorf("port 0 is none")
	}
	if x.exact == nil {
		x.exact = map[netip.AddrPort]bool{}
	}
	x.exact[a] = true
	return nil
}

func (x *exceptions) has(a netip.AddrPort) bool {
	if x.exact[a] {
		return true
	}
	for _, p := range x.ranges {
		if p.Contains(a.Addr()) {
			return true
		}
	}
	return false
}

// privateHint is the line of the config that opens a private address.
func privateHint(t Target) string {
	return "if this address is meant, add \"" + t.HostPort() + "\" to allow_private under [policy] in errand.toml"
}
