package meter

import "errand/planner/message"

// The height of the operand stack is an estimate. It determines how much of the
// machine's stack a frame uses during a call. A wrong estimate is harmless, because the
// runtime has its own limit.

// effects are the changes of the stack height by one-byte opcodes, if they depend neither on a
// type nor on a block.
var effects = func() (t [256]int8) {
	set := func(n int8, from, to int) {
		for ; from <= to; from++ {
			t[from] = n
		}
	}
	set(-1, opBrIf, opBrTable)
	set(-1, opDrop, opDrop)
	set(-2, opSelect, opTypedSelect)
	set(1, opLocalGet, opLocalGet)
	set(-1, opLocalSet, opLocalSet)
	set(1, opGlobalGet, opGlobalGet)
	set(-1, opGlobalSet, opGlobalSet)
	set(-2, opTableSet, opTableSet)
	set(-2, 0x36, 0x3e) // stores
	set(1, opMemorySize, opMemorySize)
	set(1, opI32Const, 0x44)
	set(-1, 0x46, 0x4f) // comparisons of i32
	set(-1, 0x51, 0x66) // of the rest
	set(-1, 0x6a, 0x78) // arithmetic of i32
	set(-1, 0x7c, 0x8a) // of i64
	set(-1, 0x92, 0x98) // of f32
	set(-1, 0xa0, 0xa6) // of f64
	set(1, opRefNull, opRefNull)
	set(1, opRefFunc, opRefFunc)
	return t
}()

// simdEffects are the changes of the stack height by vector instructions.
var simdEffects = func() (t [256]int8) {
	set := func(n int8, from, to int) {
		for ; from <= to; from++ {
			t[from] = n
		}
	}
	set(-1, 13, 255) // most take two
	set(0, 0, 10)    // loads
	set(-2, 11, 11)  // v128.store
	set(1, 12, 12)   // v128.const
	set(0, 15, 20)   // splat
	set(-2, 82, 82)  // bitselect
	set(-2, 88, 91)  // store_lane
	set(0, 92, 95)   // load_zero, conversions
	set(0, 248, 255) // conversions
	set(0, 124, 127) // extadd_pairwise
	for _, op := range []int{21, 22, 24, 25, 27, 29, 31, 33, 77, 83, 96, 97, 98, 99, 100, 103, 104, 105, 106, 116, 117, 122, 128, 129, 131, 132, 135, 136, 137, 138, 148, 160, 161, 163, 164, 167, 168, 169, 170, 192, 193, 195, 196, 199, 200, 201, 202, 224, 225, 227, 236, 237, 239} {
		t[op] = 0 // take one
	}
	return t
}()

// push changes the height of the operand stack.
func (s *scanner) push(n int) {
	top := &s.frames[len(s.frames)-1]
	s.height = max(s.height+n, top.base) // dead code has no operands
	s.highest = max(s.highest, s.height)
}

// open begins a block.
func (s *scanner) open(op byte, kind signature) {
	if len(s.frames) > maxBlocks {
		s.r.fail(ErrForbidden, message.New("module.too_many_nested_blocks", "limit", maxBlocks))
	}
	s.effort.instruct(perValue, len(kind.params)+len(kind.results))
	base := max(s.height-len(kind.params), s.frames[len(s.frames)-1].base)
	s.frames = append(s.frames, frame{loop: noLoop, op: op, base: base, kind: kind})
}

// close ends the innermost block.
func (s *scanner) close() {
	top := s.frames[len(s.frames)-1]
	s.frames = s.frames[:len(s.frames)-1]
	s.height = top.base
	if len(s.frames) > 0 {
		s.push(len(top.kind.results))
	}
}
