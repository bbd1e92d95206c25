package meter

import "slices"

// writer rewrites function bodies. An edit takes and leaves on the operand
// stack what the instruction in its place did, so that a body stays as valid
// as it was.
type writer struct {
	*scanner
	added *added
	out   code
	from  int // in the module, up to where it has been copied to out
	open  []openLoop
	room  uint32 // local of the function that keeps the stack global's value

	track   bool // fill offsets
	offsets []Offset
}

// openLoop is a loop around the place that is being written whose wrapping
// moves what its branches name.
type openLoop struct {
	frame  uint32
	labels uint32 // that were added, up to and with this loop
}

// wrapped is how many labels are added around a loop that leaves for its check.
const wrapped = 3

// function appends the rewritten body of f, without its size, to w.out[:0].
func (w *writer) function(f *function) {
	w.out, w.from, w.open, w.offsets = w.out[:0], f.body.start, w.open[:0], w.offsets[:0]
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
	w.mark()
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

// copy takes over the module's bytes up to pos.
func (w *writer) copy(pos int) {
	w.out = append(w.out, w.code[w.from:pos]...)
	w.from = pos
}

// instead copies up to an instruction, leaves it out and marks what comes next.
func (w *writer) instead(e *event) {
	w.copy(int(e.pos))
	w.from = int(e.end)
}

// mark notes that what is copied next is the module's from w.from on.
func (w *writer) mark() {
	if w.track {
		w.offsets = append(w.offsets, Offset{Metered: uint32(len(w.out)), Original: uint32(w.from - w.codeAt)})
	}
}

// saveRoom adds the local that keeps how much call stack was left. Its index
// is the first that the function's own instructions can't name.
func (w *writer) saveRoom(f *function) {
	w.room = uint32(f.locals)
	r := &reader{b: w.code[:f.code], pos: f.body.start}
	n := r.u32()
	w.out = uvarint(w.out, n+1)
	w.from = r.pos
	w.copy(f.code)
	w.out.op(1, I64)
}

func (w *writer) restoreRoom() {
	w.out.indexed(opLocalGet, w.room)
	w.out.indexed(opGlobalSet, w.added.stack)
}

// enter is what a function does before its own first instruction: it pays for
// itself, and takes its share of the call stack where it can be on it twice.
// One branch tells whether either has run out; there is none where a loop comes
// next and its check will do: a lack of stack is made a lack of fuel for it.
func (w *writer) enter(f *function) {
	c, a := &w.out, w.added
	if f.recursive {
		c.indexed(opGlobalGet, a.stack)
		c.indexed(opLocalTee, w.room)
		c.i64(f.bytes)
		c.op(opI64Sub)
		c.indexed(opGlobalSet, a.stack)
	}
	c.indexed(opGlobalGet, a.fuel)
	c.i64(f.cost)
	c.op(opI64Sub)
	if f.recursive && f.header {
		c.indexed(opGlobalGet, a.stack)
		c.i64(63)
		c.op(opI64ShrS, opI64Or)
	}
	c.indexed(opGlobalSet, a.fuel)
	if f.header {
		return
	}
	c.indexed(opGlobalGet, a.fuel)
	if f.recursive {
		c.indexed(opGlobalGet, a.stack)
		c.op(opI64Or)
	}
	c.i64(0)
	c.op(opI64LtS)
	c.check(a)
}

// block opens a block that leaves values of the types.
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
	before := w.from
	switch e.kind {
	case evCall:
		w.direct(e, opCall)
	case evTailCall:
		if f.recursive {
			w.copy(int(e.pos))
			w.restoreRoom()
		}
		w.direct(e, opTailCall)
	case evRef:
		w.direct(e, opRefFunc)
	case evTailTable, evReturn:
		if f.recursive {
			w.copy(int(e.pos))
			w.restoreRoom()
			w.mark()
		}
	case evLoop:
		w.loop(e)
	case evLoopEnd:
		w.loopEnd(e)
	case evBranch:
		if moved := e.arg + w.crossed(e, e.arg); moved != e.arg {
			w.instead(e)
			w.out.indexed(w.code[e.pos], moved)
		}
	case evSwitch:
		w.branches(e)
	case evSize:
		if a.owned {
			w.instead(e)
			w.out.indexed(opGlobalGet, a.pages)
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
	if w.from != before {
		w.mark()
	}
}

// direct writes an instruction that names a function.
func (w *writer) direct(e *event, op byte) {
	if e.arg >= w.imported {
		w.instead(e)
		w.out.indexed(op, w.moved(e.arg))
	}
}

// helper calls a helper in an instruction's place.
func (w *writer) helper(e *event, h helper) {
	w.instead(e)
	w.out.indexed(opCall, w.added.helpers[h])
}

// prepare has a helper charge for the last operand of an instruction.
func (w *writer) prepare(e *event, h helper) {
	w.copy(int(e.pos))
	w.out.indexed(opCall, w.added.helpers[h])
}

// loop begins a loop with its check, which lies outside of it:
//
//	block $done T
//	  loop $again T
//	    block $empty
//	      loop $loop T
//	        fuel -= cost
//	        br_if $empty (fuel < 0)
//	        …
//	      end
//	      br $done
//	    end
//	    call check
//	    fuel += cost
//	    br $again
//	  end
//	end
//
// With a call inside of a loop, even one that is never made, the compiler reloads
// the memory's address and the globals behind it and keeps fewer variables in
// registers: a tight loop takes 1.7 times as long, and 1.2 times like this. A
// loop that takes values from the stack can't be left so and calls inside.
func (w *writer) loop(e *event) {
	l := &w.loops[e.arg]
	a := w.added
	if l.params {
		w.copy(int(e.end))
		w.out.change(a.fuel, -l.cost)
		w.out.negative(a.fuel)
		w.out.check(a)
		return
	}
	kind := w.code[e.pos+1 : e.end]
	w.copy(int(e.pos))
	w.from = int(e.end)
	c := &w.out
	c.op(opBlock)
	c.op(kind...)
	c.op(opLoop)
	c.op(kind...)
	c.op(opBlock, emptyBlock)
	c.op(opLoop)
	c.op(kind...)
	c.change(a.fuel, -l.cost)
	c.negative(a.fuel)
	c.indexed(opBrIf, 1)
	labels := uint32(wrapped)
	if n := len(w.open); n > 0 {
		labels += w.open[n-1].labels
	}
	w.open = append(w.open, openLoop{frame: l.frame, labels: labels})
}

func (w *writer) loopEnd(e *event) {
	l := &w.loops[e.arg]
	if l.params {
		return
	}
	w.copy(int(e.end))
	c := &w.out
	c.indexed(opBr, 2)
	c.op(opEnd)
	c.indexed(opCall, w.added.helpers[helpCheck])
	c.change(w.added.fuel, l.cost)
	c.indexed(opBr, 0)
	c.op(opEnd, opEnd)
	w.open = w.open[:len(w.open)-1]
	w.mark()
}

// crossed answers how many added labels a branch to the label has to count.
func (w *writer) crossed(e *event, label uint32) uint32 {
	n := len(w.open)
	if n == 0 {
		return 0
	}
	// The branch crosses the labels of those loops that lie inside of its target.
	target := e.frame - label
	inside, _ := slices.BinarySearchFunc(w.open, target, func(l openLoop, target uint32) int {
		if l.frame <= target {
			return -1
		}
		return 1
	})
	if inside == 0 {
		return w.open[n-1].labels
	}
	return w.open[n-1].labels - w.open[inside-1].labels
}

func (w *writer) branches(e *event) {
	if len(w.open) == 0 {
		return
	}
	w.instead(e)
	r := &reader{b: w.code[:e.end], pos: int(e.pos) + 1}
	n := r.u32()
	w.out.indexed(opBrTable, n)
	for range uint64(n) + 1 {
		label := r.u32()
		w.out = uvarint(w.out, label+w.crossed(e, label))
	}
}
