package linear

import (
	"os"
	"sync"
	"unsafe"
)

// pagemap is the kernel's table of this process's pages, nil where it can't be
// read: in a process that may not be dumped, or without /proc. It is opened
// once and stays open.
var pagemap = sync.OnceValue(func() *os.File {
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil
	}
	m, err := reserve(Page)
	if err != nil {
		f.Close()
		return nil
	}
	defer m.release()
	probe := Memory{room: m, buf: m}
	if m.commit(0, Page) != nil {
		f.Close()
		return nil
	}
	m[pageSize-1] = 1 // a sandboxed kernel may answer zeroes, or nothing
	found := 0
	probe.pages(f, 0, Page, func(at uint64) { found += int(at) + 1 })
	if found != 1 {
		f.Close()
		return nil
	}
	return f
})

// Bits of an entry, from Documentation/admin-guide/mm/pagemap.rst.
const (
	present = 1 << 63
	swapped = 1 << 62
	shared  = 1 << 61 // of a file, not yet the process's own
)

// perRead is how many entries one read asks for.
const perRead = 1024

// written calls do with the offset of each page in a range that the memory has
// made its own by writing to it. Where that can't be told those are all.
func (m *Memory) written(from, to uint64, do func(at uint64)) { m.pages(pagemap(), from, to, do) }

func (m *Memory) pages(table *os.File, from, to uint64, do func(at uint64)) {
	if m.entries == nil {
		m.entries = make([]uint64, perRead)
	}
	base := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.buf))))
	for from < to {
		entries := m.entries[:min(perRead, (to-from)/pageSize)]
		if !readEntries(table, entries, (base+from)/pageSize) {
			for i := range entries {
				entries[i] = present
			}
		}
		for _, e := range entries {
			if e&(present|swapped) != 0 && e&shared == 0 {
				do(from)
			}
			from += pageSize
		}
	}
}

func readEntries(table *os.File, entries []uint64, first uint64) bool {
	if table == nil {
		return false
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(entries))), 8*len(entries))
	n, err := table.ReadAt(b, int64(8*first))
	return err == nil && n == len(b)
}
