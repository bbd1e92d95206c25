// Package pool keeps what is dear to make and can serve again, within bounds:
// how many are in use at a time, for each user and in all, and how many bytes
// the idle ones take together. The ones that were idle longest go first.
package pool

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Thing is what a pool keeps. Both methods are called while nobody has it.
type Thing interface {
	Bytes() uint64 // that it takes while it is idle
	Close()
}

// Options bound a pool. All must be positive.
type Options struct {
	InUse int           // things in use at a time; further callers wait for a turn
	Bytes uint64        // that idle things may take together
	Idle  time.Duration // for which a thing may be idle
}

// Pool keeps things of several lanes. It is good for several goroutines.
type Pool[T Thing] struct {
	o     Options
	turns chan struct{} // holds a token for each thing in use

	mu     sync.Mutex
	closed bool
	lanes  map[*Lane[T]]struct{}
	bytes  uint64        // of idle things
	stop   chan struct{} // ends the sweeper; nil before there is one
	swept  chan struct{} // closed once it has ended
}

// New makes an empty pool. Close ends what it starts.
func New[T Thing](o Options) *Pool[T] {
	return &Pool[T]{o: o, turns: make(chan struct{}, o.InUse), lanes: map[*Lane[T]]struct{}{}}
}

// ErrClosed is what taking a turn of a closed lane or pool answers.
var ErrClosed = errors.New("the pool is closed")

// Lane is one user's part of a pool.
type Lane[T Thing] struct {
	pool  *Pool[T]
	limit int
	turns chan struct{}

	// guarded by pool.mu
	closed bool
	inUse  int
	idle   []entry[T] // the one that was given back last is last
}

type entry[T Thing] struct {
	thing T
	kind  string
	bytes uint64
	since time.Time
}

// Lane makes a lane of which at most limit things are in use at a time, and as
// many, those in use counted, kept.
func (p *Pool[T]) Lane(limit int) *Lane[T] {
	l := &Lane[T]{pool: p, limit: limit, turns: make(chan struct{}, limit)}
	p.mu.Lock()
	defer p.mu.Unlock()
	l.closed = p.closed
	p.lanes[l] = struct{}{}
	return l
}

// ErrBusy is what waiting for a turn answers that took too long.
var ErrBusy = errors.New("no turn came up")

// ErrFull marks an error that came of waiting for a turn among all lanes, and not
// among those of one.
var ErrFull = errors.New("all lanes together are full")

// Take waits for a turn and answers an idle thing of the kind, where there is
// one; else the caller makes one. Either way the turn ends with [Lane.Give] or
// [Lane.Drop]. An error is ctx's, [ErrBusy] after waiting for as long as patience,
// either with [ErrFull] where another lane had the turn, or [ErrClosed], and then there is no turn. Who has a turn and waits for another
// waits for himself, so patience must have an end.
func (l *Lane[T]) Take(ctx context.Context, patience time.Duration, kind string) (thing T, found bool, err error) {
	if err := wait(ctx, patience, l.turns); err != nil {
		return thing, false, err
	}
	if err := wait(ctx, patience, l.pool.turns); err != nil {
		<-l.turns
		return thing, false, errors.Join(ErrFull, err)
	}
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	if l.closed {
		l.leave()
		return thing, false, ErrClosed
	}
	l.inUse++
	for n := len(l.idle) - 1; n >= 0; n-- {
		if l.idle[n].kind == kind {
			return l.remove(n), true, nil
		}
	}
	return thing, false, nil
}

func wait(ctx context.Context, patience time.Duration, turns chan struct{}) error {
	select {
	case turns <- struct{}{}:
		return nil
	default:
	}
	end := time.NewTimer(patience)
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

func (l *Lane[T]) leave() {
	<-l.pool.turns
	<-l.turns
}

// Give ends a turn and keeps the thing for the next.
func (l *Lane[T]) Give(kind string, thing T) {
	l.pool.mu.Lock()
	l.inUse--
	over := l.keep(kind, thing)
	l.pool.mu.Unlock()
	l.leave()
	closeAll(over)
}

// Drop ends a turn whose thing, if there was one, is of no further use and was
// closed by the caller.
func (l *Lane[T]) Drop() {
	l.pool.mu.Lock()
	l.inUse--
	l.pool.mu.Unlock()
	l.leave()
}

// Add keeps a thing that was made ahead of need, outside a turn.
func (l *Lane[T]) Add(kind string, thing T) {
	l.pool.mu.Lock()
	over := l.keep(kind, thing)
	l.pool.mu.Unlock()
	closeAll(over)
}

// Idle reports whether there is an idle thing of the kind.
func (l *Lane[T]) Idle(kind string) bool {
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	for _, e := range l.idle {
		if e.kind == kind {
			return true
		}
	}
	return false
}

// Close closes the lane's idle things, and those in use once they are given
// back. It may be called more than once.
func (l *Lane[T]) Close() {
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

// Close closes every lane and ends the sweeper.
func (p *Pool[T]) Close() {
	p.mu.Lock()
	p.closed = true
	var lanes []*Lane[T]
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
		<-p.swept
	}
}

func closeAll[T Thing](things []T) {
	for _, t := range things {
		t.Close()
	}
}
