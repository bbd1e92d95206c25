package inspect

import (
	"errors"
	"unicode/utf8"

	"errand/planner/message"
)

// errTruncated is the error of every short read.
var errTruncated = message.Error("module.truncated")

// reader reads a binary. It keeps its first error: later reads return zero, and loops
// over counted vectors check err.
type reader struct {
	b   []byte
	pos int
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) remaining() int { return len(r.b) - r.pos }

func (r *reader) byte() byte {
	if r.err != nil || r.remaining() < 1 {
		r.fail(errTruncated)
		return 0
	}
	r.pos++
	return r.b[r.pos-1]
}

// u64 reads an unsigned LEB128 number of at most 64 bits.
func (r *reader) u64() uint64 {
	var n uint64
	for shift := uint(0); shift < 64; shift += 7 {
		c := r.byte()
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
	r.fail(message.Error("module.number_above_64_bits"))
	return 0
}

// u32 reads an unsigned LEB128 number of at most 32 bits.
func (r *reader) u32() uint32 {
	n := r.u64()
	if n > 1<<32-1 {
		r.fail(message.Error("module.number_above_32_bits"))
		return 0
	}
	return uint32(n)
}

// count reads the number of a section's entries of a kind. More than the limit are an error.
func (r *reader) count(kind string, limit uint32) uint32 {
	n := r.u32()
	switch {
	case uint64(n) > uint64(r.remaining()): // each takes a byte at least
		r.fail(errTruncated)
		return 0
	case n > limit:
		r.fail(message.Error("module.too_many_entries", "kind", kind, "count", n, "limit", limit))
		return 0
	}
	return n
}

// bytes reads n bytes without copying them.
func (r *reader) bytes(n uint32) []byte {
	if r.err != nil || uint64(n) > uint64(r.remaining()) {
		r.fail(errTruncated)
		return nil
	}
	r.pos += int(n)
	return r.b[r.pos-int(n) : r.pos]
}

// name reads a length and that many bytes of UTF-8.
func (r *reader) name() string {
	b := r.bytes(r.u32())
	if !utf8.Valid(b) {
		r.fail(message.Error("module.name_not_utf8"))
		return ""
	}
	return string(b)
}

// order has the ids of sections in the order of §5.5.2. A module has each section at most
// once, in this order, with custom sections (0) anywhere between them.
var order = [...]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 13: 6, 6: 7, 7: 8, 8: 9, 9: 10, 12: 11, 10: 12, 11: 13}

// sections calls visit for each section with its id and contents, in order, until
// an error. The error for data after the module or a truncated module has the
// offset.
func sections(b []byte, visit func(id byte, body *reader) error) error {
	r := &reader{b: b, pos: 8}
	last := 0
	for r.remaining() > 0 {
		at := r.pos
		id := r.byte()
		switch {
		case int(id) >= len(order), id != sectionCustom && order[id] <= last:
			return message.Error("module.data_after_end", "offset", at, "size", len(b))
		case id != sectionCustom:
			last = order[id]
		}
		size := r.u32()
		if r.err != nil || uint64(size) > uint64(r.remaining()) {
			if r.err != nil && !errors.Is(r.err, errTruncated) {
				return r.err
			}
			return message.Error("module.section_beyond_end", "cause", errTruncated, "offset", at, "size", len(b))
		}
		if id == sectionCustom && size == 0 { // what padding with zeros is read as
			return message.Error("module.unnamed_section", "offset", at, "size", len(b))
		}
		if err := visit(id, &reader{b: r.bytes(size)}); err != nil {
			return err
		}
	}
	return nil
}
