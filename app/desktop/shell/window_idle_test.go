//go:build window

package shell

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// What a window that nobody touches may take: twice the memory that it was
// measured at, and next to no time of a processor.
const (
	idleFor     = time.Minute
	mostMemory  = 560 << 20 // bytes, shared pages counted once
	mostGrowth  = 64 << 20  // bytes, in that minute
	mostCPUTime = 3 * time.Second
)

// idles leaves the window alone for a minute and checks that it still runs, has not grown and was
// not busy. It logs the measurements.
func (w *window) idles() {
	w.t.Helper()
	// What has just been done settles first: its browser ends, pictures are decoded.
	if !eventually(patience, func() bool {
		before := w.cpuTime()
		time.Sleep(time.Second)
		return w.cpuTime()-before < 100*time.Millisecond
	}) {
		w.t.Errorf("the window is still busy %v after its run: %v of a processor", patience, w.cpuTime())
	}
	before, busy := w.memory(), w.cpuTime()
	time.Sleep(idleFor) // the test is about this minute
	after, used := w.memory(), w.cpuTime()-busy
	for _, m := range after {
		w.t.Logf("memory: %-22s %4d MiB resident, %4d MiB with its part of what it shares", m.name, m.resident>>20, m.share>>20)
	}
	total := sum(after)
	w.t.Logf("memory: %d processes, %d MiB resident, %d MiB with shared pages counted once; %+d KiB in %v, %v of a processor",
		len(after), total.resident>>20, total.share>>20, (total.share-sum(before).share)>>10, idleFor, used)
	// The kernel keeps 15 characters of a name.
	for _, want := range []string{"errand-desktop", "WebKitWebProces", "WebKitNetworkPr"} {
		if !has(after, want) {
			w.t.Errorf("%s is gone after %v: %v", want, idleFor, w.processes())
		}
	}
	if total.share > mostMemory {
		w.t.Errorf("the window takes %d MiB, more than %d", total.share>>20, mostMemory>>20)
	}
	if grown := total.share - sum(before).share; grown > mostGrowth {
		w.t.Errorf("untouched, the window grew by %d MiB in %v", grown>>20, idleFor)
	}
	if used > mostCPUTime {
		w.t.Errorf("untouched, the window took %v of a processor in %v", used, idleFor)
	}
}

// memory is what one process has, in bytes.
type memory struct {
	name     string
	resident int // shared pages included
	share    int // shared pages divided by the number of those that have them
}

func sum(all []memory) (total memory) {
	for _, m := range all {
		total.resident += m.resident
		total.share += m.share
	}
	return total
}

func has(all []memory, name string) bool {
	for _, m := range all {
		if m.name == name {
			return true
		}
	}
	return false
}

// memory lists what each process of the window has.
func (w *window) memory() (out []memory) {
	w.t.Helper()
	for _, p := range w.processes() {
		pid, name, _ := strings.Cut(p, " ")
		m, err := memoryOf(pid)
		if err != nil {
			continue // it has ended meanwhile
		}
		m.name = name
		out = append(out, m)
	}
	return out
}

func memoryOf(pid string) (m memory, err error) {
	f, err := os.Open(filepath.Join("/proc", pid, "smaps_rollup"))
	if err != nil {
		return m, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		fields := strings.Fields(s.Text())
		if len(fields) < 2 {
			continue
		}
		kib, _ := strconv.Atoi(fields[1])
		switch fields[0] {
		case "Rss:":
			m.resident = kib << 10
		case "Pss:":
			m.share = kib << 10
		}
	}
	if m.resident == 0 {
		return m, fmt.Errorf("process %s has no memory", pid)
	}
	return m, s.Err()
}

// cpuTime returns the processor time that the window's processes have used so far.
func (w *window) cpuTime() (total time.Duration) {
	w.t.Helper()
	for _, p := range w.processes() {
		pid, _, _ := strings.Cut(p, " ")
		if f := statOf(pid); len(f) > 12 {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			total += time.Duration(user+system) * (time.Second / clockTicks)
		}
	}
	return total
}

// clockTicks is USER_HZ, the same on every Linux.
const clockTicks = 100
