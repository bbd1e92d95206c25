package meter

import "slices"

// openLoop is a loop around the current instruction. Its added blocks change the labels of
// branches inside it.
type openLoop struct {
	frame  uint32
	labels uint32 // that were added, up to and with this loop
}

// apartMost is the maximum number of loops in a function with checks outside of the
// loops. The compiler's time grows with the square of the number of loops, and the
// added labels multiply it.
const apartMost = 256

// loopLabels is the number of labels that are added around a loop whose check is outside.
const loopLabels = 3

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
// If a loop contains a call, even one that never runs, the compiler reloads the memory's address
// and the globals after it and keeps fewer variables in registers. A tight loop then takes 1.7
// times as long; with the call outside it takes 1.2 times as long. A loop with parameters can't
// be left like this, so it has the call inside.
func (w *writer) loop(e *event) {
	l := &w.loops[e.arg]
	a := w.added
	if l.params || !w.separateChecks {
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
	c.opIndex(opBrIf, 1)
	labels := uint32(loopLabels)
	if n := len(w.open); n > 0 {
		labels += w.open[n-1].labels
	}
	w.open = append(w.open, openLoop{frame: l.frame, labels: labels})
}

func (w *writer) loopEnd(e *event) {
	l := &w.loops[e.arg]
	if l.params || !w.separateChecks {
		return
	}
	w.copy(int(e.end))
	c := &w.out
	c.opIndex(opBr, 2)
	c.op(opEnd)
	c.opIndex(opCall, w.added.helpers[helpCheck])
	c.change(w.added.fuel, l.cost)
	c.opIndex(opBr, 0)
	c.op(opEnd, opEnd)
	w.open = w.open[:len(w.open)-1]
}

// addedLabels returns the number of added labels between a branch and its target.
func (w *writer) addedLabels(e *event, label uint32) uint32 {
	n := len(w.open)
	if n == 0 {
		return 0
	}
	// The branch leaves those loops that are inside of its target.
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
	w.skip(e)
	r := &reader{b: w.code[:e.end], pos: int(e.pos) + 1}
	n := r.u32()
	w.out.opIndex(opBrTable, n)
	for range uint64(n) + 1 {
		label := r.u32()
		w.out = uvarint(w.out, label+w.addedLabels(e, label))
	}
}
