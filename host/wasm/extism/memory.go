package extism

import "errand/host/wasm/linear"

// maxHeap is the size in bytes up to which a kernel's memory is on the Go heap.
const maxHeap = 1 << 20

// memory is a kernel's linear memory. A small one is on the Go heap, because a mapping
// would make each instance slower and most need little. A large one is a mapping that
// grows in place: copying tens of megabytes would delay the stop of a call.
type memory struct {
	limit  uint64
	share  *linear.Share
	pause  func()
	heap   []byte
	mapped *linear.Memory // nil up to maxHeap
}

// Reallocate implements [experimental.LinearMemory].
func (m *memory) Reallocate(size uint64) []byte {
	have := m.size()
	if size > have && !m.share.Grow(size-have) {
		return nil
	}
	switch {
	case m.mapped != nil:
		return m.mapped.Reallocate(size)
	case size <= have:
		return m.heap
	case size <= maxHeap:
		larger := make([]byte, size)
		copy(larger, m.heap)
		m.heap = larger
		return larger
	}
	most := (max(size, m.limit) + linear.Page - 1) / linear.Page * linear.Page
	mapped := linear.New(most, nil)
	mapped.Pause = m.pause
	mapped.Allocate(size, most)
	first := mapped.Reallocate(max(have, linear.Page))
	if first == nil {
		mapped.Free()
		return nil
	}
	copy(first, m.heap)
	m.mapped, m.heap = mapped, nil
	return mapped.Reallocate(size)
}

func (m *memory) size() uint64 {
	if m.mapped != nil {
		return m.mapped.Size()
	}
	return uint64(len(m.heap))
}

// Free implements [experimental.LinearMemory]. It may be called more than once.
func (m *memory) Free() {
	if m.mapped != nil {
		m.mapped.Free()
	}
	m.heap = nil
}
