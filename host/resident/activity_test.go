package resident

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestIdleEnd checks when a process ends by itself: after 15 minutes without a call and a page.
func TestIdleEnd(t *testing.T) {
	const limit = 15 * time.Minute
	for _, tt := range []struct {
		name string
		use  func(a *activity, pages *atomic.Bool)
		want time.Duration // at the latest one tick, a minute, more
	}{
		{"unused", func(*activity, *atomic.Bool) {}, limit},
		{"a call at the beginning", func(a *activity, _ *atomic.Bool) { a.begin(); a.end() }, limit},
		{"a call that takes an hour", func(a *activity, _ *atomic.Bool) { a.begin(); time.Sleep(time.Hour); a.end() }, time.Hour + limit},
		{"calls every 14 minutes", func(a *activity, _ *atomic.Bool) {
			for range 10 {
				time.Sleep(14 * time.Minute)
				a.begin()
				a.end()
			}
		}, 140*time.Minute + limit},
		{"a window that is open for a day", func(_ *activity, pages *atomic.Bool) {
			pages.Store(true)
			time.Sleep(24 * time.Hour)
			pages.Store(false)
		}, 24*time.Hour + limit - time.Minute},
		{"two calls at once", func(a *activity, _ *atomic.Bool) {
			a.begin()
			a.begin()
			a.end()
			time.Sleep(time.Hour)
			a.end()
		}, time.Hour + limit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, begun := newActivity(), time.Now()
				var pages atomic.Bool
				go tt.use(a, &pages)
				if !a.waitIdle(t.Context(), limit, pages.Load) {
					t.Fatal("it did not wait")
				}
				if took := time.Since(begun); took < tt.want || took > tt.want+time.Minute {
					t.Errorf("ended after %v, want %v", took, tt.want)
				}
				if a.begin() {
					t.Error("a call begins after the end")
				}
			})
		})
	}
}

// TestIdleCancelled checks that the wait ends with its context.
func TestIdleCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		a := newActivity()
		a.begin()
		if a.waitIdle(ctx, time.Minute, func() bool { return false }) {
			t.Error("idle during a call")
		}
		if a.close() {
			t.Error("closed during a call")
		}
		a.end()
		if !a.close() || a.begin() {
			t.Error("not closed after the call")
		}
	})
}
