package linear

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"errand/build/must"
)

// TestOwnedHolds: while no page fault was taken the pages are not asked for
// again, and a page that is written later on is found all the same.
func TestOwnedHolds(t *testing.T) {
	if !countsFaults() {
		t.Log("this kernel doesn't count page faults: it is asked each time")
	}
	m := New(64*Page, nil)
	m.Allocate(0, 64*Page)
	defer m.Free()
	b := m.Reallocate(48 * Page)
	for at := uint64(0); at < 40*Page; at += 512 {
		b[at] = byte(at >> 9)
	}
	want := bytes.Clone(b)
	image, err := m.Snapshot()
	must.Succeed(t, err)
	defer image.Close()

	held := 0
	for round := range 4000 {
		b[7] = ^b[7]
		b[41*Page] = 1
		fresh := uint64(0)
		if round%50 == 49 {
			fresh = uint64(round/50*3+1) * 2 * pageSize
			b[fresh] = ^b[fresh]
		}
		if m.pageCache.isValid(0, m.Size(), readPageFaults()) {
			held++
			if fresh > 0 {
				t.Fatalf("round %d: a page was written for the first time, without a fault", round)
			}
		}
		if m.Restore(); b[7] != want[7] || b[41*Page] != 0 || b[fresh] != want[fresh] {
			t.Fatalf("round %d: the memory is not its image", round)
		}
	}
	if !bytes.Equal(b, want) {
		t.Error("the memory is not its image")
	}
	if held == 0 && countsFaults() {
		t.Error("the kernel was asked each time")
	}
}

// TestOwnedForgets: what is known is of one range, of one state of the mapping,
// and not of more places than are worth it.
func TestOwnedForgets(t *testing.T) {
	var o pageCache
	if o.isValid(0, 0, 0) {
		t.Error("the zero value knows something")
	}
	o.reset(0, 4*pageSize, 9)
	o.add(0)
	o.add(pageSize)
	if !o.isValid(0, 4*pageSize, 9) || len(o.ranges) != 1 {
		t.Errorf("two pages side by side are %v", o.ranges)
	}
	if o.isValid(0, 5*pageSize, 9) || o.isValid(pageSize, 4*pageSize, 9) || o.isValid(0, 4*pageSize, 10) {
		t.Error("it holds for another range, or after a fault")
	}
	if o.invalidate(); o.isValid(0, 4*pageSize, 9) || o.isValid(0, 4*pageSize, 0) {
		t.Error("what was forgotten is known")
	}
	o.reset(0, 1<<30, 9)
	for n := range uint64(maxCachedRanges + 1) {
		o.add(n * 2 * pageSize)
	}
	if o.isValid(0, 1<<30, 9) {
		t.Errorf("%d ranges are remembered", len(o.ranges))
	}
}

// TestNoHugePages: the kernel doesn't join the pages of a memory that is put
// back; it would give pages that nobody asked for by a fault.
func TestNoHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Log("this kernel has no huge pages")
		return
	}
	m := New(64*Page, nil)
	m.Allocate(0, 64*Page)
	defer m.Free()
	b := m.Reallocate(48 * Page)
	b[40*Page] = 1
	image, err := m.Snapshot()
	must.Succeed(t, err)
	defer image.Close()
	m.Reallocate(60 * Page)
	smaps := must.ReadFile(t, "/proc/self/smaps")
	found, from, to := 0, uint64(0), uint64(0)
	for line := range strings.Lines(string(smaps)) {
		if area, _, _ := strings.Cut(line, " "); strings.Contains(area, "-") {
			fmt.Sscanf(area, "%x-%x", &from, &to)
		}
		flags, is := strings.CutPrefix(strings.TrimSpace(line), "VmFlags:")
		if !is || from < m.base()+40*Page || to > m.base()+64*Page {
			continue
		}
		if found++; !strings.Contains(flags+" ", " nh ") {
			t.Errorf("%x-%x may have huge pages: %s", from, to, flags)
		}
	}
	if found == 0 {
		t.Error("the memory's own mappings were not found")
	}
}
