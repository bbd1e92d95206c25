package wasm

import "github.com/tetratelabs/wazero/experimental"

// boundedMemory allocates one instance's linear memory up to a limit of its
// own. It grows at least twofold, so that a plugin which asks for one page after
// the other does not have all of it copied each time.
type boundedMemory struct {
	limit   uint64 // bytes
	refused bool   // the plugin asked for more
	buf     []byte
}

func (m *boundedMemory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate answers nil beyond the limit: memory.grow answers -1 then.
func (m *boundedMemory) Reallocate(size uint64) []byte {
	switch {
	case size > m.limit:
		m.refused = true
		return nil
	case size > uint64(cap(m.buf)):
		buf := make([]byte, size, max(size, min(2*uint64(cap(m.buf)), m.limit)))
		copy(buf, m.buf)
		m.buf = buf
	default:
		m.buf = m.buf[:size] // never shrinks, so what is added is still zero
	}
	return m.buf
}

func (m *boundedMemory) Free() { m.buf = nil }
