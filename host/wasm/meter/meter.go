package meter

import (
	"errors"
	"math"

	"errand/planner/message"
)

// Version identifies the rewriting rules. It changes whenever [Rewrite] returns something else
// for any module. Make it a part of the key of each cache of rewritten modules.
const Version = "3"

// YieldModule and YieldName name the function that a rewritten module imports after all other
// imports. Its type is (i64) -> (i64). A module that itself imports from YieldModule is
// refused.
const (
	YieldModule = "errand:meter"
	YieldName   = "yield"
)

// TooDeep is the argument of yield if calls are nested deeper than [Options].Stack allows. If
// yield returns, the guest traps, and the fuel global may no longer be exact.
const TooDeep int64 = math.MinInt64

// Options limit a rewritten module. The zero value has the limits of plugins. Make the options
// a part of the key of each cache of rewritten modules.
type Options struct {
	// Table is the maximum number of entries of a table, 0 for [DefaultTable]. Tables use
	// memory of the host that no memory limit counts.
	Table uint32
	// Stack limits the call stack of functions that can be part of a recursion, in bytes of
	// estimated machine stack: at most 1 GiB, 0 for [DefaultStack].
	Stack uint32
	// Effort multiplies the limits of compilation; 0 means 1. It does not change the result.
	Effort int
}

// Defaults of [Options].
const (
	DefaultTable = 1 << 20 // entries: a thousand times what compilers emit
	DefaultStack = 8 << 20 // bytes: twice what encoding/json takes at the 10,000 levels it allows
)

// Module is a rewritten module with what its host needs to know about it. It must not be
// changed.
type Module struct {
	// Code is the module to compile. The same module and options give the same bytes.
	Code []byte
	// Fuel is the export name of the mutable i64 global that holds the remaining fuel. It
	// starts at 0.
	Fuel string
	// Stack is the export name of the mutable i64 global that holds the remaining bytes of call
	// stack. It is empty if no function is recursive. A call that ends without a trap leaves
	// the global unchanged.
	Stack string
	// Pages is the export name of the mutable i32 global that holds the memory's size as the
	// guest sees it, in pages of 64 KiB. The real memory may be bigger, never smaller. The name
	// is empty if the module defines no memory.
	Pages string
	// Globals are the mutable globals that a snapshot has to save besides the memory. They
	// include Pages, but not Fuel and Stack.
	Globals []Global
	// NewInstanceReasons lists why an instance can't be reset to an earlier state. It is empty
	// if it can.
	NewInstanceReasons []message.Message

	shift shift
}

// Global is a mutable global of a module, exported so that a host can save it.
type Global struct {
	Name string // under which it is exported
	Type byte   // I32, I64, F32 or F64, as wazero's api.ValueType has them
}

// Value types, by their codes in the binary format.
const (
	I32 byte = 0x7f
	I64 byte = 0x7e
	F32 byte = 0x7d
	F64 byte = 0x7c

	v128      byte = 0x7b
	funcref   byte = 0x70
	externref byte = 0x6f
)

// Resettable reports whether memory and Globals are the whole state of an instance.
func (m *Module) Resettable() bool { return len(m.NewInstanceReasons) == 0 }

// OriginalFunc returns the index in the original module of a function of the rewritten module.
// ok is false for a function that the rewriter added.
func (m *Module) OriginalFunc(index uint32) (original uint32, ok bool) {
	return m.shift.originalIndex(index)
}

// Kinds of an [Error].
var (
	// ErrMalformed means that the module is invalid and can't run anywhere.
	ErrMalformed = errors.New("malformed module")
	// ErrUnsupported means that the module uses a feature that the rewriter does not know, such
	// as threads, exceptions or several memories. [Error].Feature names it. The module may be
	// valid.
	ErrUnsupported = errors.New("unsupported module")
	// ErrForbidden means that the module must not run: it uses a name that is reserved for the
	// host, or its tables start bigger than allowed.
	ErrForbidden = errors.New("forbidden module")
	// ErrComplex means that compiling the module, or one of its functions, would take too much
	// time or memory.
	ErrComplex = errors.New("module too complex")
)

// Error describes an error in a module and its place.
type Error struct {
	Kind   error // ErrMalformed, ErrUnsupported, ErrForbidden or ErrComplex
	Offset int   // of the module's bytes, near which it was found
	Reason message.Message
	// Feature is the unknown feature of an ErrUnsupported.
	Feature Feature
}

func (e *Error) Error() string { return e.AsMessage().String() }

// AsMessage returns the reason with the place.
func (e *Error) AsMessage() message.Message {
	return message.New("module.at_byte", "fault", e.Reason, "offset", e.Offset)
}

// Unwrap returns the kind, for errors.Is.
func (e *Error) Unwrap() error { return e.Kind }

// Rewrite adds metering to a module. Its errors are [*Error]. Time and memory are linear in
// len(code). It does not keep code and is safe for concurrent use.
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

// shift maps function indices before the rewriting to those after it.
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
