package pool

import "time"

// The functions below require pool.mu.

// keep makes a thing idle and returns the things to close because of the limits,
// which may include it.
func (l *Partition[T]) keep(kind string, item T) []T {
	p := l.pool
	if l.closed {
		return []T{item}
	}
	e := entry[T]{item, kind, item.Bytes(), time.Now()}
	l.idle = append(l.idle, e)
	p.bytes += e.bytes
	var over []T
	for len(l.idle) > 0 && len(l.idle)+l.inUse > l.limit {
		over = append(over, l.remove(0))
	}
	for p.bytes > p.o.Bytes {
		oldest := p.oldest()
		if oldest == nil {
			break
		}
		over = append(over, oldest.remove(0))
	}
	if p.stop == nil && !p.closed {
		p.stop, p.sweeperDone = make(chan struct{}), make(chan struct{})
		go p.sweep(p.stop, p.sweeperDone)
	}
	return over
}

// oldest returns the lane whose first idle thing has been idle longest.
func (p *Pool[T]) oldest() *Partition[T] {
	var oldest *Partition[T]
	for l := range p.lanes {
		if len(l.idle) > 0 && (oldest == nil || l.idle[0].idleSince.Before(oldest.idle[0].idleSince)) {
			oldest = l
		}
	}
	return oldest
}

func (l *Partition[T]) remove(n int) T {
	e := l.idle[n]
	copy(l.idle[n:], l.idle[n+1:])
	l.idle[len(l.idle)-1] = entry[T]{}
	l.idle = l.idle[:len(l.idle)-1]
	l.pool.bytes -= e.bytes
	return e.item
}

// sweep closes things that have been idle too long, until stop is closed.
func (p *Pool[T]) sweep(stop, done chan struct{}) {
	defer close(done)
	tick := time.NewTicker(max(p.o.Idle/4, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			p.mu.Lock()
			var over []T
			for l := range p.lanes {
				for len(l.idle) > 0 && now.Sub(l.idle[0].idleSince) >= p.o.Idle {
					over = append(over, l.remove(0))
				}
			}
			p.mu.Unlock()
			closeAll(over)
		}
	}
}
