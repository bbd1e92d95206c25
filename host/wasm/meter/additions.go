package meter

// exportPrefix is the prefix of every name that the rewriter exports. A module that exports a
// name with this prefix is refused.
const exportPrefix = YieldModule + "."

// Names of the additions, in exports and in the name section.
const (
	fuelName  = exportPrefix + "fuel"
	stackName = exportPrefix + "stack"
	pagesName = exportPrefix + "pages"
	globalOf  = exportPrefix + "global." // and the global's index
)

// The size of a frame of machine code is estimated from the function's local variables: most
// are spilled to it around calls.
const (
	frameBytes = 64 // return address, callee-saved registers
	slotBytes  = 8
)

// addedIndices are the indices of the additions. Each is the next free index of its kind. The
// exception is yield: it follows the imported functions and increases the indices of all other
// functions by one.
type addedIndices struct {
	yield uint32
	fuel  uint32 // globals
	stack uint32
	pages uint32

	recursive bool // some function can be on the stack twice: there is a stack global
	owned     bool // there is a memory of the module's own: there is a pages global

	helpers [helpers]uint32 // function indices; 0 for one that isn't needed
	types   []signature
	typeAt  uint32
	typeIDs map[string]uint32
}

// helper is a function that the rewriter adds.
type helper int

const (
	helpCheck   helper = iota // () -> (): asks the host for more fuel
	helpFill                  // (at, value, n i32) -> (): memory.fill in pieces
	helpCopy                  // (to, from, n i32) -> (): memory.copy in pieces
	helpGrow                  // (pages i32) -> (i32): memory.grow of the size that the guest sees
	helpBytes                 // (n i32) -> (i32): charges for n bytes and answers n
	helpEntries               // the same for entries of a table
	helpPages                 // the same for pages of a memory that isn't the module's own
	helpers
)

var helperNames = [helpers]string{"check", "fill", "copy", "grow", "bytes", "entries", "pages"}

var helperTypes = [helpers]signature{
	helpFill:    {params: []byte{I32, I32, I32}},
	helpCopy:    {params: []byte{I32, I32, I32}},
	helpGrow:    {params: []byte{I32}, results: []byte{I32}},
	helpBytes:   {params: []byte{I32}, results: []byte{I32}},
	helpEntries: {params: []byte{I32}, results: []byte{I32}},
	helpPages:   {params: []byte{I32}, results: []byte{I32}},
}

var yieldType = signature{params: []byte{I64}, results: []byte{I64}}

// add decides which additions the module needs.
func add(s *scanner, funcs []function) *addedIndices {
	a := &addedIndices{
		yield:  s.imported,
		typeAt: uint32(len(s.types)),
		fuel:   uint32(len(s.globals)),
		owned:  s.memories > 0 && !s.importedMemory,

		typeIDs: map[string]uint32{},
	}
	next := a.fuel + 1
	for i := range funcs {
		a.recursive = a.recursive || funcs[i].recursive
	}
	if a.recursive {
		a.stack = next
		next++
	}
	if a.owned {
		a.pages = next
	}
	need := [helpers]bool{helpCheck: true}
	for i := range s.events {
		switch s.events[i].kind {
		case evFill:
			need[helpFill] = true
		case evCopy:
			need[helpCopy] = true
		case evGrow:
			if a.owned {
				need[helpGrow] = true
			} else {
				need[helpPages] = true
			}
		case evInit:
			need[helpBytes] = true
		case evEntries:
			need[helpEntries] = true
		}
	}
	index := uint32(len(s.funcs)) + 1
	for h, needed := range need {
		if needed {
			a.helpers[h] = index
			index++
		}
	}
	return a
}

// typeOf returns the index of a function type. It adds the type if needed.
func (a *addedIndices) typeOf(t signature) uint32 {
	id, ok := a.typeIDs[t.key()]
	if !ok {
		id = a.typeAt + uint32(len(a.types))
		a.types = append(a.types, t)
		a.typeIDs[t.key()] = id
	}
	return id
}
