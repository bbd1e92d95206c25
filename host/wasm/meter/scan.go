package meter

// function is what one pass over a body finds out about it.
type function struct {
	typ    uint32
	body   body
	code   int // where its instructions begin
	locals uint64

	cost   int64 // units of the instructions outside of loops
	bytes  int64 // of machine stack that one frame takes, estimated
	events [2]int
	loops  bool
	heavy  bool  // it has an instruction whose time has no bound, or calls by a table
	charge int64 // what a caller of an elided function pays for it
	leaves bool  // a branch goes to the function's own label
	header bool  // it runs straight into a loop, whose check can stand for its own

	// Filled by the call graph:
	elided    bool // it checks nothing: its callers pay for it
	recursive bool // it can be on the stack twice
}

// loop is a loop of some function's.
type loop struct {
	parent int32 // the loop around it, or none
	cost   int64 // units of its instructions outside of the loops in it
	params bool  // it takes values from the stack
	frame  uint32
}

// none stands for the absence of a loop.
const none = int32(-1)

// event is an instruction that the rewriter has to know of.
type event struct {
	pos, end uint32 // of the instruction
	arg      uint32
	frame    uint32 // how many blocks of the function are open around it
	loop     int32  // the innermost loop that it is in, or none
	kind     eventKind
}

type eventKind byte

const (
	evCall      eventKind = iota // arg: function
	evTailCall                   // arg: function
	evTable                      // arg: type of a call by a table
	evTailTable                  // the same in tail position
	evRef                        // arg: function that a reference is made to
	evLoop                       // arg: loop
	evLoopEnd                    // arg: loop
	evBranch                     // arg: label
	evSwitch                     // br_table
	evReturn
	evSize // memory.size
	evGrow
	evFill
	evCopy
	evInit    // memory.init
	evEntries // table.init, copy, grow and fill
)

// Units that an instruction costs above the one that any does.
const (
	callCost  = 3
	tableCost = 5
)

// scanner reads function bodies.
type scanner struct {
	*source
	events []event
	loops  []loop
	frames []frame
}

// frame is an open block.
type frame struct {
	loop int32 // that the block is, or none
	op   byte
}

func (s *scanner) function(index int) function {
	f := function{typ: s.funcs[int(s.imported)+index], body: s.bodies[index]}
	r := &reader{b: s.code[:f.body.end], pos: f.body.start}
	params := s.types[f.typ].params
	f.locals = uint64(len(params))
	f.bytes = frameBytes + slotBytes*int64(len(params))
	for n := r.u32(); r.more(&n); {
		count := r.u32()
		if f.locals += uint64(count); f.locals > maxLocals {
			r.fail(ErrForbidden, "a function has more than the %d local variables allowed", maxLocals)
		}
		slot := int64(slotBytes)
		if r.valueType() == v128 {
			slot *= 2
		}
		f.bytes += slot * int64(count)
	}
	f.code = r.pos
	f.events[0] = len(s.events)
	if r.err == nil {
		s.scan(r, &f)
	}
	f.events[1] = len(s.events)
	s.err = r.err
	return f
}

func (s *scanner) scan(r *reader, f *function) {
	s.frames = append(s.frames[:0], frame{loop: none, op: opBlock})
	inner := none    // innermost loop
	straight := true // nothing so far could lead elsewhere
	for r.err == nil && len(s.frames) > 0 {
		pos := r.pos
		op := r.byte()
		cost := int64(1)
		note := func(kind eventKind, arg uint32) {
			s.events = append(s.events, event{pos: uint32(pos), end: uint32(r.pos), arg: arg, frame: uint32(len(s.frames) - 1), loop: inner, kind: kind})
		}
		bulk := func(kind eventKind) {
			note(kind, 0)
			f.heavy = true
		}
		call := func(kind eventKind, index uint32, extra int64) {
			note(kind, index)
			cost += extra
		}
		switch operands[op] {
		case plain:
		case blockType:
			params := s.blockType(r)
			s.frames = append(s.frames, frame{loop: none, op: op})
			if op == opLoop && r.err == nil {
				id := int32(len(s.loops))
				note(evLoop, uint32(id))
				s.loops = append(s.loops, loop{parent: inner, cost: 1, params: params, frame: uint32(len(s.frames) - 1)})
				s.frames[len(s.frames)-1].loop = id
				inner = id
				f.loops = true
				f.header = f.header || straight && !params
			}
		case label:
			n := r.index("label", len(s.frames))
			note(evBranch, n)
			f.leaves = f.leaves || int(n) == len(s.frames)-1
		case localIndex:
			r.index("local variable", int(f.locals))
		case globalIndex:
			r.index("global", len(s.globals))
		case tableIndex:
			r.index("table", s.tables)
			if op == 0x26 {
				s.hold("it writes to a table")
			}
		case later:
			r.pos--
			r.fail(ErrUnsupported, "it uses instruction %#x of a proposal that isn't supported", op)
		case unknown:
			r.pos--
			r.malformed("there is no instruction %#x", op)
		case special:
			switch op {
			case opElse:
				top := &s.frames[len(s.frames)-1]
				if top.op != opIf {
					r.malformed("an else without an if")
				}
				top.op = opElse
			case opEnd:
				top := s.frames[len(s.frames)-1]
				if top.loop != none {
					note(evLoopEnd, uint32(top.loop))
					inner = s.loops[top.loop].parent
				}
				s.frames = s.frames[:len(s.frames)-1]
			case opBrTable:
				for n := uint64(r.u32()) + 1; n > 0 && r.err == nil; n-- {
					f.leaves = r.index("label", len(s.frames)) == uint32(len(s.frames)-1) || f.leaves
				}
				note(evSwitch, 0)
			case opReturn:
				note(evReturn, 0)
			case opCall:
				call(evCall, r.index("function", len(s.funcs)), callCost)
			case opTailCall:
				call(evTailCall, r.index("function", len(s.funcs)), callCost)
			case opIndirect, opTailTable:
				t := r.index("type", len(s.types))
				r.index("table", s.tables)
				kind := evTable
				if op == opTailTable {
					kind = evTailTable
				}
				call(kind, t, tableCost)
				f.heavy = true
			case 0x1c: // select with a type
				if r.byte() != 1 {
					r.malformed("a select of other than one type")
				}
				r.valueType()
			case opRefNull:
				r.refType()
			case opRefFunc:
				n := r.index("function", len(s.funcs))
				note(evRef, n)
				if r.err == nil {
					s.taken[n] = true
				}
			case opMemorySize, opMemoryGrow:
				r.zero()
				s.needMemory(r)
				if op == opMemorySize {
					note(evSize, 0)
				} else {
					bulk(evGrow)
				}
			case opMisc:
				s.misc(r, bulk)
			case opSIMD:
				s.simd(r)
			}
		default:
			s.immediate(r, operands[op])
		}
		switch op {
		case opLoop, opIf, opEnd, opBr, opBrIf, opBrTable, opReturn, opUnreachable, opCall, opIndirect, opTailCall, opTailTable, opMemoryGrow, opMisc:
			straight = false
		}
		switch {
		case op == opEnd, op == opElse, op == opBlock, op == opLoop: // no work
		case inner != none:
			s.loops[inner].cost += cost
		default:
			f.cost += cost
		}
	}
	if r.err == nil && r.left() > 0 {
		r.malformed("a function goes on after its end")
	}
}

// blockType reads the type of a block and says whether it takes values.
func (s *scanner) blockType(r *reader) (params bool) {
	at := r.pos
	switch t := r.s33(); {
	case r.err != nil:
	case t >= 0:
		if t < int64(len(s.types)) {
			return len(s.types[t].params) > 0
		}
		r.pos = at
		r.malformed("it names type %d of %d", t, len(s.types))
	case t == -64: // neither takes nor leaves a value
	default:
		r.pos = at
		r.valueType()
	}
	return false
}

// immediate reads operands that name nothing.
func (s *scanner) immediate(r *reader, o operand) {
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
		r.signed(5)
	case number64:
		r.signed(10)
	case bytes4:
		r.skip(4)
	case bytes8:
		r.skip(8)
	case bytes16:
		r.skip(16)
	}
}

func (s *scanner) misc(r *reader, bulk func(eventKind)) {
	data := func() {
		if s.datas < 0 {
			r.malformed("it uses data segments and does not announce how many there are")
		}
		r.index("data segment", s.datas)
	}
	memory := func() {
		s.needMemory(r)
		r.zero()
	}
	table := func() {
		s.hold("it writes to a table")
		r.index("table", s.tables)
	}
	switch op := r.u32(); {
	case op < miscMemoryInit:
	case op == miscMemoryInit:
		data()
		memory()
		bulk(evInit)
	case op == miscDataDrop:
		data()
		s.hold("it drops a data segment")
	case op == miscMemoryCopy:
		memory()
		memory()
		bulk(evCopy)
	case op == miscMemoryFill:
		memory()
		bulk(evFill)
	case op == miscTableInit:
		r.index("element segment", s.elements)
		table()
		bulk(evEntries)
	case op == miscElemDrop:
		r.index("element segment", s.elements)
		s.hold("it drops an element segment")
	case op == miscTableCopy:
		table()
		table()
		bulk(evEntries)
	case op == miscTableGrow, op == miscTableFill:
		table()
		bulk(evEntries)
	case op == miscTableSize:
		r.index("table", s.tables)
	default:
		r.malformed("there is no instruction 0xfc %#x", op)
	}
}

// simd reads a vector instruction. Its opcode is a LEB128 number, of which
// wazero reads one byte and takes the second, 1, for a nop: any other way to
// write the number is refused.
func (s *scanner) simd(r *reader) {
	op := r.byte()
	if op >= 0x80 && r.byte() != 1 {
		r.fail(ErrUnsupported, "it uses a vector instruction beyond those of WebAssembly 2.0")
	}
	if o := simdOperands[op]; o != plain {
		s.immediate(r, o)
	}
}
