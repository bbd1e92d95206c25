package meter

import (
	"time"

	"errand/planner/message"
)

// Limits on the cost of compiling a module, each multiplied by [Options].Effort. Some
// passes of the compiler visit all blocks of a function for each block, so a function
// of a few kilobytes can take minutes and gigabytes. The estimates are the worst
// measured cases. Real modules of eight toolchains reach an eighth of the limit on
// blocks and a twentieth of the others.
const (
	maxBody    = 2 << 20 // bytes of a function
	maxMade    = 40_000  // compiled blocks of a function
	maxLabels  = 1 << 16 // of the br_tables of a function, with the values that they pass
	maxCarried = 4 << 20 // of a function, blocks times the local variables live between them
	maxTime    = 60e9    // nanoseconds of one processor for a module
	maxMemory  = 2 << 30 // bytes at the peak for a module
)

// cost estimates a part of a compilation: processor time in nanoseconds, and memory at the peak
// in bytes.
type cost struct{ time, memory float64 }

// Costs of the entries of sections, with their instantiation.
var (
	perByte     = cost{10, 8} // of the module
	perType     = cost{1500, 700}
	perImport   = cost{5000, 2500}
	perFunction = cost{15_000, 1500}
	perLocal    = cost{150, 150} // of a function
	perTable    = cost{1000, 500}
	perGlobal   = cost{2000, 700}
	perExport   = cost{1500, 500}
	perSegment  = cost{500, 300}
	perElement  = cost{400, 260} // entry of an element segment
	perCode     = cost{150, 75}  // byte of a function
	perValue    = cost{400, 250} // parameter or result of a call, block or branch
)

// Costs that grow with the square or product of the numbers of a function's blocks, labels and
// local variables. They use memory only while the function is compiled.
const (
	perBlocks  = 4.0 // nanoseconds for each pair of blocks
	perLabels  = 0.2 // nanoseconds for each pair of labels
	perCarried = 1200
	labelBytes = 3000
	carryBytes = 200

	// whileCompiled is the memory for a function's instructions while it is compiled, with
	// what is not yet collected, as a multiple of their cost.
	whileCompiled = 4.0
)

// MaxCompiled is the number of functions that a host may compile at the same time, by the
// estimate of memory.
const MaxCompiled = 4

// instructionCosts are the costs of instructions in addition to their bytes.
var instructionCosts = func() (t [256]cost) {
	set := func(from, to int, c cost) {
		for ; from <= to; from++ {
			t[from] = c
		}
	}
	access, trap := cost{8000, 1000}, cost{5000, 1500}
	set(0x25, 0x26, access) // table.get, set
	set(0x28, 0x3e, access) // loads and stores
	set(opCall, opCall, cost{1500, 400})
	set(opTailCall, opTailCall, cost{1500, 400})
	set(opIndirect, opIndirect, cost{23_000, 3300})
	set(opTailTable, opTailTable, cost{23_000, 3300})
	set(opMemoryGrow, opMemoryGrow, cost{3000, 700})
	set(opRefFunc, opRefFunc, cost{2000, 500})
	set(0x6d, 0x70, trap) // i32.div and rem
	set(0x7f, 0x82, trap) // i64.div and rem
	set(0xa8, 0xab, trap) // i32.trunc
	set(0xae, 0xb1, trap) // i64.trunc
	set(opMisc, opMisc, access)
	set(opSIMD, opSIMD, access)
	return t
}()

// effort estimates the cost of compiling a function.
type effort struct {
	blocks          int
	labels          int
	crossBlockReads int     // reads of local variables in another block than the last write
	block           int32   // the current block
	writtenIn       []int32 // by local variable, the block of the last write, and isCarried

	total        cost                 // of everything read so far
	instructions float64              // memory for the instructions of the current function
	spikes       [MaxCompiled]float64 // memory while a function is compiled, of the functions with most of it
	factor       float64              // of the limits
}

const isCarried = -1

func (e *effort) begin(locals int) {
	e.blocks, e.labels, e.crossBlockReads, e.block, e.instructions = 1, 0, 0, 1, 0
	if cap(e.writtenIn) < locals {
		e.writtenIn = make([]int32, locals)
	}
	e.writtenIn = e.writtenIn[:locals]
	clear(e.writtenIn) // 0: before the first block
}

// spend adds n times a cost.
func (e *effort) spend(c cost, n int) {
	e.total.time += c.time * float64(n)
	e.total.memory += c.memory * float64(n)
}

// instruct adds n times a cost of the current function's instructions.
func (e *effort) instruct(c cost, n int) {
	e.spend(c, n)
	e.instructions += c.memory * float64(n)
}

// limit returns a limit multiplied by the factor.
func (e *effort) limit(n int) int { return int(min(e.factor*float64(n), 1<<30)) }

// excess returns the resource of which the module needs too much, or zero. function is
// the index of the last function, negative before the first one.
func (e *effort) excess(function int) message.Message {
	switch {
	case e.total.time > maxTime*e.factor && function < 0:
		return message.New("module.too_much_time", "limit", time.Duration(maxTime*e.factor))
	case e.total.time > maxTime*e.factor:
		return message.New("module.too_much_effort", "function", function, "limit", time.Duration(maxTime*e.factor))
	case e.total.memory+e.sumSpikes() > maxMemory*e.factor:
		return message.New("module.too_much_memory", "limit", int64(maxMemory*e.factor))
	}
	return message.Message{}
}

// addSpike notes the memory that a function takes while it is compiled.
func (e *effort) addSpike(memory float64) {
	least := 0
	for i, s := range e.spikes {
		if s < e.spikes[least] {
			least = i
		}
	}
	e.spikes[least] = max(e.spikes[least], memory)
}

// sumSpikes returns the memory of the functions that may be compiled at the same time.
func (e *effort) sumSpikes() (sum float64) {
	for _, s := range e.spikes {
		sum += s
	}
	return sum
}

// addBlocks counts the blocks that the compiler begins for an instruction. For a loop this
// includes the branch of the added check.
func (e *effort) addBlocks(op byte) {
	e.block++
	switch op {
	case opLoop:
		e.blocks += 5
	case opBrIf:
		e.blocks += 2
	default:
		e.blocks++
	}
}

// local counts an access to a local variable.
func (e *effort) local(op byte, n uint32) {
	switch at := &e.writtenIn[n]; {
	case *at == isCarried:
	case op != opLocalGet:
		*at = e.block
	case *at != e.block:
		*at = isCarried
		e.crossBlockReads++
	}
}

// checkEffort fails if compiling the function would take too much time or memory.
func (s *scanner) checkEffort() {
	e := &s.effort
	switch {
	case e.blocks > e.limit(maxMade):
		s.r.fail(ErrComplex, message.New("module.too_many_blocks_made", "function", s.index, "limit", e.limit(maxMade)))
	case e.labels > e.limit(maxLabels):
		s.r.fail(ErrComplex, message.New("module.too_many_labels", "function", s.index, "limit", e.limit(maxLabels)))
	case e.crossBlockReads*e.blocks > e.limit(maxCarried):
		s.r.fail(ErrComplex, message.New("module.too_many_carried", "function", s.index, "limit", e.limit(maxCarried)))
	}
}

// add adds the function's cost to that of the module.
func (s *scanner) add() {
	e := &s.effort
	blocks, labels, carried := float64(e.blocks), float64(e.labels), float64(e.crossBlockReads)
	e.spend(perFunction, 1)
	e.spend(perCode, s.f.body.end-s.f.body.start)
	e.spend(perLocal, int(s.f.locals))
	e.total.time += perBlocks*blocks*blocks + perLabels*labels*labels + perCarried*blocks*carried
	e.addSpike(labelBytes*labels + carryBytes*blocks*carried + whileCompiled*e.instructions)
	if m := e.excess(s.index); !m.IsZero() {
		s.r.fail(ErrComplex, m)
	}
}
