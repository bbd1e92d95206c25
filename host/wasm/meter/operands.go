package meter

import (
	"fmt"

	"errand/planner/message"
)

// blockType reads the type of a block.
func (s *scanner) blockType() signature {
	r := s.r
	at := r.pos
	switch t := r.s33(); {
	case r.err != nil:
	case t >= 0:
		if t < int64(len(s.types)) {
			return s.types[t]
		}
		r.pos = at
		r.failMalformed(message.New("module.bad_type_index", "index", t, "count", len(s.types)))
	case t == -64: // neither takes nor leaves a value
	default:
		r.pos = at
		r.valueType()
		return signature{results: r.b[at:r.pos]}
	}
	return signature{}
}

// immediate reads operands that refer to nothing in the module.
func (s *scanner) immediate(o operand) {
	r := s.r
	switch o {
	case memArg, memArgLane:
		s.needMemory(r)
		r.u32() // alignment
		r.u32() // offset
		if o == memArgLane {
			r.byte()
		}
	case lane:
		r.byte()
	case number32:
		r.skipSigned(5)
	case number64:
		r.skipSigned(10)
	case bytes4:
		r.skip(4)
	case bytes8:
		r.skip(8)
	case bytes16:
		r.skip(16)
	}
}

// misc reads an instruction with the prefix opMisc.
func (s *scanner) misc() {
	r := s.r
	data := func() {
		if s.datas < 0 {
			r.failMalformed(message.New("module.data_count_missing"))
		}
		r.index("data_segment", s.datas)
	}
	memory := func() {
		s.needMemory(r)
		r.zero()
	}
	table := func() {
		s.addReason("module.writes_table")
		r.index("table", s.tables)
	}
	switch op := r.u32(); {
	case op < miscMemoryInit:
	case op == miscTableSize:
		s.push(1)
		r.index("table", s.tables)
	case op == miscMemoryInit:
		data()
		memory()
		s.bulk(evInit)
		s.push(-3)
	case op == miscDataDrop:
		data()
		s.addReason("module.drops_data")
	case op == miscMemoryCopy:
		memory()
		memory()
		s.bulk(evCopy)
		s.push(-3)
	case op == miscMemoryFill:
		memory()
		s.bulk(evFill)
		s.push(-3)
	case op == miscTableInit:
		r.index("element_segment", s.elements)
		table()
		s.bulk(evEntries)
		s.push(-3)
	case op == miscElemDrop:
		r.index("element_segment", s.elements)
		s.addReason("module.drops_elements")
	case op == miscTableCopy:
		table()
		table()
		s.bulk(evEntries)
		s.push(-3)
	case op == miscTableGrow, op == miscTableFill:
		table()
		s.bulk(evEntries)
		if s.push(-1); op == miscTableFill {
			s.push(-2)
		}
	default:
		r.failMalformed(message.New("module.unknown_prefixed_instruction", "instruction", fmt.Sprintf("%#x", op)))
	}
}

// simd reads a vector instruction. Its opcode is a LEB128 number. wazero reads only the first
// byte and takes a second byte, 1, for a nop. Therefore any other encoding of the number is
// refused.
func (s *scanner) simd() {
	r := s.r
	op := r.byte()
	if op >= 0x80 && r.byte() != 1 {
		r.rejectFeature(RelaxedSIMD, "module.uses_relaxed_simd")
	}
	s.push(int(simdEffects[op]))
	if o := simdOperands[op]; o != noOperand {
		s.immediate(o)
	}
}
