package policy

import (
	"fmt"
	"net/netip"
	"strings"

	"errand/planner/message"
	"errand/policy/special"
)

// exceptions are the private addresses that the user allowed: single addresses with a
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
			return message.Error("policy.bad_address_range")
		case p != p.Masked():
			return message.Error("policy.unmasked_range", "start", p.Masked().Addr(), "range", p.Masked())
		case p.Addr().Is4() && p.Bits() < 8, p.Addr().Is6() && p.Bits() < 7:
			return message.Error("policy.wide_range")
		}
		x.ranges = append(x.ranges, p)
		return nil
	}
	a, err := netip.ParseAddrPort(text)
	switch {
	case err != nil || a.Addr().Zone() != "":
		return message.Error("policy.bad_private_address")
	case a.Addr().Is4In6():
		return message.Error("policy.write_ipv4", "address", a.Addr().Unmap())
	case a.Port() == 0:
		return message.Error("policy.port_zero")
	}
	if x.exact == nil {
		x.exact = map[netip.AddrPort]bool{}
	}
	x.exact[a] = true
	return nil
}

func (x *exceptions) contains(a netip.AddrPort) bool {
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

// privateHint returns the line of the configuration that allows a private address.
func privateHint(t Target) message.Message {
	return message.New("policy.allow_private_hint", "address", t.HostPort())
}

// nameHint explains how to reach a name of this machine or its network: by its address.
// It is empty for metadata services.
func nameHint(t Target) message.Message {
	switch {
	case special.IsMetadataName(t.Host):
		return message.Message{}
	case t.Host == "localhost" || strings.HasSuffix(t.Host, ".localhost"):
		return message.New("policy.open_loopback_hint", "address", fmt.Sprintf("127.0.0.1:%d", t.Port), "scheme", t.Scheme)
	}
	return message.New("policy.open_local_hint")
}
