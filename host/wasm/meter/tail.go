package meter

// Registers for parameters and results on the processor that has the fewest. The compiler turns
// a tail call that needs more into a nested call: see wazero's internal/engine/RATIONALE.md.
const (
	tailWords  = 6 // of i32, i64 and references
	tailFloats = 8 // of f32, f64 and vectors
)

// usesStack reports whether a tail call uses the machine's stack.
func (t signature) usesStack() bool { return exceedsRegisters(t.params) || exceedsRegisters(t.results) }

func exceedsRegisters(values []byte) bool {
	words, floats := 0, 0
	for _, c := range values {
		switch c {
		case F32, F64, v128:
			floats++
		default:
			words++
		}
	}
	return words > tailWords || floats > tailFloats
}

// tail writes a tail call. One that the compiler would nest is written as a call and a return,
// so that its call stack is counted.
func (w *writer) tail(f *function, e *event) {
	direct := e.kind == evTailCall
	callee := e.arg
	if direct {
		callee = w.funcs[e.arg]
	}
	if f.recursive && w.types[callee].usesStack() {
		w.skip(e)
		if direct {
			w.out.opIndex(opCall, w.newIndex(e.arg))
		} else {
			w.out = append(append(w.out, opIndirect), w.code[e.pos+1:e.end]...)
		}
		w.restoreRoom()
		w.out = append(w.out, opReturn)
		return
	}
	if f.recursive {
		w.copy(int(e.pos))
		w.restoreRoom()
	}
	if direct {
		w.direct(e, opTailCall)
	}
}
