// Package swap changes a link in tests while the code under test uses it. Only tests import it.
package swap

import (
	"os"
	"sync"
	"sync/atomic"
	"testing"
)

// Link makes a link that leads to each of the targets in turn, as often as it can, until the
// test ends or stop is called. stop fails the test if the link was
// never changed.
func Link(t testing.TB, link string, targets ...string) (stop func()) {
	t.Helper()
	point := func(target string) error {
		next := link + ".next"
		if err := os.Symlink(target, next); err != nil {
			return err
		}
		return os.Rename(next, link)
	}
	if err := point(targets[0]); err != nil {
		t.Fatal(err)
	}
	var ended atomic.Bool
	var running sync.WaitGroup
	swaps := 0
	running.Go(func() {
		for ; !ended.Load(); swaps++ {
			if err := point(targets[swaps%len(targets)]); err != nil {
				t.Error(err)
				return
			}
		}
	})
	stop = sync.OnceFunc(func() {
		ended.Store(true)
		running.Wait()
		if swaps == 0 {
			t.Error("the link was never changed")
		}
	})
	t.Cleanup(stop)
	return stop
}
