//go:build !linux

package guard

import "net/netip"

// listenerOwner returns false: only Linux provides the owner of a port.
func listenerOwner(netip.AddrPort) (uid int, ok bool) { return 0, false }

func isOwnConnection(_, _ netip.AddrPort) bool { return false }
