//go:build !linux

package linear

import "errors"

// On other systems memories and images are on the Go heap.

const pageSize = uint64(Page)

type mapping []byte

func reserve(uint64) (mapping, error) { return nil, errors.ErrUnsupported }

func (mapping) commit(_, _ uint64) error       { return errors.ErrUnsupported }
func (mapping) discard(_, _ uint64) error      { return errors.ErrUnsupported }
func (mapping) populate(_, _ uint64, _ func()) {}
func (mapping) release()                       {}

type scratch struct{}

type pageCache struct{}

func (*pageCache) invalidate() {}

func keepSmall(mapping) {}

type file struct{}

func newFile([]byte) ([]byte, file) { return nil, file{} }

func (file) mapInto([]byte) error { return errors.ErrUnsupported }
func (file) release([]byte)       {}

// eachWrittenPage calls do with each page of a range, because written pages are unknown.
func (*Memory) eachWrittenPage(from, to uint64, do func(at uint64)) {
	for at := from; at < to; at += pageSize {
		do(at)
	}
}
