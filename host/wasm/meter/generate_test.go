package meter_test

import "encoding/binary"

// generator makes a valid module from any bytes, which are its choices. After the last byte it
// takes the simplest choice. Every module ends: each loop has a counter, and each function takes
// a step from a global.
type generator struct {
	choices []byte
	out     []byte // of the function being made
	locals  []byte // types of the locals beyond the parameter
	labels  []byte // kinds of the labels around, the outermost first
	funcs   int
	left    int // instructions that may still be made, about
}

// Kinds of labels.
const (
	plainLabel  = iota // takes no value
	valueLabel         // takes an i32
	closedLabel        // no branch goes there
)

// Types of the generated module, by index.
const (
	genEntry    = iota // () -> i32
	genFunction        // (i32) -> i32
	genLoop            // (i32) -> i32, of a loop with a parameter
	genPair            // () -> (i32, i32)
)

const (
	gi32 = 0x7f
	gi64 = 0x7e
)

// generate returns a module that exports its functions as "f0", "f1", …, its memory and its
// globals.
func generate(choices []byte) []byte {
	g := &generator{choices: choices, left: 2000}
	g.funcs = 2 + g.choose(6)
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, contents []byte) {
		out = append(out, id)
		out = append(binary.AppendUvarint(out, uint64(len(contents))), contents...)
	}
	section(1, []byte("\x04\x60\x00\x01\x7f\x60\x01\x7f\x01\x7f\x60\x01\x7f\x01\x7f\x60\x00\x02\x7f\x7f"))
	// Function 2n is called from outside and sets the steps that 2n+1 may take.
	kinds := []byte{byte(2 * g.funcs)}
	for range g.funcs {
		kinds = append(kinds, genEntry, genFunction)
	}
	section(3, kinds)
	section(4, []byte{1, 0x70, 0, 8})
	section(5, []byte{1, 1, byte(1 + g.choose(2)), byte(4 + g.choose(20))})
	section(6, []byte("\x03\x7f\x01\x41\x07\x0b\x7e\x01\x42\x09\x0b\x7f\x01\x41\x00\x0b"))
	exports := []byte{byte(g.funcs + 4)}
	for i := range g.funcs {
		exports = append(exports, 2, 'f', '0'+byte(i), 0, byte(2*i))
	}
	exports = append(exports, "\x06memory\x02\x00\x02g0\x03\x00\x02g1\x03\x01\x02g2\x03\x02"...)
	section(7, exports)
	elements := []byte{1, 0, 0x41, 0, 0x0b, 8}
	for i := range 8 {
		elements = append(elements, byte(2*(i%g.funcs)+1))
	}
	section(9, elements)
	section(12, []byte{1})
	code := []byte{byte(2 * g.funcs)}
	for i := range g.funcs {
		entry := []byte{0, 0x41, 60, 0x24, 2, 0x41, byte(g.choose(64)), 0x10, byte(2*i + 1), 0x0b}
		body := g.function()
		for _, b := range [][]byte{entry, body} {
			code = append(binary.AppendUvarint(code, uint64(len(b))), b...)
		}
	}
	section(10, code)
	section(11, []byte("\x01\x01\x10abcdefghijklmnop"))
	return out
}

// choose returns a number below n.
func (g *generator) choose(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := g.choices[0]
	g.choices = g.choices[1:]
	return int(c) % n
}

func (g *generator) op(ops ...byte) { g.out = append(g.out, ops...) }

func (g *generator) constant(n int32) {
	g.op(0x41)
	for {
		c := byte(n & 0x7f)
		if n >>= 7; n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0 {
			g.op(c)
			return
		}
		g.op(c | 0x80)
	}
}

func (g *generator) function() []byte {
	g.out, g.labels = nil, []byte{valueLabel}
	g.locals = []byte{gi32, gi64, gi32}
	// One step less, or the end.
	g.op(0x23, 2, 0x45, 0x04, 0x40, 0x20, 0, 0x0f, 0x0b)
	g.op(0x23, 2, 0x41, 1, 0x6b, 0x24, 2)
	for range 1 + g.choose(5) {
		g.statement(4)
	}
	g.expression(3)
	g.op(0x0b)
	body := []byte{byte(len(g.locals))}
	for _, l := range g.locals {
		body = append(body, 1, l)
	}
	return append(body, g.out...)
}

// local returns a parameter or local variable of type i32.
func (g *generator) local() byte { return []byte{0, 1, 3}[g.choose(3)] }

func (g *generator) statements(depth int) {
	for range 1 + g.choose(3) {
		g.statement(depth)
	}
}

// statement writes code that pops and pushes nothing.
func (g *generator) statement(depth int) {
	if g.left -= 5; depth <= 0 || g.left < 0 {
		g.op(0x01)
		return
	}
	depth--
	switch g.choose(22) {
	case 0:
		g.expression(depth)
		g.op(0x21, g.local())
	case 1:
		g.expression(depth)
		g.op(0x24, 0)
	case 2:
		g.wide(depth)
		g.op(0x24, 1)
	case 3:
		g.wide(depth)
		g.op(0x21, 2)
	case 4:
		g.address(depth)
		g.expression(depth)
		g.op(0x36, 2, byte(g.choose(100)))
	case 5: // block
		g.op(0x02, 0x40)
		g.labels = append(g.labels, plainLabel)
		g.statements(depth)
		g.close()
	case 6, 7, 8:
		g.loop(depth)
	case 9: // if, perhaps with an else
		g.expression(depth)
		g.op(0x04, 0x40)
		g.labels = append(g.labels, plainLabel)
		g.statements(depth)
		if g.choose(2) == 1 {
			g.op(0x05)
			g.statements(depth)
		}
		g.close()
	case 10: // br_if
		switch to := g.choose(len(g.labels)); g.labels[len(g.labels)-1-to] {
		case plainLabel:
			g.expression(depth)
			g.op(0x0d, byte(to))
		case valueLabel:
			g.expression(depth)
			g.expression(depth)
			g.op(0x0d, byte(to), 0x1a)
		}
	case 11: // br_table out of a block of its own
		g.op(0x02, 0x40)
		g.labels = append(g.labels, plainLabel)
		var plain []byte
		for to := range g.labels {
			if g.labels[len(g.labels)-1-to] == plainLabel {
				plain = append(plain, byte(to))
			}
		}
		g.expression(depth)
		n := g.choose(6)
		g.op(0x0e, byte(n))
		for range n + 1 {
			g.op(plain[g.choose(len(plain))])
		}
		g.close()
	case 12:
		g.expression(depth)
		g.op(0x10, byte(2*g.choose(g.funcs)+1), 0x1a)
	case 13:
		g.expression(depth)
		g.expression(depth)
		g.constant(7)
		g.op(0x71, 0x11, genFunction, 0, 0x1a)
	case 14: // memory.fill
		g.address(depth)
		g.expression(depth)
		g.size(depth)
		g.op(0xfc, 11, 0)
	case 15: // memory.copy
		g.address(depth)
		g.address(depth)
		g.size(depth)
		g.op(0xfc, 10, 0, 0)
	case 16: // memory.init
		g.address(depth)
		g.constant(int32(g.choose(18)))
		g.constant(int32(g.choose(18)))
		g.op(0xfc, 8, 0, 0)
	case 17: // memory.grow
		g.constant(int32(g.choose(4)))
		g.op(0x40, 0, 0x1a)
	case 18: // return
		g.expression(depth)
		g.op(0x04, 0x40)
		g.labels = append(g.labels, closedLabel)
		g.expression(depth)
		g.op(0x0f)
		g.close()
	case 19: // return_call, by name or by the table
		g.expression(depth)
		g.op(0x04, 0x40)
		g.labels = append(g.labels, closedLabel)
		g.expression(depth)
		if g.choose(2) == 0 {
			g.op(0x12, byte(2*g.choose(g.funcs)+1))
		} else {
			g.constant(int32(g.choose(9)))
			g.op(0x13, genFunction, 0)
		}
		g.close()
	case 20: // a loop that takes and leaves a value
		counter := g.counter()
		g.expression(depth)
		g.op(0x03, genLoop)
		g.labels = append(g.labels, closedLabel)
		g.expression(depth)
		g.op(0x6a, 0x20, counter, 0x41, 1, 0x6b, 0x22, counter, 0x0d, 0)
		g.close()
		g.op(0x21, g.local())
	case 21: // a block that leaves two
		g.op(0x02, genPair)
		g.labels = append(g.labels, closedLabel)
		g.statements(depth)
		g.expression(depth)
		g.expression(depth)
		g.close()
		g.op(0x6b, 0x24, 0)
	}
}

func (g *generator) close() {
	g.op(0x0b)
	g.labels = g.labels[:len(g.labels)-1]
}

// counter sets a new local variable to a small number.
func (g *generator) counter() byte {
	g.locals = append(g.locals, gi32)
	counter := byte(len(g.locals))
	g.constant(int32(1 + g.choose(5)))
	g.op(0x21, counter)
	return counter
}

// loop writes a loop with a few iterations. It can branch back from anywhere inside it.
func (g *generator) loop(depth int) {
	counter := g.counter()
	g.op(0x02, 0x40)
	g.labels = append(g.labels, plainLabel)
	g.op(0x03, 0x40)
	g.labels = append(g.labels, plainLabel)
	g.op(0x20, counter, 0x45, 0x0d, 1, 0x20, counter, 0x41, 1, 0x6b, 0x21, counter)
	g.statements(depth)
	g.op(0x0c, 0)
	g.close()
	g.close()
}

// address pushes an address that is usually in bounds.
func (g *generator) address(depth int) {
	g.expression(depth)
	if g.choose(20) != 7 {
		g.constant(0xff80)
		g.op(0x71)
	}
}

// size pushes the size of a bulk operation: small, or several pieces.
func (g *generator) size(depth int) {
	switch g.choose(6) {
	case 0:
		g.constant(int32(256<<10 + g.choose(3) - 1))
	case 1:
		g.constant(700_000)
	default:
		g.expression(depth)
		g.constant(0x7f)
		g.op(0x71)
	}
}

// expression pushes an i32.
func (g *generator) expression(depth int) {
	if g.left--; depth <= 0 || g.left < 0 {
		if g.choose(2) == 0 {
			g.constant(int32(g.choose(256)) - 60)
		} else {
			g.op(0x20, g.local())
		}
		return
	}
	depth--
	switch g.choose(14) {
	case 0:
		g.constant(int32(g.choose(256)) << g.choose(24))
	case 1, 2:
		g.op(0x20, g.local())
	case 3:
		g.op(0x23, 0)
	case 4, 5:
		g.expression(depth)
		g.expression(depth)
		g.op([]byte{0x6a, 0x6b, 0x6c, 0x71, 0x72, 0x73, 0x74, 0x76, 0x78, 0x48, 0x4b, 0x46}[g.choose(12)])
	case 6: // a division traps on zero
		g.expression(depth)
		g.expression(depth)
		if g.choose(8) != 3 {
			g.op(0x41, 1, 0x72)
		}
		g.op(0x6e)
	case 7:
		g.address(depth)
		g.op(0x28, 2, byte(g.choose(100)))
	case 8:
		g.op(0x3f, 0)
	case 9:
		g.expression(depth)
		g.op(0x10, byte(2*g.choose(g.funcs)+1))
	case 10: // if with a value
		g.expression(depth)
		g.op(0x04, gi32)
		g.labels = append(g.labels, valueLabel)
		g.expression(depth)
		g.op(0x05)
		g.expression(depth)
		g.close()
	case 11: // loop with a value, around once
		g.op(0x03, gi32)
		g.labels = append(g.labels, closedLabel)
		g.statement(depth)
		g.expression(depth)
		g.close()
	case 12:
		g.wide(depth)
		g.op(0xa7)
	case 13:
		g.expression(depth)
		g.expression(depth)
		g.expression(depth)
		g.op(0x1b)
	}
}

// wide pushes an i64.
func (g *generator) wide(depth int) {
	switch g.choose(4) {
	case 0:
		g.op(0x42, byte(g.choose(64)))
	case 1:
		g.op(0x20, 2)
	case 2:
		g.op(0x23, 1)
	case 3:
		g.expression(depth)
		g.op(0xad, 0x20, 2, 0x7c)
	}
}
