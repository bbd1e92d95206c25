package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// stops measures how long endless guests take to stop after a cancel, and how long the
// garbage collector takes beside them.
func stops(ctx context.Context, _ string, modules map[string][]byte) error {
	head("Endless guests: from the cancel to the end, and runtime.GC beside them", "guest", "ends with",
		"stop, median", "stop, most", "GC, median", "GC, most")
	h := wasm.New(wasm.Options{})
	defer h.Close(ctx)
	s, err := h.Session(wasm.Module{Name: "hostile", Bytes: modules["hostile"]}, manifest.Fresh, wasm.CallOptions{Memory: 64 << 20})
	if err != nil {
		return err
	}
	for _, function := range []string{"", "loop", "tree", "forks", "divide", "fill", "copy", "miss", "grow", "allocs", "resets", "recurse"} {
		var stopped, collected []time.Duration
		code := ""
		for range 9 {
			took, pauses, ended := stop(ctx, s, function, 150*time.Millisecond)
			stopped, collected, code = append(stopped, took), append(collected, pauses...), ended
		}
		for n := range 80 { // while the guest touches new memory
			took, _, _ := stop(ctx, s, function, time.Duration(n%40)*500*time.Microsecond)
			stopped = append(stopped, took)
		}
		slices.Sort(stopped)
		slices.Sort(collected)
		name, cells := function, []string{short(stopped[len(stopped)/2]), short(stopped[len(stopped)-1])}
		if function == "" {
			name, cells = "none", []string{"", ""}
		}
		row(append([]string{name, code}, append(cells, short(collected[len(collected)/2]), short(collected[len(collected)-1]))...)...)
		if out, err := s.Call(ctx, "good", nil); err != nil || out.ExitCode != 0 {
			return fmt.Errorf("the call after %s: code %d, %w", function, out.ExitCode, err)
		}
	}
	return nil
}

// stop runs a guest for a while and cancels it.
func stop(ctx context.Context, s *wasm.Session, function string, run time.Duration) (took time.Duration, pauses []time.Duration, code string) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		if function == "" {
			<-ctx.Done()
			done <- nil
			return
		}
		var err error
		for ctx.Err() == nil { // call a guest again that ended by itself
			_, err = s.Call(ctx, function, nil)
		}
		done <- err
	}()
	for begin := time.Now(); time.Since(begin) < run; time.Sleep(min(run, 2*time.Millisecond)) {
		at := time.Now()
		runtime.GC()
		pauses = append(pauses, time.Since(at))
	}
	at := time.Now()
	cancel()
	err := <-done
	took = time.Since(at)
	if err != nil {
		code = tool.AsError(err).Code
	}
	return took, pauses, code
}
