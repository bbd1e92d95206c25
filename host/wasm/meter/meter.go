package meter

import (
	"errors"
	"math"

	"errand/planner/message"
)

// Version is part of any key under which what [Rewrite] answers is cached. It
// changes with the result of rewriting any module.
const Version = "3"

// The function that a rewritten module imports after all of its own, of type
// (i64) -> (i64). No module may import from YieldModule of its own accord.
const (
	YieldModule = "errand:meter"
	YieldName   = "yield"
)

// TooDeep is what yield is called with when calls are nested deeper than
// [Options].Stack allows. Should yield return, the guest traps. The fuel global
// may not be exact any more then.
const TooDeep int64 = math.MinInt64

// Options bound what a rewritten module can do. The zero value is what plugins
// get. They are part of any key under which the result is cached.
type Options struct {
	// Table is the most entries that a table of the module may have, 0 for
	// [DefaultTable]. A table is host memory that no memory limit counts.
	Table uint32
	// Stack bounds how deep calls of functions that can take part in a
	// recursion may nest, in bytes of estimated machine stack, 0 for
	// [DefaultStack]. It is at most 1 GiB.
	Stack uint32
	// Effort raises the bounds on what compiling the module may take, by this
	// factor; 0 means 1. It does not change the result.
	Effort int
}

// Defaults of [Options].
const (
	DefaultTable = 1 << 20 // entries: a thousand times what compilers emit
	DefaultStack = 8 << 20 // bytes: twice what encoding/json takes at the 10,000 levels it allows
)

// Module is a rewritten module and what its host needs to know of it. It must
// not be changed.
type Module struct {
	// Code is the module to compile. The same module and options make the same
	// bytes.
	Code []byte
	// Fuel is the name under which the mutable i64 global with the fuel left is
	// exported. It starts at 0.
	Fuel string
	// Stack is the name of the mutable i64 global with the bytes of call stack
	// left, empty where no function can call itself, directly or by others. It
	// is as it was whenever a call has ended without a trap.
	Stack string
	// Pages is the name of the mutable i32 global with the memory's size as the
	// guest sees it, in pages of 64 KiB; empty where the module has no memory of
	// its own. The memory may be bigger, never smaller.
	Pages string
	// Globals are all mutable globals of the module's own whose values a host can
	// read and write, with Pages and without Fuel and Stack: what a snapshot
	// needs beside the memory.
	Globals []Global
	// NewInstanceReasons says why an instance can't be brought back to an earlier state; it is
	// empty where it can.
	NewInstanceReasons []message.Message

	shift shift
}

// Global is a mutable global of a module, exported so that a host can save it.
type Global struct {
	Name string // under which it is exported
	Type byte   // I32, I64, F32 or F64, as wazero's api.ValueType has them
}

// Value types, by their code in the binary format.
const (
	I32 byte = 0x7f
	I64 byte = 0x7e
	F32 byte = 0x7d
	F64 byte = 0x7c

	v128      byte = 0x7b
	funcref   byte = 0x70
	externref byte = 0x6f
)

// Resettable says whether memory and Globals are all the state that an
// instance has.
func (m *Module) Resettable() bool { return len(m.NewInstanceReasons) == 0 }

// OriginalFunc answers the index that a function of the rewritten module had
// before; ok is false for one that was added.
func (m *Module) OriginalFunc(index uint32) (original uint32, ok bool) {
	return m.shift.originalIndex(index)
}

// Kinds of an [Error].
var (
	// ErrMalformed means that the module is invalid and can't run anywhere.
	ErrMalformed = errors.New("malformed module")
	// ErrUnsupported is a module that may be valid, and uses what the rewriter
	// does not know (threads, exceptions, several memories, …): the error's Feature.
	ErrUnsupported = errors.New("unsupported module")
	// ErrForbidden is a module that must not be run at all: it names what is the
	// host's, or its tables start out bigger than allowed.
	ErrForbidden = errors.New("forbidden module")
	// ErrComplex is a module that would take its compiler too long or too much
	// memory, for a function of it or in all.
	ErrComplex = errors.New("module too complex")
)

// Error says what is wrong with a module, and where.
type Error struct {
	Kind   error // ErrMalformed, ErrUnsupported, ErrForbidden or ErrComplex
	Offset int   // of the module's bytes, near which it was found
	Reason message.Message
	// Feature is what an ErrUnsupported lacks.
	Feature Feature
}

func (e *Error) Error() string { return e.AsMessage().String() }

// AsMessage is the reason with the place.
func (e *Error) AsMessage() message.Message {
	return message.New("module.at_byte", "fault", e.Reason, "offset", e.Offset)
}

// Unwrap answers the kind, for errors.Is.
func (e *Error) Unwrap() error { return e.Kind }

// Rewrite answers code metered. The error is an [*Error]. It takes time and
// memory linear in len(code), keeps nothing of code, and may be called from
// several goroutines.
func Rewrite(code []byte, o Options) (*Module, error) {
	if o.Table == 0 {
		o.Table = DefaultTable
	}
	if o.Stack == 0 {
		o.Stack = DefaultStack
	}
	src, err := read(code, o)
	if err != nil {
		return nil, err
	}
	s := &scanner{source: src}
	funcs := make([]function, len(s.bodies))
	for i := range funcs {
		if funcs[i] = s.function(i); s.err != nil {
			return nil, s.err
		}
	}
	classify(s, funcs).chargeCalls()
	w := &writer{scanner: s, added: add(s, funcs)}
	return w.module(funcs), nil
}

// shift tells the functions of a module before from those after rewriting.
type shift struct {
	imported uint32 // before; the next index is yield's
	defined  uint32 // before; helpers come after
}

func (s shift) originalIndex(index uint32) (uint32, bool) {
	switch {
	case index < s.imported:
		return index, true
	case index == s.imported || index-1 >= s.imported+s.defined:
		return 0, false
	}
	return index - 1, true
}
