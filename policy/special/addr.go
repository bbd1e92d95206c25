// Package special identifies the addresses and host names that don't belong to the
// public internet.
package special

import (
	"net/netip"
	"slices"
	"sync"

	"errand/planner/message"
)

// FindAddr reports whether an address is not public, and returns the name of its block.
// A public IPv4 address is outside every special-purpose block. A public IPv6 address
// is inside 2000::/3, outside every special-purpose block, has no zone and contains no
// IPv4 address.
func FindAddr(a netip.Addr) (name message.Message, special bool) {
	switch {
	case !a.IsValid():
		return message.New("policy.block_no_address"), true
	case a.Is4():
		for _, p := range blocksByOctet()[a.As4()[0]] {
			if p.Contains(a) {
				return nameBlock(a)
			}
		}
		return message.Message{}, false
	case a.Zone() != "":
		return message.New("policy.block_zone"), true
	}
	return findV6Addr(a)
}

func findV6Addr(a netip.Addr) (name message.Message, special bool) {
	if a.Is4In6() { // netip prefixes of IPv6 don't contain mapped addresses
		return blockNames["::ffff:0.0.0.0/96"].message(), true
	}
	if !globalV6.Contains(a) {
		if name, special = nameBlock(a); special {
			return name, true
		}
		return message.New("policy.block_outside", "range", globalV6), true
	}
	for _, p := range specialV6() {
		if p.Contains(a) {
			return nameBlock(a)
		}
	}
	// RFC 5214: the interface id is 00005EFE or 02005EFE, then an IPv4 address.
	raw := a.As16()
	if raw[8]&^3 == 0 && raw[9] == 0 && raw[10] == 0x5e && raw[11] == 0xfe {
		return blockName{"policy.block_isatap", 5214}.message(), true
	}
	return message.Message{}, false
}

// block is a range of addresses that are not public.
type block struct {
	prefix netip.Prefix
	name   string // as in its registry
}

// specialBlocks returns all blocks of the IANA special-purpose registries, whatever
// their "globally reachable" column says, the blocks of other registries and RFCs, and
// those of clouds. addr_iana.go is generated from the copies in testdata/iana.
var specialBlocks = sync.OnceValue(func() []block {
	return slices.Concat(blocks(ianaBlocks...), cloudBlocks(), blocks(
		"224.0.0.0/4", "Multicast (RFC 5771)",
		"::/96", "IPv4-Compatible (RFC 4291)",
		"::ffff:0:0:0/96", "IPv4-Translated (RFC 2765)",
		"fec0::/10", "Site-Local (RFC 3879)",
		"ff00::/8", "Multicast (RFC 4291)",
	))
})

// blockNames names the common blocks in ordinary words. The other blocks have the
// names of their registries.
var blockNames = map[string]blockName{
	"0.0.0.0/8":         {"policy.block_this_network", 791},
	"10.0.0.0/8":        {"policy.block_private", 1918},
	"100.64.0.0/10":     {"policy.block_carrier", 6598},
	"127.0.0.0/8":       {"policy.block_this_machine", 1122},
	"169.254.0.0/16":    {"policy.block_link_local_metadata", 3927},
	"172.16.0.0/12":     {"policy.block_private", 1918},
	"192.0.0.0/24":      {"policy.block_protocols", 6890},
	"192.168.0.0/16":    {"policy.block_private", 1918},
	"224.0.0.0/4":       {"policy.block_multicast", 5771},
	"::/96":             {"policy.block_ipv4_compatible", 4291},
	"::1/128":           {"policy.block_this_machine", 4291},
	"::ffff:0.0.0.0/96": {"policy.block_ipv4_mapped", 4291},
	"::ffff:0:0:0/96":   {"policy.block_ipv4_translated", 2765},
	"64:ff9b::/96":      {"policy.block_nat64", 6052},
	"64:ff9b:1::/48":    {"policy.block_local_nat64", 8215},
	"2001::/23":         {"policy.block_protocols", 2928},
	"2001::/32":         {"policy.block_teredo", 4380},
	"2002::/16":         {"policy.block_6to4", 3056},
	"fc00::/7":          {"policy.block_private", 4193},
	"fe80::/10":         {"policy.block_link_local", 4291},
	"fec0::/10":         {"policy.block_site_local", 3879},
	"ff00::/8":          {"policy.block_multicast", 4291},
}

// blockName is the code of a block's name, and the RFC that defines the block.
type blockName struct {
	code string
	rfc  int
}

func (n blockName) message() message.Message { return message.New(n.code, "rfc", n.rfc) }

var globalV6 = netip.MustParsePrefix("2000::/3")

func blocks(pairs ...string) []block {
	out := make([]block, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, block{netip.MustParsePrefix(pairs[i]), pairs[i+1]})
	}
	return out
}

// nameBlock returns the name of the smallest special block that contains an address.
func nameBlock(a netip.Addr) (name message.Message, special bool) {
	if cloud, found := nameCloud(a); found {
		return cloud, true
	}
	var smallest *block
	all := specialBlocks()
	for i := range all {
		if b := &all[i]; b.prefix.Contains(a) && (smallest == nil || b.prefix.Bits() > smallest.prefix.Bits()) {
			smallest = b
		}
	}
	if smallest == nil {
		return message.Message{}, false
	}
	if known, ok := blockNames[smallest.prefix.String()]; ok {
		return known.message(), true
	}
	return message.Verbatim(smallest.name), true
}

// outerBlocks returns the special blocks that overlap a range and are in no other
// block. A lookup has to check only these.
func outerBlocks(bounds netip.Prefix) []netip.Prefix {
	var out []netip.Prefix
	all := specialBlocks()
	for _, b := range all {
		inOther := slices.ContainsFunc(all, func(o block) bool {
			return o.prefix.Bits() < b.prefix.Bits() && o.prefix.Overlaps(b.prefix)
		})
		if bounds.Overlaps(b.prefix) && !inOther {
			out = append(out, b.prefix)
		}
	}
	return out
}

var specialV6 = sync.OnceValue(func() []netip.Prefix { return outerBlocks(globalV6) })

// blocksByOctet maps the first octet to the IPv4 blocks, because most octets have none.
var blocksByOctet = sync.OnceValue(func() *[256][]netip.Prefix {
	var t [256][]netip.Prefix
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
	return &t
})
