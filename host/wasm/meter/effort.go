package meter

import (
	"time"

	"errand/planner/message"
)

// Limits on constructs for which the compiler needs much time or memory. Some of
// its passes visit all blocks of a function for each block, so a function of a few
// kilobytes can take minutes and gigabytes. The estimates are the worst measured
// cases. Real modules of eight toolchains reach an eighth of the limit on blocks
// and a twentieth of the others.
const (
	maxBody    = 2 << 20 // bytes of a function, each about 150 of memory while it is compiled
	maxMade    = 40_000  // blocks that become of a function
	maxLabels  = 1 << 16 // of the br_tables of a function, each about 3 KB of memory
	maxCarried = 4 << 20 // of a function, blocks times the local variables carried between them, each about 200 bytes
	maxEffort  = 60e9    // nanoseconds that compiling a module may take by the estimate, on one processor
)

// Nanoseconds for each function, and for each of a function's …
const (
	perFunction = 15_000
	perByte     = 500  // bytes
	perBlocks   = 4.0  // squared blocks
	perLabels   = 0.2  // squared labels
	perCarried  = 1200 // blocks times carried local variables
)

// effort estimates what compiling a function takes.
type effort struct {
	blocks  int
	labels  int
	carried int     // local variables that are read in another block than they were written in
	block   int32   // that is being read
	written []int32 // by local variable, the block in which it was, and isCarried
	total   float64 // of the functions so far, in nanoseconds
}

const isCarried = -1

func (e *effort) begin(locals int) {
	e.blocks, e.labels, e.carried, e.block = 1, 0, 0, 1
	if cap(e.written) < locals {
		e.written = make([]int32, locals)
	}
	e.written = e.written[:locals]
	clear(e.written) // 0: before the first block
}

// reach counts the blocks that an instruction makes the compiler begin. A loop's
// check is a branch of ours.
func (e *effort) reach(op byte) {
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

// local notes that a local variable is read or written.
func (e *effort) local(op byte, n uint32) {
	switch at := &e.written[n]; {
	case *at == isCarried:
	case op != opLocalGet:
		*at = e.block
	case *at != e.block:
		*at = isCarried
		e.carried++
	}
}

// exceeded refuses a function that would take too much.
func (s *scanner) exceeded() {
	e := &s.effort
	switch {
	case e.blocks > maxMade:
		s.r.fail(ErrComplex, message.New("module.too_many_blocks_made", "function", s.index, "limit", maxMade))
	case e.labels > maxLabels:
		s.r.fail(ErrComplex, message.New("module.too_many_labels", "function", s.index, "limit", maxLabels))
	case e.carried*e.blocks > maxCarried:
		s.r.fail(ErrComplex, message.New("module.too_many_carried", "function", s.index, "limit", maxCarried))
	}
}

// add adds the function to what the module takes.
func (s *scanner) add() {
	e := &s.effort
	blocks, labels := float64(e.blocks), float64(e.labels)
	e.total += perFunction + perByte*float64(s.f.body.end-s.f.body.start)
	e.total += perBlocks*blocks*blocks + perLabels*labels*labels + perCarried*blocks*float64(e.carried)
	if e.total > maxEffort {
		s.r.fail(ErrComplex, message.New("module.too_much_effort", "function", s.index, "limit", time.Duration(maxEffort)))
	}
}
