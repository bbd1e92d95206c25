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
		for _, p := range byOctet[a.As4()[0]] {
			if p.Contains(a) {
				return nameOf(a)
			}
		}
		return "", false
	case a.Zone() != "":
		return "it has a zone, so it is link-local", true
	}
	return specialV6Addr(a)
}

func specialV6Addr(a netip.Addr) (name string, special bool) {
	if a.Is4In6() { // netip prefixes of IPv6 don't contain mapped addresses
		return plainNames["::ffff:0.0.0.0/96"], true
	}
	if !globalV6.Contains(a) {
		if name, special = nameOf(a); special {
			return name, true
		}
		return "outside of 2000::/3", true
	}
	for _, p := range specialV6 {
		if p.Contains(a) {
			return nameOf(a)
		}
	}
	// RFC 5214: the interface id is 00005EFE or 02005EFE, then an IPv4 address.
	raw := a.As16()
	if raw[8]&^3 == 0 && raw[9] == 0 && raw[10] == 0x5e && raw[11] == 0xfe {
		return "ISATAP, which wraps an IPv4 address (RFC 5214)", true
	}
	return "", false
}
