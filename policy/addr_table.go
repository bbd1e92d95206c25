package policy

import "net/netip"

// block is a range of addresses that is not the public internet.
type block struct {
	prefix netip.Prefix
	name   string
}

// specialV4 is the IANA IPv4 Special-Purpose Address Registry, whatever its
// "globally reachable" column says, and multicast (RFC 5771). Entries that lie
// inside another are left to the wider one. A test holds it against the copy
// of the registry in testdata/iana.
var specialV4 = blocks(
	"0.0.0.0/8", "this network (RFC 791)",
	"10.0.0.0/8", "private network (RFC 1918)",
	"100.64.0.0/10", "shared address space of carriers (RFC 6598)",
	"127.0.0.0/8", "this machine (RFC 1122)",
	"169.254.0.0/16", "link-local, with the metadata of clouds (RFC 3927)",
	"172.16.0.0/12", "private network (RFC 1918)",
	"192.0.0.0/24", "protocol assignments (RFC 6890)",
	"192.0.2.0/24", "documentation (RFC 5737)",
	"192.31.196.0/24", "AS112 (RFC 7535)",
	"192.52.193.0/24", "AMT relays (RFC 7450)",
	"192.88.99.0/24", "6to4 relays (RFC 7526)",
	"192.168.0.0/16", "private network (RFC 1918)",
	"192.175.48.0/24", "AS112 (RFC 7534)",
	"198.18.0.0/15", "benchmarks (RFC 2544)",
	"198.51.100.0/24", "documentation (RFC 5737)",
	"203.0.113.0/24", "documentation (RFC 5737)",
	"224.0.0.0/4", "multicast (RFC 5771)",
	"240.0.0.0/4", "reserved (RFC 1112)",
)

// specialV6 is what the IANA IPv6 Special-Purpose Address Registry has inside
// 2000::/3, whatever its "globally reachable" column says.
var specialV6 = blocks(
	"2001::/32", "Teredo, which wraps an IPv4 address (RFC 4380)",
	"2001::/23", "protocol assignments (RFC 2928)",
	"2001:db8::/32", "documentation (RFC 3849)",
	"2002::/16", "6to4, which wraps an IPv4 address (RFC 3056)",
	"2620:4f:8000::/48", "AS112 (RFC 7534)",
	"3fff::/20", "documentation (RFC 9637)",
)

// otherV6 is what it has outside, with the forms that wrap an IPv4 address.
// All of that is refused in any case and stands here to be called by name.
var otherV6 = blocks(
	"::/128", "the unspecified address (RFC 4291)",
	"::1/128", "this machine (RFC 4291)",
	"::/96", "IPv4-compatible, which wraps an IPv4 address (RFC 4291)",
	"::ffff:0:0:0/96", "IPv4-translated, which wraps an IPv4 address (RFC 2765)",
	"64:ff9b::/96", "NAT64, which wraps an IPv4 address (RFC 6052)",
	"64:ff9b:1::/48", "local NAT64, which wraps an IPv4 address (RFC 8215)",
	"100::/64", "discard (RFC 6666)",
	"100:0:0:1::/64", "dummy prefix (RFC 9780)",
	"5f00::/16", "segment routing (RFC 9602)",
	"fc00::/7", "private network (RFC 4193)",
	"fe80::/10", "link-local (RFC 4291)",
	"fec0::/10", "site-local (RFC 3879)",
	"ff00::/8", "multicast (RFC 4291)",
)

var globalV6 = netip.MustParsePrefix("2000::/3")

func blocks(pairs ...string) []block {
	out := make([]block, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, block{netip.MustParsePrefix(pairs[i]), pairs[i+1]})
	}
	return out
}

// byOctet finds the blocks of specialV4 by an address's first octet, so that
// most addresses meet none.
var byOctet = func() (t [256][]block) {
	for _, b := range specialV4 {
		first, last := int(b.prefix.Addr().As4()[0]), int(b.prefix.Addr().As4()[0])
		if bits := b.prefix.Bits(); bits < 8 {
			last = first + 1<<(8-bits) - 1
		}
		for o := first; o <= last; o++ {
			t[o] = append(t[o], b)
		}
	}
	return t
}()
