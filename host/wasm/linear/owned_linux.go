package linear

import (
	"sync"

	"golang.org/x/sys/unix"
)

// owned caches which pages of a range belonged to the memory at the last query of
// the kernel, and the process's number of page faults at that time. A page becomes
// the memory's own only by a fault, so the cache is valid while that number is
// unchanged. Reading the number takes a microsecond; reading the pages of four
// megabytes takes nine.
//
// khugepaged could add pages without a fault, so [Memory.Adopt] disables it for
// the memory.
type owned struct {
	faults   int64 // 0: nothing is known
	from, to uint64
	ranges   []span
}

// span is a range of whole pages, as offsets in bytes.
type span struct{ from, to uint64 }

// mostRanges is how many ranges are remembered. Where there are more, to copy
// them takes longer than to ask.
const mostRanges = 256

// still reports whether what is known of a range holds at so many faults.
func (o *owned) still(from, to uint64, faults int64) bool {
	return o.faults != 0 && o.faults == faults && o.from == from && o.to == to
}

// ask queries the kernel for a range and stores the number of faults.
func (o *owned) ask(from, to uint64, faults int64) {
	o.faults, o.from, o.to, o.ranges = faults, from, to, o.ranges[:0]
}

func (o *owned) add(at uint64) {
	switch n := len(o.ranges); {
	case n > 0 && o.ranges[n-1].to == at:
		o.ranges[n-1].to += pageSize
	case n < mostRanges:
		o.ranges = append(o.ranges, span{at, at + pageSize})
	default:
		o.faults = 0
	}
}

func (o *owned) forget() { o.faults = 0 }

// faults is how many page faults this process has taken, 0 where the kernel
// doesn't count them.
func faults() int64 {
	if !counts() {
		return 0
	}
	return taken()
}

func taken() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return int64(u.Minflt) + int64(u.Majflt)
}

// counts reports whether the number goes up with each page that is written for
// the first time. A sandboxed kernel may answer always the same.
var counts = sync.OnceValue(func() bool {
	m, err := reserve(Page)
	if err != nil {
		return false
	}
	defer m.release()
	keepSmall(m)
	if m.commit(0, Page) != nil {
		return false
	}
	for at := uint64(0); at < Page; at += pageSize {
		before := taken()
		m[at] = 1
		if taken() <= before {
			return false
		}
	}
	return true
})

// keepSmall stops the kernel from merging a mapping's pages into huge pages, which
// would include unwritten ones. A kernel without huge pages returns an error.
func keepSmall(m mapping) { _ = unix.Madvise(m, unix.MADV_NOHUGEPAGE) }
