package linear

import (
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pagemap returns the kernel's table of this process's pages. It is nil if the table is
// not readable, for example without /proc. The file stays open.
var pagemap = sync.OnceValue(func() *os.File {
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil
	}
	if !marksWrites(f) {
		f.Close()
		return nil
	}
	return f
})

// marksWrites reports whether the table distinguishes written pages. Some sandboxes
// return zeroes or an error.
func marksWrites(table *os.File) bool {
	m, err := reserve(Page)
	if err != nil {
		return false
	}
	defer m.release()
	if m.commit(0, Page) != nil {
		return false
	}
	m[pageSize-1] = 1
	probe := Memory{reserved: m, buf: m}
	found := 0
	probe.queryPages(table, 0, Page, func(at uint64) { found += int(at) + 1 })
	return found == 1
}

// eachWrittenPage calls do with the offset of each page in a range that the memory has
// made its own by writing to it. If the kernel can't list them, it passes all pages.
func (m *Memory) eachWrittenPage(from, to uint64, do func(at uint64)) {
	if from == to {
		return
	}
	faults, o := pageFaults(), &m.pageCache
	if o.isValid(from, to, faults) {
		for _, r := range o.ranges {
			for at := r.from; at < r.to; at += pageSize {
				do(at)
			}
		}
		return
	}
	o.reset(from, to, faults)
	m.queryPages(pagemap(), from, to, func(at uint64) {
		o.add(at)
		do(at)
	})
}

func (m *Memory) queryPages(table *os.File, from, to uint64, do func(at uint64)) {
	if from < to && !m.scan(table, from, to, do) {
		m.read(table, from, to, do)
	}
}

// scratch is a buffer for results of the kernel.
type scratch struct {
	ranges  [256]pageRange
	entries [1024]uint64
}

// Arguments of PAGEMAP_SCAN (<linux/fs.h>), which needs Linux 6.7.
type (
	pageRange struct{ start, end, _ uint64 }
	scanArg   struct {
		size, flags                uint64
		start, end, walkEnd        uint64
		vec, vecLen, maxPages      uint64
		inverted, mask, any, wants uint64
	}
)

const (
	pagemapScan = 0xc0606610

	isFile    = 1 << 2
	isPresent = 1 << 3
	isSwapped = 1 << 4
	isZero    = 1 << 5
)

var scanUnsupported atomic.Bool // the kernel does not support it

// scan passes the memory's own pages to do: those that are present, not of a file and
// not the shared zero page. It returns false, without a call of do, if the kernel does
// not support it.
func (m *Memory) scan(table *os.File, from, to uint64, do func(at uint64)) bool {
	if table == nil || scanUnsupported.Load() {
		return false
	}
	base := m.base()
	ranges := &m.scratchSpace().ranges
	for from < to {
		arg := scanArg{
			size: uint64(unsafe.Sizeof(scanArg{})), start: base + from, end: base + to,
			vec: uint64(uintptr(unsafe.Pointer(ranges))), vecLen: uint64(len(ranges)),
			inverted: isFile | isZero, mask: isFile | isZero, any: isPresent | isSwapped, wants: isPresent,
		}
		n, _, errno := unix.Syscall(unix.SYS_IOCTL, table.Fd(), pagemapScan, uintptr(unsafe.Pointer(&arg)))
		if errno != 0 || arg.walkEnd <= arg.start {
			scanUnsupported.Store(true)
			m.read(table, from, to, do)
			return true
		}
		for _, r := range ranges[:n] {
			for at := r.start; at < r.end; at += pageSize {
				do(at - base)
			}
		}
		from = arg.walkEnd - base
	}
	return true
}

// Bits of an entry, from Documentation/admin-guide/mm/pagemap.rst.
const (
	present     = 1 << 63
	pageSwapped = 1 << 62
	shared      = 1 << 61 // of a file and not private to the process
)

// read passes the memory's own pages to do, by reading an entry for each page. It
// includes pages outside the image that the guest only read.
func (m *Memory) read(table *os.File, from, to uint64, do func(at uint64)) {
	for from < to {
		entries := m.scratchSpace().entries[:min(uint64(len(m.scratch.entries)), (to-from)/pageSize)]
		if !readEntries(table, entries, (m.base()+from)/pageSize) {
			for i := range entries {
				entries[i] = present
			}
		}
		for _, e := range entries {
			if e&(present|pageSwapped) != 0 && e&shared == 0 {
				do(from)
			}
			from += pageSize
		}
	}
}

func (m *Memory) base() uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.buf)))) }

func (m *Memory) scratchSpace() *scratch {
	if m.scratch == nil {
		m.scratch = new(scratch)
	}
	return m.scratch
}

func readEntries(table *os.File, entries []uint64, first uint64) bool {
	if table == nil {
		return false
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(entries))), 8*len(entries))
	n, err := table.ReadAt(b, int64(8*first))
	return err == nil && n == len(b)
}
