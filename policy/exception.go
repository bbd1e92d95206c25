package policy

import (
	"fmt"
	"net/netip"
	"slices"
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
	return x.exact[a] || slices.ContainsFunc(x.ranges, func(p netip.Prefix) bool { return p.Contains(a.Addr()) })
}

// hint is that of a decision about a URL. It opens nothing of the user's network to a page that led there.
func (r *Request) hint(d Decision) message.Message {
	if ofPage := r.Kind == KindSubresource || r.Page != "" || r.From != ""; ofPage && (d.Rule == RulePrivateAddress || d.Rule == RuleSpecialName) {
		return message.New("policy.page_private_hint")
	}
	return d.Hint
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
