package meter

import (
	"fmt"

	"errand/planner/message"
)

// scanner reads function bodies and collects what the rewriter needs.
type scanner struct {
	*source
	events []event
	loops  []loop

	// The current function:
	index           int // among all, the imported ones first
	r               *reader
	f               *function
	frames          []frame
	inner           int32 // innermost loop
	height, highest int   // of the operand stack
	straight        bool  // no instruction so far could branch

	// The current instruction:
	pos  int
	cost int64
}

// frame is an open block.
type frame struct {
	loop int32 // that the block is, or none
	op   byte
	base int // height of the operand stack below it
	kind signature
}

// values returns the number of values that a branch to the block passes.
func (f *frame) values() int {
	if f.op == opLoop {
		return len(f.kind.params)
	}
	return len(f.kind.results)
}

func (s *scanner) function(index int) function {
	f := function{typ: s.funcs[int(s.imported)+index], body: s.bodies[index]}
	s.f, s.r = &f, &reader{b: s.code[:f.body.end], pos: f.body.start}
	s.index = int(s.imported) + index
	if size := f.body.end - f.body.start; size > s.effort.limit(maxBody) {
		s.r.fail(ErrComplex, message.New("module.function_too_long", "function", s.index, "size", size, "limit", s.effort.limit(maxBody)))
	}
	s.readLocals()
	f.code = s.r.pos
	f.events[0] = len(s.events)
	if s.r.err == nil {
		s.effort.begin(int(f.locals))
		s.instructions()
		s.checkEffort()
		s.add()
	}
	f.events[1] = len(s.events)
	f.bytes += slotBytes * int64(s.highest)
	s.err = s.r.err
	return f
}

func (s *scanner) readLocals() {
	r, f := s.r, s.f
	params := s.types[f.typ].params
	f.locals = uint64(len(params))
	f.bytes = frameBytes + slotBytes*int64(len(params))
	for n := r.u32(); r.next(&n); {
		count := r.u32()
		if f.locals += uint64(count); f.locals > maxLocals {
			r.fail(ErrForbidden, message.New("module.too_many_locals", "limit", maxLocals))
		}
		slot := int64(slotBytes)
		if r.valueType() == v128 {
			slot *= 2
		}
		f.bytes += slot * int64(count)
	}
}

func (s *scanner) instructions() {
	s.frames = append(s.frames[:0], frame{loop: noLoop, op: opBlock, kind: signature{results: s.types[s.f.typ].results}})
	s.inner, s.straight = noLoop, true
	s.height, s.highest = 0, 0
	for s.r.err == nil && len(s.frames) > 0 && len(s.events) <= s.effort.limit(maxEvents) {
		s.pos, s.cost = s.r.pos, 1
		op := s.r.byte()
		s.push(int(effects[op]))
		s.instruction(op)
		s.charge(op)
		if c := instructionCosts[op]; c.time > 0 {
			s.effort.instruct(c, 1)
		}
	}
	if len(s.events) > s.effort.limit(maxEvents) {
		s.r.fail(ErrForbidden, message.New("module.too_many_events", "limit", s.effort.limit(maxEvents)))
	}
	if s.r.err == nil && s.r.remaining() > 0 {
		s.r.failMalformed(message.New("module.function_goes_on"))
	}
}

// charge adds the cost of the instruction to its region.
func (s *scanner) charge(op byte) {
	switch op {
	case opEnd, opElse, opBlock, opLoop: // no work
		return
	}
	if s.inner != noLoop {
		s.loops[s.inner].cost += s.cost
	} else {
		s.f.cost += s.cost
	}
}

// note records the instruction, at whose end the reader is.
func (s *scanner) note(kind eventKind, arg uint32) {
	s.events = append(s.events, event{
		pos: uint32(s.pos), end: uint32(s.r.pos), arg: arg,
		frame: uint32(len(s.frames) - 1), loop: s.inner, kind: kind,
	})
}

// bulk records an instruction whose time depends on an operand.
func (s *scanner) bulk(kind eventKind) {
	s.note(kind, 0)
	s.f.heavy = true
	s.straight = false
}

func (s *scanner) instruction(op byte) {
	r := s.r
	switch o := operands[op]; o {
	case noOperand:
		s.straight = s.straight && op != opUnreachable
	case unknown:
		r.pos--
		r.failMalformed(message.New("module.unknown_instruction", "instruction", fmt.Sprintf("%#x", op)))
	case later:
		r.pos--
		r.rejectFeature(laterInstruction(op))
	case localIndex:
		if n := r.index("local_variable", int(s.f.locals)); r.err == nil {
			s.effort.local(op, n)
		}
	case globalIndex:
		r.index("global", len(s.globals))
	case tableIndex:
		r.index("table", s.tables)
		if op == opTableSet {
			s.addReason("module.writes_table")
		}
	case special:
		s.special(op)
	case blockType, label:
		s.control(op)
	default:
		s.immediate(o)
	}
}

// control reads a branch, or an instruction that begins or ends a block.
func (s *scanner) control(op byte) {
	r, f := s.r, s.f
	if s.effort.addBlocks(op); s.effort.blocks > s.effort.limit(maxMade) {
		s.checkEffort()
		return
	}
	switch op {
	case opBlock:
		s.open(op, s.blockType())
		return // continues with the next instruction
	case opIf:
		kind := s.blockType()
		s.push(-1)
		s.open(op, kind)
	case opLoop:
		kind := s.blockType()
		s.open(op, kind)
		if r.err != nil {
			return
		}
		id := int32(len(s.loops))
		s.note(evLoop, uint32(id))
		params := len(kind.params) > 0
		s.loops = append(s.loops, loop{parent: s.inner, cost: 1, params: params, frame: uint32(len(s.frames) - 1)})
		s.frames[len(s.frames)-1].loop = id
		s.inner = id
		f.loops++
		f.header = f.header || s.straight && !params
	case opElse:
		top := &s.frames[len(s.frames)-1]
		if top.op != opIf {
			r.failMalformed(message.New("module.else_without_if"))
		}
		top.op = opElse
		s.height = top.base + len(top.kind.params)
	case opEnd:
		if l := s.frames[len(s.frames)-1].loop; l != noLoop {
			s.note(evLoopEnd, uint32(l))
			s.inner = s.loops[l].parent
		}
		s.close()
	case opBr, opBrIf:
		s.note(evBranch, s.label())
	case opBrTable:
		for n := uint64(r.u32()) + 1; n > 0 && r.err == nil; n-- {
			s.label()
			if s.effort.labels++; s.effort.labels > s.effort.limit(maxLabels) {
				s.checkEffort()
			}
		}
		s.note(evSwitch, 0)
	case opReturn:
		s.note(evReturn, 0)
	}
	s.straight = false
}

func (s *scanner) label() uint32 {
	n := s.r.index("label", len(s.frames))
	s.f.leaves = s.f.leaves || int(n) == len(s.frames)-1
	if s.r.err == nil {
		values := s.frames[len(s.frames)-1-int(n)].values()
		s.effort.instruct(perValue, values)
	}
	return n
}

// call records a call of a function of the type.
func (s *scanner) call(kind eventKind, arg, typ uint32, cost int64) {
	s.note(kind, arg)
	s.cost += cost
	s.straight = false
	s.effort.instruct(perValue, len(s.types[typ].params)+len(s.types[typ].results))
	s.push(-len(s.types[typ].params))
	s.push(len(s.types[typ].results))
}

// special reads an instruction that needs its own handling.
func (s *scanner) special(op byte) {
	r := s.r
	switch op {
	case opElse, opEnd, opBrTable, opReturn:
		s.control(op)
	case opCall, opTailCall:
		kind, cost := evCall, int64(callCost)
		if op == opTailCall {
			kind = evTailCall
		}
		n := r.index("function", len(s.funcs))
		if n < s.imported {
			cost = importCost
		}
		if r.err == nil {
			s.call(kind, n, s.funcs[n], cost)
		}
	case opIndirect, opTailTable:
		kind := evTable
		if op == opTailTable {
			kind = evTailTable
		}
		n := r.index("type", len(s.types))
		r.index("table", s.tables)
		s.push(-1)
		s.f.heavy = true
		if r.err == nil {
			s.call(kind, n, n, tableCost)
		}
	case opTypedSelect:
		if r.byte() != 1 {
			r.failMalformed(message.New("module.bad_select"))
		}
		r.valueType()
	case opRefNull:
		r.refType()
	case opRefFunc:
		n := r.index("function", len(s.funcs))
		s.note(evRef, n)
		s.cost += refCost
		if r.err == nil {
			s.referenced[n] = true
		}
	case opMemorySize:
		r.zero()
		s.needMemory(r)
		s.note(evSize, 0)
	case opMemoryGrow:
		r.zero()
		s.needMemory(r)
		s.bulk(evGrow)
	case opMisc:
		s.misc()
	case opSIMD:
		s.simd()
	}
}
