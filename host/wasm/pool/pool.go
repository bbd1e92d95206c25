// Package pool keeps reusable objects that are expensive to make. It limits how
// many are in use, per lane and in total, and the total size of idle ones. The
// ones that were idle longest are closed first.
package pool

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Item is an object in a pool. Its methods are called only while it is not in
// use.
type Item interface {
	Bytes() uint64 // size while idle
	Close()
}

// Options configure a pool. All values must be positive.
type Options struct {
	InUse int           // maximum number in use; further callers wait
	Bytes uint64        // maximum total size of idle things
	Idle  time.Duration // maximum idle time
}

// Pool keeps the things of several lanes. It is safe for concurrent use.
type Pool[T Item] struct {
	o     Options
	turns chan struct{} // one token per thing in use

	mu          sync.Mutex
	closed      bool
	lanes       map[*Partition[T]]struct{}
	bytes       uint64        // total size of idle things
	stop        chan struct{} // stops the sweeper; nil before it starts
	sweeperDone chan struct{} // closed when the sweeper has ended
}

// New returns an empty pool. Call Close to release it.
func New[T Item](o Options) *Pool[T] {
	return &Pool[T]{o: o, turns: make(chan struct{}, o.InUse), lanes: map[*Partition[T]]struct{}{}}
}

// ErrClosed is the error of Take on a closed lane or pool.
var ErrClosed = errors.New("the pool is closed")

// Partition is one user's part of a pool.
type Partition[T Item] struct {
	pool  *Pool[T]
	limit int
	turns chan struct{}

	// Guarded by pool.mu.
	closed bool
	inUse  int
	idle   []entry[T] // most recently used last
}

type entry[T Item] struct {
	item      T
	kind      string
	bytes     uint64
	idleSince time.Time
}

// Partition returns a new lane. limit is the maximum number of things in use, and of
// things in use and idle together.
func (p *Pool[T]) Partition(limit int) *Partition[T] {
	l := &Partition[T]{pool: p, limit: limit, turns: make(chan struct{}, limit)}
	p.mu.Lock()
	defer p.mu.Unlock()
	l.closed = p.closed
	p.lanes[l] = struct{}{}
	return l
}

// ErrBusy means that waiting for a turn took too long.
var ErrBusy = errors.New("no turn came up")

// ErrFull marks an error that was caused by other lanes, not by this lane's own
// limit.
var ErrFull = errors.New("all lanes together are full")

// Take waits for a turn and returns an idle thing of the kind. If found is false,
// the caller makes one. End the turn with [Lane.Release] or [Lane.Drop]. On an error
// there is no turn. The error is ctx's, [ErrBusy] after patience, or [ErrClosed];
// the first two include [ErrFull] if other lanes had all turns. A caller that
// takes a second turn may wait for itself, so patience must be limited.
func (l *Partition[T]) Take(ctx context.Context, timeout time.Duration, kind string) (item T, found bool, err error) {
	if err := wait(ctx, timeout, l.turns); err != nil {
		return item, false, err
	}
	if err := wait(ctx, timeout, l.pool.turns); err != nil {
		<-l.turns
		return item, false, errors.Join(ErrFull, err)
	}
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	if l.closed {
		l.leave()
		return item, false, ErrClosed
	}
	l.inUse++
	for n := len(l.idle) - 1; n >= 0; n-- {
		if l.idle[n].kind == kind {
			return l.remove(n), true, nil
		}
	}
	return item, false, nil
}

func wait(ctx context.Context, timeout time.Duration, turns chan struct{}) error {
	select {
	case turns <- struct{}{}:
		return nil
	default:
	}
	end := time.NewTimer(timeout)
	defer end.Stop()
	select {
	case turns <- struct{}{}:
		return nil
	case <-end.C:
		return ErrBusy
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (l *Partition[T]) leave() {
	<-l.pool.turns
	<-l.turns
}

// Release ends a turn and keeps the thing for the next one.
func (l *Partition[T]) Release(kind string, item T) {
	l.pool.mu.Lock()
	l.inUse--
	over := l.keep(kind, item)
	l.pool.mu.Unlock()
	l.leave()
	closeAll(over)
}

// Drop ends a turn without keeping a thing. The caller closes the thing.
func (l *Partition[T]) Drop() {
	l.pool.mu.Lock()
	l.inUse--
	l.pool.mu.Unlock()
	l.leave()
}

// Add keeps a thing that was made in advance, without a turn.
func (l *Partition[T]) Add(kind string, item T) {
	l.pool.mu.Lock()
	over := l.keep(kind, item)
	l.pool.mu.Unlock()
	closeAll(over)
}

// HasIdle reports whether there is an idle thing of the kind.
func (l *Partition[T]) HasIdle(kind string) bool {
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	for _, e := range l.idle {
		if e.kind == kind {
			return true
		}
	}
	return false
}

// Close closes the lane's idle things now and those in use when they are given
// back. It is safe to call more than once.
func (l *Partition[T]) Close() {
	p := l.pool
	p.mu.Lock()
	l.closed = true
	var over []T
	for len(l.idle) > 0 {
		over = append(over, l.remove(0))
	}
	delete(p.lanes, l)
	p.mu.Unlock()
	closeAll(over)
}

// Close closes every lane and stops the sweeper.
func (p *Pool[T]) Close() {
	p.mu.Lock()
	p.closed = true
	var lanes []*Partition[T]
	for l := range p.lanes {
		lanes = append(lanes, l)
	}
	stop := p.stop
	p.stop = nil
	p.mu.Unlock()
	for _, l := range lanes {
		l.Close()
	}
	if stop != nil {
		close(stop)
		<-p.sweeperDone
	}
}

func closeAll[T Item](items []T) {
	for _, t := range items {
		t.Close()
	}
}
