package guard

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// interfaceAge is how long the addresses of this machine are cached. They change when a
// laptop moves or an IPv6 address is renewed.
const interfaceAge = 5 * time.Second

// interfaces are the addresses of this machine, including public ones. Services that
// listen on them are as private as those on loopback.
type interfaces struct {
	list func() ([]net.Addr, error)

	mu          sync.Mutex
	refreshedAt time.Time
	addrs       map[netip.Addr]bool
}

// isOwnAddress reports whether a is an address of this machine. If the system can't list its
// addresses, the previous list remains in use; the floor still applies.
func (i *interfaces) isOwnAddress(a netip.Addr) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if time.Since(i.refreshedAt) >= interfaceAge {
		i.refreshedAt = time.Now()
		if now, err := i.list(); err == nil {
			i.addrs = map[netip.Addr]bool{}
			for _, n := range now {
				if p, err := netip.ParsePrefix(n.String()); err == nil {
					i.addrs[p.Addr().Unmap()] = true
				}
			}
		}
	}
	return i.addrs[a]
}
