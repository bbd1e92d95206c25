package guard

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// interfaceAge is how long the addresses of this machine are taken to be what
// they were: a laptop moves, an IPv6 address is renewed.
const interfaceAge = 5 * time.Second

// interfaces are the addresses of this machine, public ones included: what
// listens on them is as private as what listens on loopback.
type interfaces struct {
	list func() ([]net.Addr, error)

	mu    sync.Mutex
	asked time.Time
	addrs map[netip.Addr]bool
}

// have says whether an address is one of this machine's. Where the system
// doesn't say, what it said last counts, and the floor stands without it.
func (i *interfaces) have(a netip.Addr) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if time.Since(i.asked) >= interfaceAge {
		i.asked = time.Now()
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
