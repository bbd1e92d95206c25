package meter

// chunkSize is the number of bytes that a bulk operation moves between two checks, in about ten
// microseconds.
const chunkSize = 256 << 10

// Units of fuel for operations that move data or leave the machine code.
const (
	byteShift = 3    // 8 bytes for a unit
	pageCost  = 1024 // a page of 64 KiB that is added to a memory

	// exitCost is the cost of leaving machine code, also if the operation fails: growing a full
	// memory or table takes as long as hundreds of instructions.
	exitCost = 512
)

const (
	opI32Eq     = 0x46
	opI32GtU    = 0x4b
	opI32LeU    = 0x4d
	opI64GtU    = 0x56
	opI32Add    = 0x6a
	opI32Sub    = 0x6b
	opI64Mul    = 0x7e
	opI64ShrS   = 0x87
	opI64ShrU   = 0x88
	opI64Shl    = 0x86
	opI32WrapI  = 0xa7
	opI64Extend = 0xad // i64.extend_i32_u
)

// body returns a helper's body, without its size.
func (h helper) body(a *addedIndices) []byte {
	var c code
	switch h {
	case helpCheck:
		c.op(0)
		if a.recursive {
			c.negative(a.stack)
			c.op(opIf, emptyBlock)
			c.i64(TooDeep)
			c.opIndex(opCall, a.yield)
			c.op(opDrop, opUnreachable, opEnd)
		}
		c.opIndex(opGlobalGet, a.fuel)
		c.opIndex(opCall, a.yield)
		c.opIndex(opGlobalSet, a.fuel)
	case helpFill:
		c.op(0)
		c.bulk(a, []uint32{0}, func() { c.op(opMisc, miscMemoryFill, 0) })
	case helpCopy:
		c.op(0)
		c.bulk(a, []uint32{0, 1}, func() { c.op(opMisc, miscMemoryCopy, 0, 0) })
	case helpGrow:
		c.grow(a)
	case helpBytes:
		c.op(0)
		c.pay(a, 0, byteShift, 0)
		c.opIndex(opLocalGet, 0)
	case helpEntries:
		c.op(0)
		c.pay(a, 0, 0, exitCost)
		c.opIndex(opLocalGet, 0)
	case helpPages:
		c.op(0)
		c.change(a.fuel, -exitCost)
		c.payPages(a)
		c.opIndex(opLocalGet, 0)
	}
	c.op(opEnd)
	return c
}

// pay subtracts base units and one unit for each 1<<shift of an i32 local variable. Then it
// checks the fuel.
func (c *code) pay(a *addedIndices, local uint32, shift, base int64) {
	c.opIndex(opGlobalGet, a.fuel)
	c.opIndex(opLocalGet, local)
	c.op(opI64Extend)
	c.i64(shift)
	c.op(opI64ShrU)
	if base != 0 {
		c.i64(base)
		c.op(opI64Add)
	}
	c.op(opI64Sub)
	c.opIndex(opGlobalSet, a.fuel)
	c.negative(a.fuel)
	c.check(a)
}

// payPages subtracts the cost of as many pages as local 0 says, up to the largest memory:
// growing by more fails.
func (c *code) payPages(a *addedIndices) {
	c.opIndex(opGlobalGet, a.fuel)
	c.opIndex(opLocalGet, 0)
	c.i32(1 << 16)
	c.opIndex(opLocalGet, 0)
	c.i32(1 << 16)
	c.op(opI32LeU, opSelect) // local 0, up to the maximum
	c.op(opI64Extend)
	c.i64(pageCost)
	c.op(opI64Mul, opI64Sub)
	c.opIndex(opGlobalSet, a.fuel)
	c.negative(a.fuel)
	c.check(a)
}

// bulkSize is the index of the parameter of [code.bulk] that has the number of bytes.
const bulkSize = 2

// bulk writes an operation on n bytes of memory in pieces, with a check before each. n is the
// last of three parameters. The first parameter, and those in ends, are addresses. Like the
// instruction, an operation out of bounds traps before it writes anything.
func (c *code) bulk(a *addedIndices, ends []uint32, do func()) {
	args := func() {
		for i := range uint32(3) {
			c.opIndex(opLocalGet, i)
		}
	}
	// if n <= piece: a single operation
	c.opIndex(opLocalGet, bulkSize)
	c.i32(chunkSize)
	c.op(opI32LeU, opIf, emptyBlock)
	c.pay(a, bulkSize, byteShift, 0)
	args()
	do()
	c.op(opReturn, opEnd)
	// if any end is beyond the memory: let the instruction trap
	for _, at := range ends {
		c.opIndex(opLocalGet, at)
		c.op(opI64Extend)
		c.opIndex(opLocalGet, bulkSize)
		c.op(opI64Extend, opI64Add)
		c.op(opMemorySize, 0, opI64Extend)
		c.i64(16)
		c.op(opI64Shl, opI64GtU, opIf, emptyBlock)
		args()
		do()
		c.op(opUnreachable, opEnd)
	}
	if len(ends) == 2 {
		// Pieces must not overwrite what is still to be copied.
		c.opIndex(opLocalGet, 0)
		c.opIndex(opLocalGet, 1)
		c.op(opI32GtU, opIf, emptyBlock)
		c.pieces(a, ends, do, true)
		c.op(opElse)
		c.pieces(a, ends, do, false)
		c.op(opEnd)
	} else {
		c.pieces(a, ends, do, false)
	}
	c.pay(a, bulkSize, byteShift, 0)
	args()
	do()
}

// pieces writes the loop of [code.bulk] over all pieces but the last, from the start or from
// the end.
func (c *code) pieces(a *addedIndices, ends []uint32, do func(), backward bool) {
	step := func(op byte, local uint32) {
		c.opIndex(opLocalGet, local)
		c.i32(chunkSize)
		c.op(op)
		c.opIndex(opLocalSet, local)
	}
	c.op(opLoop, emptyBlock)
	c.change(a.fuel, -chunkSize>>byteShift)
	c.negative(a.fuel)
	c.check(a)
	if backward {
		step(opI32Sub, bulkSize)
		for i := range uint32(2) {
			c.opIndex(opLocalGet, i)
			c.opIndex(opLocalGet, bulkSize)
			c.op(opI32Add)
		}
		c.i32(chunkSize)
		do()
	} else {
		c.opIndex(opLocalGet, 0)
		c.opIndex(opLocalGet, 1)
		c.i32(chunkSize)
		do()
		for _, at := range ends {
			step(opI32Add, at)
		}
		step(opI32Sub, bulkSize)
	}
	c.opIndex(opLocalGet, bulkSize)
	c.i32(chunkSize)
	c.op(opI32GtU)
	c.opIndex(opBrIf, 0)
	c.op(opEnd)
}

// grow writes memory.grow for the size that the guest sees. If the real memory is larger since
// before a reset, its pages are used first.
func (c *code) grow(a *addedIndices) {
	const pages, want, old = 0, 1, 2 // parameter i32; locals i64 and i32
	c.op(2, 1, I64, 1, I32)
	// Charged even if the real memory does not grow, because the fuel used must not tell a new
	// instance from a reset one.
	c.change(a.fuel, -exitCost)
	c.negative(a.fuel)
	c.check(a)
	c.opIndex(opLocalGet, pages)
	c.op(opI64Extend)
	c.opIndex(opGlobalGet, a.pages)
	c.opIndex(opLocalTee, old)
	c.op(opI64Extend, opI64Add)
	c.opIndex(opLocalTee, want)
	c.op(opMemorySize, 0, opI64Extend, opI64GtU, opIf, emptyBlock)
	{
		c.opIndex(opLocalGet, want)
		c.i64(1 << 16)
		c.op(opI64GtU, opIf, emptyBlock)
		c.i32(-1)
		c.op(opReturn, opEnd)
		c.opIndex(opLocalGet, want)
		c.op(opI32WrapI, opMemorySize, 0, opI32Sub, opMemoryGrow, 0)
		c.i32(-1)
		c.op(opI32Eq, opIf, emptyBlock)
		c.i32(-1)
		c.op(opReturn, opEnd)
	}
	c.op(opEnd)
	c.opIndex(opLocalGet, want)
	c.op(opI32WrapI)
	c.opIndex(opGlobalSet, a.pages)
	c.payPages(a)
	c.opIndex(opLocalGet, old)
}
