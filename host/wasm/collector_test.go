package wasm_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// TestCollectorMeanwhile collects garbage all the time while guests run that never end. The machine
// code of a guest can't be pre-empted, and a collection waits for it: so it waits for the guest's next
// request for fuel, about a millisecond, not for its deadline.
func TestCollectorMeanwhile(t *testing.T) {
	const deadline = 2 * time.Second
	h := newHost(t, wasm.Options{})
	s := session(t, h, guest(t, "hostile"), manifest.Fresh, wasm.CallOptions{Timeout: deadline, Memory: 64 << 20, Output: 1 << 20})
	for _, tt := range []struct{ name, function string }{
		{"S3-H17 an exponential tree of calls without a loop", "tree"},
		{"S3-H17 a huge memory.fill", "fill"},
		{"S3-H17 a huge memory.copy", "copy"},
		{"S3-H17 an endless loop", "loop"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stop := make(chan struct{})
			var collecting sync.WaitGroup
			var longest time.Duration
			rounds := 0
			collecting.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					began := time.Now()
					runtime.GC()
					longest = max(longest, time.Since(began))
					rounds++
				}
			})
			_, err := s.Call(t.Context(), tt.function, nil)
			close(stop)
			collecting.Wait()
			wantError(t, err, tool.ToolTimeout, "deadline_exceeded")
			// One collection that waited for the guest would have taken the rest of its time.
			if rounds < 3 || longest > deadline*3/4 {
				t.Errorf("%d collections, the longest took %v", rounds, longest)
			}
			if out, err := s.Call(t.Context(), "good", nil); err != nil || out.ExitCode != 0 {
				t.Errorf("the next call: %d, %v", out.ExitCode, err)
			}
			t.Logf("%d collections, the longest took %v", rounds, longest)
		})
	}
}
