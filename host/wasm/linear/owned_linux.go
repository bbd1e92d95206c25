package linear

import (
	"sync"

	"golang.org/x/sys/unix"
)

// owned is which pages of a range a memory had made its own when the kernel was
// last asked, and how many page faults this process had taken by then. A page
// becomes a memory's own by a fault and by nothing else: while there was none,
// it is the same pages. To be told the number takes a microsecond; to look
// through four megabytes takes nine.
//
// What would make it untrue is a kernel that gives pages without being asked.
// khugepaged does, so that [Memory.Adopt] has it keep off.
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

// ask begins anew for a range, as it is at so many faults.
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

// keepSmall keeps the kernel from joining a mapping's pages into huge ones,
// which it would fill with pages that nobody has written. A kernel that has
// none of those refuses.
func keepSmall(m mapping) { _ = unix.Madvise(m, unix.MADV_NOHUGEPAGE) }
