package pool_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"errand/build/must"
	"errand/host/wasm/pool"
)

type thing struct {
	name   string
	bytes  uint64
	closed atomic.Int32
	used   atomic.Int32
}

func (t *thing) Bytes() uint64 { return t.bytes }
func (t *thing) Close()        { t.closed.Add(1) }

func options() pool.Options { return pool.Options{InUse: 10, Bytes: 1000, Idle: time.Minute} }

func take(t *testing.T, l *pool.Partition[*thing], kind string) (*thing, bool) {
	t.Helper()
	got, found, err := l.Take(t.Context(), time.Hour, kind)
	must.Succeed(t, err)
	return got, found
}

// TestReuseIdleItem: a released item is reused by the same partition and kind.
func TestReuseIdleItem(t *testing.T) {
	p := pool.New[*thing](options())
	defer p.Close()
	l, other := p.Partition(3), p.Partition(3)
	if _, found := take(t, l, "a"); found {
		t.Fatal("an empty pool has something")
	}
	a := &thing{name: "a"}
	l.Release("a", a)
	if _, found := take(t, l, "b"); found {
		t.Error("a thing of another kind is answered")
	}
	if _, found := take(t, other, "a"); found {
		t.Error("a thing of another lane is answered")
	}
	if got, found := take(t, l, "a"); !found || got != a {
		t.Errorf("got %v, %v", got, found)
	}
	if _, found := take(t, l, "a"); found {
		t.Error("a thing in use is answered")
	}
}

// TestTurns: a lane's limit and the pool's hold; who waits is let in by the
// next turn's end, or goes when its context ends.
func TestTurns(t *testing.T) {
	for name, o := range map[string]pool.Options{"lane": {InUse: 10, Bytes: 1, Idle: 1}, "pool": {InUse: 2, Bytes: 1, Idle: 1}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := pool.New[*thing](o)
				defer p.Close()
				l := p.Partition(2)
				if name == "pool" {
					l = p.Partition(3)
				}
				take(t, l, "")
				take(t, l, "")
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if _, _, err := l.Take(ctx, time.Hour, ""); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("a third turn: %v", err)
				}
				if _, _, err := l.Take(t.Context(), time.Second, ""); !errors.Is(err, pool.ErrBusy) {
					t.Errorf("a third turn, for a second: %v", err)
				}
				in := make(chan struct{})
				go func() {
					defer close(in)
					if _, _, err := l.Take(t.Context(), time.Hour, ""); err != nil {
						t.Error(err)
					}
				}()
				synctest.Wait()
				select {
				case <-in:
					t.Error("a third caller is let in")
				default:
				}
				l.Drop()
				<-in
			})
		})
	}
}

// TestBounds: beyond the bytes of all lanes together the thing that was idle
// longest goes, and beyond a lane's count its own.
func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New[*thing](options())
		defer p.Close()
		l, other := p.Partition(2), p.Partition(2)
		things := map[string]*thing{}
		give := func(l *pool.Partition[*thing], name string, bytes uint64) {
			things[name] = &thing{bytes: bytes}
			l.Add(name, things[name])
			time.Sleep(time.Millisecond)
		}
		give(l, "1", 400)
		give(other, "2", 400)
		give(l, "3", 400) // 1200 bytes: the first goes
		give(other, "4", 1)
		give(other, "5", 1) // three of two: its first goes
		give(l, "6", 2000)  // more than fits at all: everything goes
		for name, want := range map[string]int32{"1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1} {
			if got := things[name].closed.Load(); got != want {
				t.Errorf("%s was closed %d times, want %d", name, got, want)
			}
		}
		give(l, "7", 10)
		if l.HasIdle("1") || !l.HasIdle("7") {
			t.Error("Idle answers what isn't so")
		}
		time.Sleep(2 * time.Minute)
		if things["7"].closed.Load() != 1 {
			t.Error("a thing that nobody wants is kept for ever")
		}
	})
}

// TestClose: what is idle is closed at once, what is in use when it is given
// back, and nothing is taken after that.
func TestClose(t *testing.T) {
	p := pool.New[*thing](options())
	l := p.Partition(3)
	take(t, l, "")
	idle, used := &thing{}, &thing{}
	l.Add("", idle)
	p.Close()
	p.Close()
	l.Release("", used)
	l.Close()
	if idle.closed.Load() != 1 || used.closed.Load() != 1 {
		t.Errorf("idle was closed %d times, the one in use %d times", idle.closed.Load(), used.closed.Load())
	}
	if _, _, err := l.Take(t.Context(), time.Hour, ""); !errors.Is(err, pool.ErrClosed) {
		t.Errorf("a closed lane answers %v", err)
	}
	if _, _, err := p.Partition(1).Take(t.Context(), time.Hour, ""); !errors.Is(err, pool.ErrClosed) {
		t.Errorf("a new lane of a closed pool answers %v", err)
	}
}

// TestManyCallers: nobody ever shares a thing, and each is closed once.
func TestManyCallers(t *testing.T) {
	p := pool.New[*thing](pool.Options{InUse: 5, Bytes: 50, Idle: time.Millisecond})
	var mu sync.Mutex
	var all []*thing
	var wg sync.WaitGroup
	for n := range 4 {
		l := p.Partition(3)
		for range 4 {
			wg.Go(func() {
				for range 200 {
					kind := fmt.Sprint(rand.IntN(2))
					got, found, err := l.Take(t.Context(), time.Hour, kind)
					if err != nil {
						t.Error(err)
						return
					}
					if !found {
						got = &thing{name: fmt.Sprint(n, kind), bytes: 10}
						mu.Lock()
						all = append(all, got)
						mu.Unlock()
					}
					if got.name != fmt.Sprint(n, kind) || got.used.Add(1) != 1 || got.closed.Load() != 0 {
						t.Errorf("%s: used by %d, closed %d times", got.name, got.used.Load(), got.closed.Load())
					}
					got.used.Add(-1)
					if rand.IntN(9) == 0 {
						got.Close()
						l.Drop()
						continue
					}
					l.Release(kind, got)
				}
			})
		}
	}
	wg.Wait()
	p.Close()
	for _, got := range all {
		if got.closed.Load() != 1 {
			t.Errorf("%s was closed %d times", got.name, got.closed.Load())
		}
	}
}
