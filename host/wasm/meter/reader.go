package meter

import (
	"fmt"
	"unicode/utf8"

	"errand/planner/message"
)

// reader reads a module's bytes up to an end. After its first error all reads return zero, and
// loops over vectors stop because they check err.
//
// It is as strict as wazero. If the two read different instructions in the same bytes, a module
// could hide a loop from the rewriter.
type reader struct {
	b   []byte // the module up to the end of what may be read
	pos int
	err error // an *Error
}

func (r *reader) fail(kind error, m message.Message) {
	r.setError(&Error{Kind: kind, Offset: r.pos, Reason: m})
}

func (r *reader) setError(e *Error) {
	if r.err == nil {
		r.err = e
	}
}

func (r *reader) failMalformed(m message.Message) { r.fail(ErrMalformed, m) }

// next reports whether a loop over n entries continues.
func (r *reader) next(n *uint32) bool {
	if r.err != nil || *n == 0 {
		return false
	}
	*n--
	return true
}

func (r *reader) remaining() int { return len(r.b) - r.pos }

func (r *reader) byte() byte {
	if r.err != nil || r.pos >= len(r.b) {
		r.failMalformed(message.New("module.ends_early"))
		return 0
	}
	r.pos++
	return r.b[r.pos-1]
}

// zero reads a reserved byte, which must be zero.
func (r *reader) zero() {
	if r.byte() != 0 {
		r.failMalformed(message.New("module.reserved_byte"))
	}
}

func (r *reader) skip(n uint64) {
	if r.err != nil || n > uint64(r.remaining()) {
		r.failMalformed(message.New("module.ends_early"))
		return
	}
	r.pos += int(n)
}

// u32 reads an unsigned LEB128 number of at most 32 bits.
func (r *reader) u32() uint32 {
	var n uint32
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		if shift == 28 && c > 0x0f {
			break
		}
		n |= uint32(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
	r.failMalformed(message.New("module.number_too_large"))
	return 0
}

// skipSigned skips a signed LEB128 number of at most size bytes.
func (r *reader) skipSigned(size int) {
	for range size {
		if r.byte() < 0x80 {
			return
		}
	}
	r.failMalformed(message.New("module.number_too_long", "limit", size))
}

// s33 reads the type of a block: a type index, or a negative number of one byte.
func (r *reader) s33() int64 {
	var n int64
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		n |= int64(c&0x7f) << shift
		if c < 0x80 {
			if n = n << (57 - shift) >> (57 - shift); n < 0 && shift > 0 || n > 1<<32-1 {
				break
			}
			return n
		}
	}
	r.failMalformed(message.New("module.bad_block_type"))
	return 0
}

func (r *reader) name() string {
	start := r.pos
	n := r.u32()
	from := r.pos
	r.skip(uint64(n))
	if r.err != nil {
		return ""
	}
	if b := r.b[from:r.pos]; utf8.Valid(b) {
		return string(b)
	}
	r.pos = start
	r.failMalformed(message.New("module.bad_name"))
	return ""
}

// index reads an index and checks that it is less than count. kind is a choice of the message
// module.bad_index.
func (r *reader) index(kind string, count int) uint32 {
	at := r.pos
	n := r.u32()
	if r.err == nil && uint64(n) >= uint64(count) {
		r.pos = at
		r.failMalformed(message.New("module.bad_index", "kind", kind, "index", n, "count", count))
		return 0
	}
	return n
}

// isValue reports whether c is a value type that wazero accepts by default.
func isValue(c byte) bool {
	switch c {
	case I32, I64, F32, F64, v128, funcref, externref:
		return true
	}
	return false
}

func (r *reader) valueType() byte {
	c := r.byte()
	if r.err != nil || isValue(c) {
		return c
	}
	r.pos--
	if f, code := laterType(c); f != "" {
		r.rejectFeature(f, code)
	} else {
		r.failMalformed(message.New("module.unknown_value_type", "type", fmt.Sprintf("%#x", c)))
	}
	return c
}
