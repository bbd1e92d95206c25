package meter

import (
	"fmt"

	"errand/planner/message"
)

func (s *source) readTypes(r *reader, n uint32) {
	for r.next(&n) {
		switch form := r.byte(); form {
		case 0x60:
		case 0x4d, 0x4e, 0x4f, 0x50, 0x5e, 0x5f:
			r.rejectFeature(GC, collection)
		default:
			r.failMalformed(message.New("module.unknown_type_form", "form", fmt.Sprintf("%#x", form)))
		}
		s.types = append(s.types, signature{params: r.valueTypes(), results: r.valueTypes()})
	}
}

func (r *reader) valueTypes() []byte {
	n := r.u32()
	if n > maxValues {
		r.fail(ErrForbidden, message.New("module.too_many_values", "count", n, "limit", maxValues))
	}
	from := r.pos
	for r.next(&n) {
		r.valueType()
	}
	if r.err != nil {
		return nil
	}
	return r.b[from:r.pos]
}

func (s *source) readImports(r *reader, n uint32) {
	for r.next(&n) {
		from := r.pos
		module := r.name()
		r.name()
		if module == YieldModule && r.err == nil {
			r.pos = from
			r.fail(ErrForbidden, message.New("module.imports_from_host", "module", YieldModule))
			return
		}
		switch kind := r.byte(); kind {
		case kindFunc:
			s.funcs = append(s.funcs, r.index("type", len(s.types)))
			s.imported++
		case kindTable:
			r.refType()
			s.limits(r)
			s.tables++
			s.sharesTables = true
			s.addReason("module.imports_table")
		case kindMemory:
			s.memory(r)
			s.importedMemory = true
			s.addReason("module.imports_memory")
		case kindGlobal:
			g := r.globalType()
			s.globals = append(s.globals, g)
			s.importedGlobals++
			if g.mutable {
				s.addReason("module.imports_mutable_global")
			}
		case kindTag:
			r.rejectFeature(Exceptions, exceptions)
		default:
			r.failMalformed(message.New("module.unknown_import_kind", "kind", fmt.Sprintf("%#x", kind)))
		}
	}
	s.referenced = make([]bool, len(s.funcs))
}

// Kinds of imports and exports.
const (
	kindFunc = iota
	kindTable
	kindMemory
	kindGlobal
	kindTag
)

func (r *reader) refType() byte {
	c := r.valueType()
	if r.err == nil && c != funcref && c != externref {
		r.pos--
		r.failMalformed(message.New("module.unknown_reference_type", "type", fmt.Sprintf("%#x", c)))
	}
	return c
}

func (r *reader) globalType() globalType {
	g := globalType{kind: r.valueType()}
	switch m := r.byte(); m {
	case 0, 1:
		g.mutable = m == 1
	default:
		r.failMalformed(message.New("module.bad_mutability"))
	}
	return g
}

// limits reads a minimum and an optional maximum.
func (s *source) limits(r *reader) (low, high uint32, bounded bool) {
	switch flags := r.byte(); flags {
	case 0, 1:
		bounded = flags == 1
	case 2, 3:
		r.rejectFeature(Threads, "module.uses_shared_memory")
	case 4, 5, 6, 7:
		r.rejectFeature(Memory64, "module.uses_memory64")
	default:
		r.failMalformed(message.New("module.unknown_limits_form", "form", fmt.Sprintf("%#x", flags)))
	}
	low = r.u32()
	if bounded {
		if high = r.u32(); r.err == nil && high < low {
			r.failMalformed(message.New("module.minimum_above_maximum", "minimum", low, "maximum", high))
		}
	}
	return low, high, bounded
}

func (s *source) memory(r *reader) {
	s.firstPages, _, _ = s.limits(r)
	if s.memories++; s.memories > 1 {
		r.rejectFeature(ManyMemories, "module.uses_several_memories")
	}
}

// needMemory checks that the module has a memory.
func (s *source) needMemory(r *reader) {
	if s.memories == 0 {
		r.failMalformed(message.New("module.no_memory"))
	}
}

func (s *source) readCode(r *reader, n uint32) {
	for r.next(&n) {
		size := r.u32()
		b := body{start: r.pos}
		r.skip(uint64(size))
		b.end = r.pos
		s.bodies = append(s.bodies, b)
	}
}
