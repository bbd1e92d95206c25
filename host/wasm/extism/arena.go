package extism

import (
	"encoding/binary"
	"math"
)

// arena is the memory that a plugin shares with its host. Offsets are handles:
// that of a block is its first byte's, any byte's may be loaded or stored. 0 is
// no block.
type arena struct {
	limit   uint64 // bytes; alloc answers 0 beyond it
	refused bool   // an alloc was refused since the last reset

	mem    []byte // as long as the pages in use
	next   uint64 // where the next block starts
	blocks map[uint64]block
}

type block struct {
	length uint64
	freed  bool
}

const (
	firstBlock = 8 // keeps 0 free to mean nothing
	alignment  = 8
	page       = 64 << 10
)

// reset drops all blocks. Memory handed out later is zero again.
func (a *arena) reset() {
	clear(a.mem)
	a.next, a.refused = firstBlock, false
	if a.blocks == nil {
		a.blocks = make(map[uint64]block)
	}
	clear(a.blocks)
}

// alloc answers a new block of n zero bytes, 0 for none and where the limit is
// reached.
func (a *arena) alloc(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	at := a.next
	if at > a.limit || n > a.limit-at || !a.grow(at+n) {
		a.refused = true
		return 0
	}
	a.next = (at + n + alignment - 1) &^ (alignment - 1)
	a.blocks[at] = block{length: n}
	return at
}

// grow makes the memory at least size bytes long, by whole pages and at least
// twice as big as before, so that many small blocks cost no more than few.
func (a *arena) grow(size uint64) bool {
	if size <= uint64(len(a.mem)) {
		return true
	}
	if size > math.MaxInt-page {
		return false
	}
	size = max(size, min(2*uint64(len(a.mem)), a.limit))
	size = (size + page - 1) &^ (page - 1)
	mem := make([]byte, size)
	copy(mem, a.mem)
	a.mem = mem
	return true
}

// write allocates a block that holds b.
func (a *arena) write(b []byte) uint64 {
	at := a.alloc(uint64(len(b)))
	if at != 0 {
		copy(a.mem[at:], b)
	}
	return at
}

func (a *arena) free(at uint64) {
	if b, ok := a.blocks[at]; ok {
		b.freed = true
		a.blocks[at] = b
	}
}

// length is that of the block which starts at the offset, 0 where none does or
// it was freed.
func (a *arena) length(at uint64) uint64 {
	if b := a.blocks[at]; !b.freed {
		return b.length
	}
	return 0
}

// block answers the bytes of the block that starts at the offset, freed or
// not; those of 0 are none.
func (a *arena) block(at uint64) ([]byte, bool) {
	if at == 0 {
		return nil, true
	}
	b, ok := a.blocks[at]
	if !ok {
		return nil, false
	}
	return a.slice(at, b.length)
}

func (a *arena) slice(at, n uint64) ([]byte, bool) {
	if at > uint64(len(a.mem)) || n > uint64(len(a.mem))-at {
		return nil, false
	}
	return a.mem[at : at+n], true
}

func (a *arena) load8(at uint64) byte {
	if at < uint64(len(a.mem)) {
		return a.mem[at]
	}
	return 0
}

func (a *arena) load64(at uint64) uint64 {
	if b, ok := a.slice(at, 8); ok {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (a *arena) store8(at uint64, v byte) {
	if at < uint64(len(a.mem)) {
		a.mem[at] = v
	}
}

func (a *arena) store64(at, v uint64) {
	if b, ok := a.slice(at, 8); ok {
		binary.LittleEndian.PutUint64(b, v)
	}
}
