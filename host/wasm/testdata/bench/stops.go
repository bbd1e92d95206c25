package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"time"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// stops measures how long endless guests take to stop after a cancel, and how long the
// garbage collector takes beside them.
func stops(ctx context.Context, _ string, modules map[string][]byte) error {
	head("Endless guests: from the cancel to the end, and runtime.GC beside them", "guest", "ends with",
		"stop, median", "stop, most", "processor, most", "GC, median", "GC, most")
	h := wasm.New(wasm.Options{})
	defer h.Close(ctx)
	s, err := h.Session(wasm.Module{Name: "hostile", Bytes: modules["hostile"]}, manifest.Fresh, wasm.CallOptions{Memory: 64 << 20})
	if err != nil {
		return err
	}
	for _, function := range []string{"", "loop", "tree", "forks", "divide", "fill", "copy", "miss", "grow", "allocs", "resets", "recurse"} {
		var stopped, worked, collected []time.Duration
		code := ""
		for range 9 {
			took, load, pauses, ended := stop(ctx, s, function, 150*time.Millisecond)
			stopped, worked, collected, code = append(stopped, took), append(worked, load), append(collected, pauses...), ended
		}
		for n := range 80 { // while the guest touches new memory
			took, load, _, _ := stop(ctx, s, function, time.Duration(n%40)*500*time.Microsecond)
			stopped, worked = append(stopped, took), append(worked, load)
		}
		slices.Sort(stopped)
		slices.Sort(collected)
		name, cells := function, []string{short(stopped[len(stopped)/2]), short(stopped[len(stopped)-1]), short(slices.Max(worked))}
		if function == "" {
			name, cells = "none", []string{"", "", ""}
		}
		row(append([]string{name, code}, append(cells, short(collected[len(collected)/2]), short(collected[len(collected)-1]))...)...)
		if out, err := s.Call(ctx, "good", nil); err != nil || out.ExitCode != 0 {
			return fmt.Errorf("the call after %s: code %d, %w", function, out.ExitCode, err)
		}
	}
	return nil
}

// stop runs a guest for a while and cancels it. It returns how long the end took, and how much
// processor time this program used meanwhile, to which other programs add little.
func stop(ctx context.Context, s *wasm.Session, function string, run time.Duration) (took, load time.Duration, pauses []time.Duration, code string) {
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
	at, before := time.Now(), processorTime()
	cancel()
	err := <-done
	took, load = time.Since(at), processorTime()-before
	if err != nil {
		code = tool.AsError(err).Code
	}
	return took, load, pauses, code
}

// processorTime is how long this program has used processors.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // it takes no other argument
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
