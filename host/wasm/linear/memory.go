package linear

import (
	"bytes"

	"github.com/tetratelabs/wazero/experimental"
)

// Page is WebAssembly's unit of memory, in bytes.
const Page = 64 << 10

// Memory is one guest's linear memory and its own allocator, so it serves one
// instantiation. It is not safe for concurrent use.
type Memory struct {
	// Pause is called at least each millisecond or so while pages are added, and may
	// panic to stop the guest. If it is nil, added pages are not populated.
	Pause func()

	limit       uint64 // bytes
	share       *Share
	refused     bool
	buf         []byte    // the guest's memory
	reserved    mapping   // address space in which buf grows; nil: buf is on Go's heap
	image       *Image    // the state that Restore restores
	mapped      bool      // the image is mapped into reserved
	private     uint64    // bytes, counted by Restore
	unpopulated uint64    // bytes that were added and not populated, at most maxUnpopulated
	scratch     *scratch  // buffer to query written pages
	pageCache   pageCache // the pages of the last query
}

// maxUnpopulated is how many bytes are added to a memory before it is populated. Many
// guests add a megabyte at their start and touch little of it.
const maxUnpopulated = 2 << 20

var (
	_ experimental.MemoryAllocator = (*Memory)(nil)
	_ experimental.LinearMemory    = (*Memory)(nil)
)

// New returns a memory that grows to at most limit bytes and counts against share, if that
// isn't nil. It reserves nothing before [Memory.Allocate].
func New(limit uint64, share *Share) *Memory { return &Memory{limit: limit, share: share} }

// Allocate implements [experimental.MemoryAllocator].
func (m *Memory) Allocate(_, most uint64) experimental.LinearMemory {
	if reserved, err := reserve(min(m.limit, most) / Page * Page); err == nil {
		m.reserved = reserved
	}
	return m
}

// Reallocate implements [experimental.LinearMemory]. It returns nil beyond the limit, so
// that memory.grow returns -1. The memory keeps its address if the system could reserve
// address space. Otherwise it is copied, and its capacity at least doubles.
func (m *Memory) Reallocate(size uint64) []byte {
	have := uint64(len(m.buf))
	switch {
	case size > m.limit:
		m.refused = true
		return nil
	case size <= have:
	case !m.share.Grow(size - have):
		return nil
	case m.reserved != nil:
		if size > uint64(len(m.reserved)) || m.reserved.commit(have, size) != nil {
			return nil
		}
		m.buf = m.reserved[:size:size]
		if m.Pause != nil && have > 0 { // an image replaces the first pages
			step := min(size-have, maxUnpopulated-m.unpopulated)
			m.unpopulated += step
			m.reserved.populate(have+step, size, m.Pause)
		}
	case size <= uint64(cap(m.buf)):
		m.buf = m.buf[:size] // it never shrank, so the added bytes are zero
	default:
		larger := make([]byte, size, max(size, min(2*uint64(cap(m.buf)), m.limit)))
		copy(larger, m.buf)
		m.buf = larger
	}
	return m.buf
}

// Free implements [experimental.LinearMemory]. It may be called more than once.
func (m *Memory) Free() {
	m.buf = nil
	m.reserved.release()
	m.reserved, m.mapped = nil, false
	m.pageCache.invalidate()
	m.image.drop()
	m.image = nil
}

// IsRefused reports whether the guest requested more memory than the limit.
func (m *Memory) IsRefused() bool { return m.refused }

// Size returns the memory's size in bytes.
func (m *Memory) Size() uint64 { return uint64(len(m.buf)) }

// Private returns how many bytes the memory used in addition to its image at the last
// restore.
func (m *Memory) Private() uint64 { return m.private }

// Restore restores the memory's image and zeroes the pages that were added since. Without
// an image it does nothing.
func (m *Memory) Restore() {
	m.refused = false
	if m.image == nil {
		return
	}
	image := m.image.data
	n := uint64(len(image))
	if m.mapped {
		m.private = 0
		m.eachWrittenPage(0, m.Size(), func(at uint64) {
			from := zeroes[:pageSize]
			if at < n {
				from = image[at : at+pageSize]
			}
			copy(m.buf[at:at+pageSize], from) // nearly all differ, so comparing first is slower
			m.private += pageSize
		})
		return
	}
	m.private = n
	if n <= Small {
		copy(m.buf, image)
	} else {
		for at := uint64(0); at < n; at += Page {
			put(m.buf[at:at+Page], image[at:at+Page])
		}
	}
	m.zero(n, m.Size())
}

// put copies from to to unless they are equal, because a page that is only read stays
// shared.
func put(to, from []byte) {
	if !bytes.Equal(to, from) {
		copy(to, from)
	}
}

// zero clears a range of whole pages.
func (m *Memory) zero(from, to uint64) {
	if m.reserved == nil {
		clear(m.buf[from:to])
		m.private += to - from
		return
	}
	m.eachWrittenPage(from, to, func(at uint64) {
		put(m.buf[at:at+pageSize], zeroes[:pageSize])
		m.private += pageSize
	})
}

var zeroes [Page]byte

// Trim returns the pages that the guest has written to the system. The memory then
// equals its image, so Trim can replace [Memory.Restore], or follow it for a guest
// that will be idle. The next call is slower because of page faults.
func (m *Memory) Trim() {
	defer m.pageCache.invalidate()
	if m.mapped && m.reserved.discard(0, m.Size()) == nil {
		m.private, m.refused = 0, false
		return
	}
	m.Restore()
	if m.reserved == nil || m.image == nil {
		return
	}
	if n := uint64(len(m.image.data)); m.reserved.discard(n, m.Size()) == nil {
		m.private = n // added pages are zero either way
	}
}
