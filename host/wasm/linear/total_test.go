package linear_test

import (
	"sync"
	"testing"

	"errand/host/wasm/linear"
)

// TestTotal: shares have together what the total allows and no more, whoever asks
// first, and what one gives back another has.
func TestTotal(t *testing.T) {
	total := linear.NewTotal(100)
	a, b := total.Share(), total.Share()
	if !a.Grow(60) || b.Grow(41) || !b.IsFull() || a.IsFull() || !b.Grow(40) {
		t.Error("100 bytes are not shared as 60 and 40")
	}
	a.Set(10)
	if !b.Grow(50) || b.Grow(1) {
		t.Error("what one gave back is not there, or too much")
	}
	a.Set(70) // which it has
	if b.Grow(1) || a.Grow(1) {
		t.Error("beyond the total there is more")
	}
	a.Set(0)
	b.Set(0)
	if b.IsFull() || !a.Grow(100) || a.Grow(1<<64-1) {
		t.Error("it does not begin anew")
	}
	a.Set(0)
	var none *linear.Total
	if s := none.Share(); !s.Grow(1<<40) || s.IsFull() {
		t.Error("no total bounds something")
	}

	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s := total.Share()
			for range 10_000 {
				if s.Grow(20) {
					s.Set(5)
				}
				s.Set(0)
			}
		})
	}
	all.Wait()
	if s := total.Share(); !s.Grow(100) || s.Grow(1) {
		t.Error("something was lost")
	}
}

// TestMemoryWithinTotal: a memory grows by what its share has.
func TestMemoryWithinTotal(t *testing.T) {
	share := linear.NewTotal(3 * linear.Page).Share()
	m := linear.New(10*linear.Page, share)
	defer m.Free()
	m.Allocate(0, 10*linear.Page)
	if m.Reallocate(2*linear.Page) == nil || m.Reallocate(4*linear.Page) != nil || !share.IsFull() || m.IsRefused() || m.Size() != 2*linear.Page {
		t.Errorf("it has %d bytes; full %v, refused %v", m.Size(), share.IsFull(), m.IsRefused())
	}
	if m.Reallocate(3*linear.Page) == nil || m.Reallocate(20*linear.Page) != nil || !m.IsRefused() {
		t.Error("its own limit is not told apart")
	}
}
