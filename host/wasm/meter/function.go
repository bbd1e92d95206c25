package meter

// function holds the results of one pass over a body.
type function struct {
	typ    uint32
	body   body
	code   int // where its instructions begin
	locals uint64

	cost   int64 // units of the instructions outside of loops
	bytes  int64 // estimated bytes of machine stack for one frame
	events [2]int
	loops  int
	heavy  bool  // it has an instruction with unbounded time, or an indirect call
	charge int64 // the cost that a caller of an elided function pays for it
	leaves bool  // a branch goes to the function's own label
	header bool  // it begins with a loop, whose check can replace its own

	// Set by the call graph:
	elided    bool // it checks nothing: its callers pay for it
	recursive bool // it can be on the stack twice
}

// loop is a loop in a function.
type loop struct {
	parent int32 // the loop around it, or none
	cost   int64 // units of its instructions outside of the loops in it
	params bool  // it takes values from the stack
	frame  uint32
}

// noLoop means that there is no loop.
const noLoop = int32(-1)

// event is an instruction that the rewriter has to change or to count.
type event struct {
	pos, end uint32 // of the instruction
	arg      uint32
	frame    uint32 // number of open blocks of the function around it
	loop     int32  // the innermost loop around it, or none
	kind     eventKind
}

type eventKind byte

const (
	evCall      eventKind = iota // arg: function
	evTailCall                   // arg: function
	evTable                      // arg: type of an indirect call
	evTailTable                  // the same in tail position
	evRef                        // arg: function whose reference is taken
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

// Units of fuel that an instruction costs in addition to the one that each costs.
const (
	callCost   = 3
	tableCost  = 5
	importCost = 31 // a call to the host, which leaves machine code
	refCost    = 63 // ref.func does too
)
