package linear

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// Small is the size in bytes up to which copying all of an image is faster than
// finding out what has changed.
const Small = 256 << 10

// Image is what a memory held at one time. It never changes and is good for
// several goroutines.
type Image struct {
	data []byte // without the zeroes at its end
	size uint64 // of the memory, in bytes
	file file   // that data is mapped from; none: data is of Go's heap
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
	if len(data) > Small && m.room != nil {
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

// usedPages is the length of b without the pages at its end that are zero.
func usedPages(b []byte) int {
	n := len(b)
	for n > 0 && string(b[n-Page:n]) == string(zeroes) {
		n -= Page
	}
	return n
}

// Adopt makes the memory the same as the image, which becomes what
// [Memory.Restore] goes back to. The memory must have the image's size or more:
// [Image.Size] tells what the guest is to be grown to.
func (m *Memory) Adopt(i *Image) error {
	if m.Size() < i.size {
		return fmt.Errorf("a memory of %d bytes can't hold an image of %d", m.Size(), i.size)
	}
	if m.image != nil {
		return errors.New("the memory has an image already")
	}
	i.uses.Add(1)
	m.image = i
	m.mapped = m.room != nil && i.file.mapInto(m.room[:len(i.data)]) == nil
	m.pageCache.invalidate()
	if m.room != nil {
		keepSmall(m.room)
		// Return pages that were only read; otherwise they would count as written.
		_ = m.room.discard(uint64(len(i.data)), m.Size())
	}
	m.Restore()
	return nil
}

// Size is the size in bytes of the memory that the image was taken of.
func (i *Image) Size() uint64 { return i.size }

// Bytes is how many bytes the image itself takes.
func (i *Image) Bytes() uint64 { return uint64(len(i.data)) }

// Close releases the image, once the memories that use it are freed. It is
// called once. A nil image needs no closing.
func (i *Image) Close() { i.drop() }

func (i *Image) drop() {
	if i != nil && i.uses.Add(-1) == 0 {
		i.file.release(i.data)
		i.data = nil
	}
}
