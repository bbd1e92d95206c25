package inspect

import (
	"errors"
	"unicode/utf8"
)

// errTruncated is what every short read answers.
var errTruncated = errors.New("the module ends in the middle: it is truncated or damaged")

// reader walks a binary. Its first fault sticks: later reads answer zero, and
// loops over counted vectors stop by asking err.
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

func (r *reader) left() int { return len(r.b) - r.pos }

func (r *reader) byte() byte {
	if r.err != nil || r.left() < 1 {
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
	r.fail(errors.New("the module holds a number of more than 64 bits"))
	return 0
}

// u32 reads a number that the format bounds to 32 bits.
func (r *reader) u32() uint32 {
	n := r.u64()
	if n > 1<<32-1 {
		r.fail(errors.New("the module holds a number of more than 32 bits where 32 are allowed"))
		return 0
	}
	return uint32(n)
}

// bytes reads n bytes without copying them.
func (r *reader) bytes(n uint32) []byte {
	if r.err != nil || uint64(n) > uint64(r.left()) {
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
		r.fail(errors.New("the module holds a name that is not UTF-8"))
		return ""
	}
	return string(b)
}

// errUnnamed refuses what padding with zeros is read as, section after section.
var errUnnamed = errors.New("the module holds a custom section without a name")

// sections calls visit for each section with its id and contents, in order,
// until one fails.
func sections(b []byte, visit func(id byte, body *reader) error) error {
	r := &reader{b: b, pos: 8}
	for r.left() > 0 {
		id := r.byte()
		body := r.bytes(r.u32())
		if r.err != nil {
			return r.err
		}
		if id == sectionCustom && len(body) == 0 {
			return errUnnamed
		}
		if err := visit(id, &reader{b: body}); err != nil {
			return err
		}
	}
	return nil
}
