// Bench compares plugin hosts: Errand's, Extism's Go SDK and wazero alone. One run
// prints the tables of docs/plugin-host.md:
//
//	make bench-host
//
// It is a separate module, so that Errand does not depend on the SDK. Times are the
// minimum of many short batches, which excludes most of the effect of other programs.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

func main() {
	ctx := context.Background()
	err := error(nil)
	if len(os.Args) == 5 && os.Args[1] == startArgument {
		err = startOne(ctx, os.Args[2], os.Args[3], os.Args[4])
	} else {
		err = run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	modules, err := build(dir)
	if err != nil {
		return err
	}
	want := strings.Join(os.Args[1:], " ")
	for _, part := range []struct {
		name string
		run  func(context.Context, string, map[string][]byte) error
	}{
		{"stops", stops}, {"calls", calls}, {"metering", metering}, {"memory", memory}, {"starts", starts},
	} {
		if want != "" && !strings.Contains(want, part.name) {
			continue
		}
		if err := part.run(ctx, dir, modules); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		runtime.GC()
	}
	return nil
}

// least returns the shortest time of a call. It measures batches for at least half a
// second. A batch is shorter than a time slice of the system.
func least(call func() error) (time.Duration, error) {
	begin := time.Now()
	if err := call(); err != nil {
		return 0, err
	}
	per := max(time.Since(begin), 50*time.Nanosecond)
	best := time.Duration(1 << 62)
	for n, end := 0, time.Now().Add(500*time.Millisecond); n < 3 || time.Now().Before(end); n++ {
		batch := int(max(1, min(2000, 100*time.Microsecond/per)))
		begin := time.Now()
		for range batch {
			if err := call(); err != nil {
				return 0, err
			}
		}
		per = max(time.Since(begin)/time.Duration(batch), 1)
		best = min(best, per)
	}
	return best, nil
}

// row prints a row of a Markdown table.
func row(cells ...string) { fmt.Println("| " + strings.Join(cells, " | ") + " |") }

func head(title string, cells ...string) {
	fmt.Printf("\n### %s\n\n", title)
	row(cells...)
	row(slicesOf("---", len(cells))...)
}

func slicesOf(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

// short formats a duration with three digits.
func short(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%d ns", d)
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%.2f µs", float64(d)/1e3)
	case d < time.Millisecond:
		return fmt.Sprintf("%.1f µs", float64(d)/1e3)
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.0f ms", float64(d)/1e6)
}

func times(a, b time.Duration) string { return fmt.Sprintf("%.1f×", float64(a)/float64(b)) }
