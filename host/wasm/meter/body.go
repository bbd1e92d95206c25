package meter

// writer rewrites function bodies. Each edit pops and pushes the same operands as the
// instruction that it replaces, so a valid body stays valid.
type writer struct {
	*scanner
	added          *addedIndices
	out            code
	from           int // in the module, up to where it has been copied to out
	open           []openLoop
	stackLocal     uint32 // local of the function that keeps the stack global's value
	separateChecks bool   // the function's loops have their checks outside of themselves
}

// function appends the rewritten body of f, without its size, to w.out[:0].
func (w *writer) function(f *function) {
	w.out, w.from, w.open = w.out[:0], f.body.start, w.open[:0]
	w.separateChecks = f.loops <= apartMost
	if f.recursive {
		w.saveRoom(f)
	}
	w.copy(f.code)
	if !f.elided {
		w.enter(f)
	}
	if f.recursive && f.leaves {
		w.block(w.types[f.typ].results)
	}
	for i := f.events[0]; i < f.events[1]; i++ {
		w.event(f, &w.events[i])
	}
	end := f.body.end - 1 // of the function's own end
	if f.recursive {
		w.copy(end)
		if f.leaves {
			w.out.op(opEnd)
		}
		w.restoreRoom()
	}
	w.copy(f.body.end)
}

// copy copies the module's bytes up to pos.
func (w *writer) copy(pos int) {
	w.out = append(w.out, w.code[w.from:pos]...)
	w.from = pos
}

// skip copies the bytes before an instruction and omits the instruction.
func (w *writer) skip(e *event) {
	w.copy(int(e.pos))
	w.from = int(e.end)
}

// saveRoom adds the local variable that saves the remaining call stack. Its index is the first
// one that the function's own instructions can't use.
func (w *writer) saveRoom(f *function) {
	w.stackLocal = uint32(f.locals)
	r := &reader{b: w.code[:f.code], pos: f.body.start}
	n := r.u32()
	w.out = uvarint(w.out, n+1)
	w.from = r.pos
	w.copy(f.code)
	w.out.op(1, I64)
}

func (w *writer) restoreRoom() {
	w.out.opIndex(opLocalGet, w.stackLocal)
	w.out.opIndex(opGlobalSet, w.added.stack)
}

// enter writes the code at the start of a function. It subtracts the function's fuel and, if
// the function can be recursive, its share of the call stack. One branch checks both. If the
// body begins with a loop, the check of the loop is enough: a lack of call stack is turned into
// a lack of fuel for it.
func (w *writer) enter(f *function) {
	c, a := &w.out, w.added
	if f.recursive {
		c.opIndex(opGlobalGet, a.stack)
		c.opIndex(opLocalTee, w.stackLocal)
		c.i64(f.bytes)
		c.op(opI64Sub)
		c.opIndex(opGlobalSet, a.stack)
	}
	c.opIndex(opGlobalGet, a.fuel)
	c.i64(f.cost)
	c.op(opI64Sub)
	if f.recursive && f.header {
		c.opIndex(opGlobalGet, a.stack)
		c.i64(63)
		c.op(opI64ShrS, opI64Or)
	}
	c.opIndex(opGlobalSet, a.fuel)
	if f.header {
		return
	}
	c.opIndex(opGlobalGet, a.fuel)
	if f.recursive {
		c.opIndex(opGlobalGet, a.stack)
		c.op(opI64Or)
	}
	c.i64(0)
	c.op(opI64LtS)
	c.check(a)
}

// block opens a block with results of the given types.
func (w *writer) block(results []byte) {
	w.out.op(opBlock)
	switch len(results) {
	case 0:
		w.out.op(emptyBlock)
	case 1:
		w.out.op(results[0])
	default:
		w.out = svarint(w.out, int64(w.added.typeOf(signature{results: results})))
	}
}

func (w *writer) event(f *function, e *event) {
	a := w.added
	switch e.kind {
	case evCall:
		w.direct(e, opCall)
	case evTailCall, evTailTable:
		w.tail(f, e)
	case evRef:
		w.direct(e, opRefFunc)
	case evReturn:
		if f.recursive {
			w.copy(int(e.pos))
			w.restoreRoom()
		}
	case evLoop:
		w.loop(e)
	case evLoopEnd:
		w.loopEnd(e)
	case evBranch:
		if moved := e.arg + w.addedLabels(e, e.arg); moved != e.arg {
			w.skip(e)
			w.out.opIndex(w.code[e.pos], moved)
		}
	case evSwitch:
		w.branches(e)
	case evSize:
		if a.owned {
			w.skip(e)
			w.out.opIndex(opGlobalGet, a.pages)
		}
	case evGrow:
		if a.owned {
			w.helper(e, helpGrow)
		} else {
			w.prepare(e, helpPages)
		}
	case evFill:
		w.helper(e, helpFill)
	case evCopy:
		w.helper(e, helpCopy)
	case evInit:
		w.prepare(e, helpBytes)
	case evEntries:
		w.prepare(e, helpEntries)
	}
}

// direct writes an instruction that refers to a function.
func (w *writer) direct(e *event, op byte) {
	if e.arg >= w.imported {
		w.skip(e)
		w.out.opIndex(op, w.newIndex(e.arg))
	}
}

// helper replaces an instruction by a call of a helper.
func (w *writer) helper(e *event, h helper) {
	w.skip(e)
	w.out.opIndex(opCall, w.added.helpers[h])
}

// prepare writes a call of a helper that charges for the last operand of an instruction.
func (w *writer) prepare(e *event, h helper) {
	w.copy(int(e.pos))
	w.out.opIndex(opCall, w.added.helpers[h])
}
