package policy

import "net/netip"

// FloorAddr says whether an address is one of the public internet. IPv4 must
// be outside of every special-purpose block; IPv6 must be inside 2000::/3, in
// no special-purpose block, without a zone and of no form that wraps an IPv4
// address, whatever is wrapped.
func FloorAddr(a netip.Addr) Decision {
	if name, special := specialAddr(a); special {
		return deny(RulePrivateAddress, a.String()+" is not a public address: "+name)
	}
	return allow(RuleFloor, "a public address")
}

func specialAddr(a netip.Addr) (name string, special bool) {
	switch {
	case !a.IsValid():
		return "no address at all", true
	case a.Is4():
		for _, b := range byOctet[a.As4()[0]] {
			if b.prefix.Contains(a) {
				return b.name, true
			}
		}
		return "", false
	case a.Zone() != "":
		return "it has a zone, so it is link-local", true
	}
	return specialV6Addr(a)
}

// specialV6Addr looks at the blocks inside 2000::/3 first: only they stand
// between an address and the public internet, the others name a refusal.
func specialV6Addr(a netip.Addr) (name string, special bool) {
	if a.Is4In6() { // netip prefixes of IPv6 don't contain mapped addresses
		return "IPv4-mapped, which wraps an IPv4 address (RFC 4291)", true
	}
	if !globalV6.Contains(a) {
		for _, b := range otherV6 {
			if b.prefix.Contains(a) {
				return b.name, true
			}
		}
		return "outside of 2000::/3", true
	}
	for _, b := range specialV6 {
		if b.prefix.Contains(a) {
			return b.name, true
		}
	}
	// RFC 5214: the interface id is 00005EFE or 02005EFE, then an IPv4 address.
	raw := a.As16()
	if raw[8]&^3 == 0 && raw[9] == 0 && raw[10] == 0x5e && raw[11] == 0xfe {
		return "ISATAP, which wraps an IPv4 address (RFC 5214)", true
	}
	return "", false
}
