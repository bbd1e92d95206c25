package special

import (
	"net/netip"
	"slices"
)

var (
	nat64      = netip.MustParsePrefix("64:ff9b::/96")   // RFC 6052
	localNAT64 = netip.MustParsePrefix("64:ff9b:1::/48") // RFC 8215
)

// nat64Layouts are the positions of the IPv4 address in a local NAT64 address, by the
// length of the network's prefix (RFC 6052 §2.2). The bytes after it are zero.
var nat64Layouts = [][4]int{{6, 7, 9, 10}, {7, 9, 10, 11}, {9, 10, 11, 12}, {12, 13, 14, 15}}

// IsPublicNAT64 reports whether an address is a NAT64 address of public IPv4 addresses
// only. Networks without IPv4 add such addresses to the answers for a public name. A
// local NAT64 address has several possible layouts; it is public if all that fit are.
func IsPublicNAT64(a netip.Addr) bool {
	raw := a.As16()
	switch {
	case nat64.Contains(a):
		return isPublicV4([4]byte(raw[12:]))
	case !localNAT64.Contains(a):
		return false
	}
	for _, at := range nat64Layouts {
		rest := raw[at[3]+1:]
		fits := raw[8] == 0 && !slices.ContainsFunc(rest, func(b byte) bool { return b != 0 })
		if len(rest) == 0 {
			fits = [4]byte(raw[12:]) != [4]byte{} // otherwise it is the rest of another layout
		}
		if fits && !isPublicV4([4]byte{raw[at[0]], raw[at[1]], raw[at[2]], raw[at[3]]}) {
			return false
		}
	}
	return true
}

func isPublicV4(b [4]byte) bool {
	_, special := FindAddr(netip.AddrFrom4(b))
	return !special
}
