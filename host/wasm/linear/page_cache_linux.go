package linear

import (
	"sync"

	"golang.org/x/sys/unix"
)

// pageCache caches which pages of a range belonged to the memory at the last query of
// the kernel, and the process's number of page faults at that time. A page becomes
// the memory's own only by a fault, so the cache is valid while that number is
// unchanged. Reading the number takes a microsecond; reading the pages of four
// megabytes takes nine.
//
// khugepaged could add pages without a fault, so [Memory.Adopt] disables it for
// the memory.
type pageCache struct {
	faultCount int64 // 0: the cache is empty
	from, to   uint64
	ranges     []span
}

// span is a range of whole pages, as offsets in bytes.
type span struct{ from, to uint64 }

// maxCachedRanges is the maximum number of cached ranges. Querying the kernel is faster
// than copying more.
const maxCachedRanges = 256

// isValid reports whether the cache has this range and the process had no fault since.
func (o *pageCache) isValid(from, to uint64, faults int64) bool {
	return o.faultCount != 0 && o.faultCount == faults && o.from == from && o.to == to
}

// reset empties the cache and starts a new range at this number of faults.
func (o *pageCache) reset(from, to uint64, faults int64) {
	o.faultCount, o.from, o.to, o.ranges = faults, from, to, o.ranges[:0]
}

func (o *pageCache) add(at uint64) {
	switch n := len(o.ranges); {
	case n > 0 && o.ranges[n-1].to == at:
		o.ranges[n-1].to += pageSize
	case n < maxCachedRanges:
		o.ranges = append(o.ranges, span{at, at + pageSize})
	default:
		o.faultCount = 0
	}
}

func (o *pageCache) invalidate() { o.faultCount = 0 }

// pageFaults returns the number of page faults of this process, or 0 if the kernel does
// not count them.
func pageFaults() int64 {
	if !countsFaults() {
		return 0
	}
	return readPageFaults()
}

func readPageFaults() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return int64(u.Minflt) + int64(u.Majflt)
}

// countsFaults reports whether the first write to a page increases the number of faults.
// Some sandboxes always return the same number.
var countsFaults = sync.OnceValue(func() bool {
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
		before := readPageFaults()
		m[at] = 1
		if readPageFaults() <= before {
			return false
		}
	}
	return true
})

// keepSmall stops the kernel from merging a mapping's pages into huge pages, which
// would include unwritten ones. A kernel without huge pages returns an error.
func keepSmall(m mapping) { _ = unix.Madvise(m, unix.MADV_NOHUGEPAGE) }
