package policy

import (
	"errand/planner/message"
	"net/netip"
	"slices"
)

// FloorAddr decides whether an address belongs to the public internet. IPv4 must be
// outside every special-purpose block. IPv6 must be inside 2000::/3, outside
// every special-purpose block, without a zone, and must not wrap an IPv4 address.
func FloorAddr(a netip.Addr) Decision {
	if name, special := findSpecialAddr(a); special {
		return deny(RulePrivateAddress, message.New("policy.is_not_public_address", "value", a.String(), "name", name))
	}
	return allow(RuleFloor, message.New("policy.public_address"))
}

func findSpecialAddr(a netip.Addr) (name string, special bool) {
	switch {
	case !a.IsValid():
		return "no address at all", true
	case a.Is4():
		for _, p := range blocksByOctet[a.As4()[0]] {
			if p.Contains(a) {
				return blockName(a)
			}
		}
		return "", false
	case a.Zone() != "":
		return "it has a zone, so it is link-local", true
	}
	return findSpecialV6Addr(a)
}

func findSpecialV6Addr(a netip.Addr) (name string, special bool) {
	if a.Is4In6() { // netip prefixes of IPv6 don't contain mapped addresses
		return plainNames["::ffff:0.0.0.0/96"], true
	}
	if !globalV6.Contains(a) {
		if name, special = blockName(a); special {
			return name, true
		}
		return "outside of 2000::/3", true
	}
	for _, p := range specialV6 {
		if p.Contains(a) {
			return blockName(a)
		}
	}
	// RFC 5214: the interface id is 00005EFE or 02005EFE, then an IPv4 address.
	raw := a.As16()
	if raw[8]&^3 == 0 && raw[9] == 0 && raw[10] == 0x5e && raw[11] == 0xfe {
		return "ISATAP, which wraps an IPv4 address (RFC 5214)", true
	}
	return "", false
}

// block is a range of addresses that is not the public internet.
type block struct {
	prefix netip.Prefix
	name   string
}

// Special blocks are those of the IANA special-purpose registries, whatever
// their "globally reachable" column says (addr_iana.go is generated from the
// copies in testdata/iana), and those that stand in registries and RFCs of
// their own.
var specialBlocks = append(ianaBlocks, blocks(
	"224.0.0.0/4", "multicast (RFC 5771)",
	"::/96", "IPv4-compatible, which wraps an IPv4 address (RFC 4291)",
	"::ffff:0:0:0/96", "IPv4-translated, which wraps an IPv4 address (RFC 2765)",
	"fec0::/10", "site-local (RFC 3879)",
	"ff00::/8", "multicast (RFC 4291)",
)...)

// plainNames replace some names of the registries with ordinary words.
var plainNames = map[string]string{
	"0.0.0.0/8":         "this network (RFC 791)",
	"10.0.0.0/8":        "private network (RFC 1918)",
	"100.64.0.0/10":     "shared address space of carriers (RFC 6598)",
	"127.0.0.0/8":       "this machine (RFC 1122)",
	"169.254.0.0/16":    "link-local, with the metadata of clouds (RFC 3927)",
	"172.16.0.0/12":     "private network (RFC 1918)",
	"192.0.0.0/24":      "protocol assignments (RFC 6890)",
	"192.168.0.0/16":    "private network (RFC 1918)",
	"::1/128":           "this machine (RFC 4291)",
	"::ffff:0.0.0.0/96": "IPv4-mapped, which wraps an IPv4 address (RFC 4291)",
	"64:ff9b::/96":      "NAT64, which wraps an IPv4 address (RFC 6052)",
	"64:ff9b:1::/48":    "local NAT64, which wraps an IPv4 address (RFC 8215)",
	"2001::/23":         "protocol assignments (RFC 2928)",
	"2001::/32":         "Teredo, which wraps an IPv4 address (RFC 4380)",
	"2002::/16":         "6to4, which wraps an IPv4 address (RFC 3056)",
	"fc00::/7":          "private network (RFC 4193)",
	"fe80::/10":         "link-local (RFC 4291)",
}

var globalV6 = netip.MustParsePrefix("2000::/3")

func blocks(pairs ...string) []block {
	out := make([]block, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		b := block{netip.MustParsePrefix(pairs[i]), pairs[i+1]}
		if plain := plainNames[b.prefix.String()]; plain != "" {
			b.name = plain
		}
		out = append(out, b)
	}
	return out
}

// blockName is the name of the smallest special block that holds an address.
func blockName(a netip.Addr) (name string, special bool) {
	bits := -1
	for _, b := range specialBlocks {
		if b.prefix.Bits() > bits && b.prefix.Contains(a) {
			bits, name = b.prefix.Bits(), b.name
		}
	}
	return name, bits >= 0
}

// outerBlocks lists the special blocks inside a range that no other block contains.
// A decision has to look at these only.
func outerBlocks(within netip.Prefix) []netip.Prefix {
	var out []netip.Prefix
	for _, b := range specialBlocks {
		inOther := slices.ContainsFunc(specialBlocks, func(o block) bool {
			return o.prefix.Bits() < b.prefix.Bits() && o.prefix.Overlaps(b.prefix)
		})
		if within.Overlaps(b.prefix) && !inOther {
			out = append(out, b.prefix)
		}
	}
	return out
}

var specialV6 = outerBlocks(globalV6)

// blocksByOctet has the IPv4 blocks by first octet, because most octets have none.
var blocksByOctet = func() (t [256][]netip.Prefix) {
	for _, p := range outerBlocks(netip.MustParsePrefix("0.0.0.0/0")) {
		first := int(p.Addr().As4()[0])
		last := first
		if bits := p.Bits(); bits < 8 {
			last = first + 1<<(8-bits) - 1
		}
		for o := first; o <= last; o++ {
			t[o] = append(t[o], p)
		}
	}
	return t
}()
