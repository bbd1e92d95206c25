package linear

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// Small is the size in bytes up to which copying an image is faster than finding the
// changed pages.
const Small = 256 << 10

// Image is an immutable snapshot of a memory. It is safe for concurrent use.
type Image struct {
	data []byte // without trailing zeroes
	size uint64 // of the memory, in bytes
	file file   // file that data is mapped from; zero: data is on Go's heap
	uses atomic.Int32
}

// Snapshot takes an image of the memory. [Memory.Restore] restores that image. The
// caller must close the image; it may do so before memories that use it are freed.
func (m *Memory) Snapshot() (*Image, error) {
	if m.image != nil {
		return nil, errors.New("the memory has an image already")
	}
	data := m.buf[:usedPages(m.buf)]
	i := &Image{size: m.Size()}
	i.uses.Store(1)
	if len(data) > Small && m.reserved != nil {
		i.data, i.file = newFile(data)
	}
	if i.data == nil {
		i.data = append([]byte(nil), data...)
	}
	if err := m.Adopt(i); err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}

// usedPages returns the length of b without trailing zero pages.
func usedPages(b []byte) int {
	n := len(b)
	for n > 0 && string(b[n-Page:n]) == string(zeroes[:]) {
		n -= Page
	}
	return n
}

// Adopt sets the memory to the image, which [Memory.Restore] then restores. The memory
// must have at least the image's size; grow the guest to [Image.Size] first.
func (m *Memory) Adopt(i *Image) error {
	if m.Size() < i.size {
		return fmt.Errorf("a memory of %d bytes can't hold an image of %d", m.Size(), i.size)
	}
	if m.image != nil {
		return errors.New("the memory has an image already")
	}
	i.uses.Add(1)
	m.image = i
	m.mapped = m.reserved != nil && i.file.mapInto(m.reserved[:len(i.data)]) == nil
	m.pageCache.invalidate()
	if m.reserved != nil {
		keepSmall(m.reserved)
		// Return pages that were only read; otherwise they would count as written.
		_ = m.reserved.discard(uint64(len(i.data)), m.Size())
	}
	m.Restore()
	return nil
}

// Size returns the size in bytes of the original memory.
func (i *Image) Size() uint64 { return i.size }

// Bytes returns how many bytes the image uses.
func (i *Image) Bytes() uint64 { return uint64(len(i.data)) }

// Close releases the image once the memories that use it are freed. Call it once. A nil
// image is allowed.
func (i *Image) Close() { i.drop() }

func (i *Image) drop() {
	if i != nil && i.uses.Add(-1) == 0 {
		i.file.release(i.data)
		i.data = nil
	}
}
