package meter

// code is a sequence of encoded instructions.
type code []byte

func (c *code) op(ops ...byte) { *c = append(*c, ops...) }

func (c *code) opIndex(op byte, index uint32) { *c = uvarint(append(*c, op), index) }

func (c *code) i32(n int32) { *c = svarint(append(*c, opI32Const), int64(n)) }

func (c *code) i64(n int64) { *c = svarint(append(*c, opI64Const), n) }

// change adds n to an i64 global.
func (c *code) change(global uint32, n int64) {
	c.opIndex(opGlobalGet, global)
	if n < 0 {
		c.i64(-n)
		c.op(opI64Sub)
	} else {
		c.i64(n)
		c.op(opI64Add)
	}
	c.opIndex(opGlobalSet, global)
}

// negative pushes whether an i64 global is below zero.
func (c *code) negative(global uint32) {
	c.opIndex(opGlobalGet, global)
	c.i64(0)
	c.op(opI64LtS)
}

// check pops a condition and, if it is true, asks the host for more fuel.
func (c *code) check(a *addedIndices) {
	c.op(opIf, emptyBlock)
	c.opIndex(opCall, a.helpers[helpCheck])
	c.op(opEnd)
}

// emptyBlock is the type of a block without parameters and results.
const emptyBlock = 0x40
