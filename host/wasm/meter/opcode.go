package meter

// Opcodes of control, calls, memory and tables. The others only compute values.
const (
	opUnreachable = 0x00
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrIf        = 0x0d
	opBrTable     = 0x0e
	opReturn      = 0x0f
	opCall        = 0x10
	opIndirect    = 0x11
	opTailCall    = 0x12
	opTailTable   = 0x13
	opDrop        = 0x1a
	opSelect      = 0x1b
	opTypedSelect = 0x1c
	opLocalGet    = 0x20
	opLocalSet    = 0x21
	opLocalTee    = 0x22
	opGlobalGet   = 0x23
	opGlobalSet   = 0x24
	opTableSet    = 0x26
	opMemorySize  = 0x3f
	opMemoryGrow  = 0x40
	opI32Const    = 0x41
	opI64Const    = 0x42
	opI64LtS      = 0x53
	opI64Add      = 0x7c
	opI64Sub      = 0x7d
	opI64Or       = 0x84
	opRefNull     = 0xd0
	opRefFunc     = 0xd2
	opMisc        = 0xfc
	opSIMD        = 0xfd
)

// operand is the kind of immediate operands after an opcode.
type operand byte

const (
	unknown   operand = iota
	noOperand         // nothing
	special           // read by a case of its own
	later             // of a proposal that isn't supported
	blockType
	label
	localIndex
	globalIndex
	tableIndex
	memArg
	memArgLane // and the index of a lane
	lane
	number32 // signed LEB128
	number64
	bytes4
	bytes8
	bytes16
)

// operands are the immediate operands of one-byte opcodes.
var operands = func() (t [256]operand) {
	set := func(from, to int, o operand) {
		for ; from <= to; from++ {
			t[from] = o
		}
	}
	set(0x00, 0x01, noOperand)  // unreachable, nop
	set(0x02, 0x04, blockType)  // block, loop, if
	set(0x05, 0x05, special)    // else
	set(0x06, 0x0a, later)      // try, catch, throw, rethrow, throw_ref
	set(0x0b, 0x0b, special)    // end
	set(0x0c, 0x0d, label)      // br, br_if
	set(0x0e, 0x13, special)    // br_table, return, calls
	set(0x14, 0x15, later)      // call_ref, return_call_ref
	set(0x18, 0x19, later)      // delegate, catch_all
	set(0x1a, 0x1b, noOperand)  // drop, select
	set(0x1c, 0x1c, special)    // select with a type
	set(0x1f, 0x1f, later)      // try_table
	set(0x20, 0x22, localIndex) // local.get, set, tee
	set(0x23, 0x24, globalIndex)
	set(0x25, 0x26, tableIndex) // table.get, set
	set(0x28, 0x3e, memArg)     // loads and stores
	set(0x3f, 0x40, special)    // memory.size, grow
	set(0x41, 0x41, number32)
	set(0x42, 0x42, number64)
	set(0x43, 0x43, bytes4)
	set(0x44, 0x44, bytes8)
	set(0x45, 0xc4, noOperand) // comparisons, arithmetic, conversions
	set(0xd0, 0xd0, special)   // ref.null
	set(0xd1, 0xd1, noOperand) // ref.is_null
	set(0xd2, 0xd2, special)   // ref.func
	set(0xd3, 0xd6, later)     // ref.eq, ref.as_non_null, br_on_null, br_on_non_null
	set(0xfb, 0xfb, later)     // garbage collection
	set(0xfc, 0xfd, special)
	set(0xfe, 0xfe, later) // threads
	return t
}()

// simdOperands are the immediate operands of the vector opcodes below 256. Only relaxed opcodes
// are above. The compiler refuses unassigned opcodes.
var simdOperands = func() (t [256]operand) {
	set := func(from, to int, o operand) {
		for ; from <= to; from++ {
			t[from] = o
		}
	}
	set(0, 255, noOperand)
	set(0, 11, memArg)      // loads and v128.store
	set(12, 13, bytes16)    // v128.const, i8x16.shuffle
	set(21, 34, lane)       // extract_lane, replace_lane
	set(84, 91, memArgLane) // load_lane, store_lane
	set(92, 93, memArg)     // load_zero
	return t
}()

// Opcodes after the prefix opMisc. Those below are conversions without operands.
const (
	miscMemoryInit = 8 + iota
	miscDataDrop
	miscMemoryCopy
	miscMemoryFill
	miscTableInit
	miscElemDrop
	miscTableCopy
	miscTableGrow
	miscTableSize
	miscTableFill
)
