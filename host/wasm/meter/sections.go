package meter

import (
	"encoding/binary"
	"fmt"
	"strings"

	"errand/planner/message"
)

func uvarint(out []byte, n uint32) []byte { return binary.AppendUvarint(out, uint64(n)) }

// svarint appends a signed LEB128 number.
func svarint(out []byte, n int64) []byte {
	for {
		c := byte(n & 0x7f)
		n >>= 7
		if n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0 {
			return append(out, c)
		}
		out = append(out, c|0x80)
	}
}

// readTables limits the size of each table. Tables use memory of the host that no memory limit
// counts, and a table without a maximum could ask for 2³² entries by a single table.grow.
func (s *source) readTables(r *reader, n uint32, v *vector) {
	most := s.options.Table
	for r.next(&n) {
		if r.remaining() > 0 && r.b[r.pos] == 0x40 {
			r.rejectFeature(TypedReferences, "module.uses_table_value")
			return
		}
		kind := r.refType()
		low, high, bounded := s.limits(r)
		if low > most && r.err == nil {
			r.fail(ErrForbidden, message.New("module.table_too_large", "count", low, "limit", most))
		}
		if !bounded || high > most {
			high = most
		}
		v.bytes = append(v.bytes, kind, 1)
		v.bytes = uvarint(uvarint(v.bytes, low), high)
		s.tables++
	}
}

func (s *source) readGlobals(r *reader, n uint32, v *vector) {
	for r.next(&n) {
		from := r.pos
		g := r.globalType()
		v.bytes = append(v.bytes, r.b[from:r.pos]...)
		v.bytes = s.constExpr(r, v.bytes)
		s.globals = append(s.globals, g)
		if g.mutable && (g.kind == v128 || g.kind == funcref || g.kind == externref) {
			s.addReason("module.unreadable_global")
		}
	}
}

func (s *source) readExports(r *reader, n uint32, v *vector) {
	exported := []uint32{}
	for r.next(&n) {
		from := r.pos
		name := r.name()
		if strings.HasPrefix(name, exportPrefix) && r.err == nil {
			r.pos = from
			r.fail(ErrForbidden, message.New("module.exports_name_of_host", "name", name, "prefix", exportPrefix))
			return
		}
		kind := r.byte()
		v.bytes = append(v.bytes, r.b[from:r.pos]...)
		var index uint32
		switch kind {
		case kindFunc:
			index = r.index("function", len(s.funcs))
			exported = append(exported, index)
			index = s.newIndex(index)
		case kindTable:
			index = r.index("table", s.tables)
			s.sharesTables = true
		case kindMemory:
			index = r.index("memory", s.memories)
		case kindGlobal:
			index = r.index("global", len(s.globals))
		default:
			r.failMalformed(message.New("module.unknown_export_kind", "kind", fmt.Sprintf("%#x", kind)))
		}
		v.bytes = uvarint(v.bytes, index)
	}
	if s.sharesTables && r.err == nil {
		// Other modules with access to the table can store exported functions in it.
		for _, f := range exported {
			s.referenced[f] = true
		}
	}
}

func (s *source) readElements(r *reader, n uint32, v *vector) {
	s.elements = int(min(n, uint32(r.remaining()))) // each has a byte at least
	for r.next(&n) {
		flags := r.u32()
		if flags > 7 {
			r.failMalformed(message.New("module.unknown_element_form", "form", fmt.Sprintf("%#x", flags)))
			return
		}
		v.bytes = uvarint(v.bytes, flags)
		active, typed, exprs := flags&1 == 0, flags&3 != 0, flags&4 != 0
		if active {
			if flags&2 != 0 {
				v.bytes = uvarint(v.bytes, r.index("table", s.tables))
			} else if s.tables == 0 {
				r.failMalformed(message.New("module.no_table"))
			}
			v.bytes = s.constExpr(r, v.bytes)
		}
		switch {
		case typed && exprs:
			v.bytes = append(v.bytes, r.refType())
		case typed:
			r.zero() // functions are the only kind
			v.bytes = append(v.bytes, 0)
		}
		count := r.u32()
		v.bytes = uvarint(v.bytes, count)
		s.effort.spend(perElement, int(min(count, uint32(r.remaining()))))
		if m := s.effort.excess(-1); !m.IsZero() {
			r.fail(ErrComplex, m)
		}
		for r.next(&count) {
			if exprs {
				v.bytes = s.constExpr(r, v.bytes)
				continue
			}
			f := r.index("function", len(s.funcs))
			if r.err == nil {
				s.referenced[f] = true
			}
			v.bytes = uvarint(v.bytes, s.newIndex(f))
		}
	}
}

func (s *source) readDatas(r *reader, n uint32) {
	for r.next(&n) {
		switch flags := r.u32(); flags {
		case 1:
		case 2:
			r.index("memory", s.memories)
			fallthrough
		case 0:
			s.needMemory(r)
			s.constExpr(r, nil)
		default:
			r.failMalformed(message.New("module.unknown_data_form", "form", fmt.Sprintf("%#x", flags)))
		}
		r.skip(uint64(r.u32()))
	}
}

// constExpr copies a constant expression to out and replaces the indices of functions by the
// new ones.
func (s *source) constExpr(r *reader, out []byte) []byte {
	for r.err == nil {
		from := r.pos
		switch op := r.byte(); op {
		case opEnd:
			return append(out, op)
		case 0x41: // i32.const
			r.skipSigned(5)
		case 0x42: // i64.const
			r.skipSigned(10)
		case 0x43: // f32.const
			r.skip(4)
		case 0x44: // f64.const
			r.skip(8)
		case 0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e: // extended-const: add, sub, mul
		case opGlobalGet:
			r.index("global", len(s.globals))
		case opRefNull:
			r.refType()
		case opRefFunc:
			f := r.index("function", len(s.funcs))
			if r.err == nil {
				s.referenced[f] = true
				out = uvarint(append(out, op), s.newIndex(f))
				continue
			}
		case opSIMD:
			if r.byte() != 12 { // v128.const
				r.failMalformed(message.New("module.bad_constant_vector"))
			}
			r.skip(16)
		default:
			r.pos = from
			r.failMalformed(message.New("module.bad_constant_instruction", "instruction", fmt.Sprintf("%#x", op)))
		}
		out = append(out, r.b[from:r.pos]...)
	}
	return out
}
