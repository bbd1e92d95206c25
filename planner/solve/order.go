package solve

import (
	"cmp"
	"container/heap"
	"slices"
)

// schedule is a plan in canonical order: step i runs operator ops[i] after the steps
// in needs[i], which are all earlier. No need follows from others.
type schedule struct {
	ops   []int32
	needs [][]int
}

// sequence orders a set of operators, in a task where no fact that matters ends, so
// that each applies. It always runs the smallest one that does.
func (t *task) sequence(set []int32) []int32 {
	set = slices.Sorted(slices.Values(set))
	picked := make([]op, len(set))
	for i, o := range set {
		picked[i] = t.ops[o]
	}
	uses := newIndex(len(t.init), picked, func(o op) []lit { return o.pre })
	missing := make([]int, len(set))
	have := slices.Clone(t.init)
	ready := &nodeHeap{less: func(i, j int) bool { return i < j }}
	for i, o := range picked {
		for _, l := range o.pre {
			if !have[l] {
				missing[i]++
			}
		}
		if missing[i] == 0 {
			ready.nodes = append(ready.nodes, i)
		}
	}
	heap.Init(ready)
	out := make([]int32, 0, len(set))
	for ready.Len() > 0 {
		i := heap.Pop(ready).(int)
		out = append(out, set[i])
		for _, l := range picked[i].add {
			if have[l] {
				continue
			}
			have[l] = true
			for _, j := range uses.list(l) {
				if missing[j]--; missing[j] == 0 {
					heap.Push(ready, int(j))
				}
			}
		}
	}
	return out
}

// schedule turns an executable sequence into the weakest order that stays
// executable, in canonical order.
func (t *task) schedule(steps []int32, goal []lit) schedule {
	needs := t.links(steps, goal)
	places := t.places(steps, needs)
	order := sortTopologically(needs, func(i, j int) bool {
		return cmp.Or(cmp.Compare(places[i], places[j]), cmp.Compare(steps[i], steps[j]), cmp.Compare(i, j)) < 0
	})
	place := make([]int, len(order))
	for i, step := range order {
		place[step] = i
	}
	s := schedule{ops: make([]int32, len(steps)), needs: make([][]int, len(steps))}
	for i, step := range order {
		s.ops[i] = steps[step]
		for _, n := range needs[step] {
			s.needs[i] = append(s.needs[i], place[n])
		}
		slices.Sort(s.needs[i])
		s.needs[i] = slices.Compact(s.needs[i])
	}
	s.reduce()
	return s
}

// spread is the place of each operator of a set: its own, or the smallest one of those
// that may require what it causes.
func (t *task) spread(set []int32) map[int32]int {
	places := make(map[int32]int, len(set))
	for _, o := range set {
		places[o] = t.operators[o].Place
	}
	changed := slices.SortedFunc(slices.Values(set), func(a, b int32) int { return cmp.Or(cmp.Compare(places[a], places[b]), cmp.Compare(a, b)) })
	for i := 0; i < len(changed); i++ {
		for _, l := range t.ops[changed[i]].pre {
			for _, maker := range t.makers.list(l) {
				if p, ok := places[maker]; ok && p > places[changed[i]] {
					places[maker] = places[changed[i]]
					changed = append(changed, maker)
				}
			}
		}
	}
	return places
}

// places is the place of each step: its own, or that of a step that needs it if the user
// named that earlier.
func (t *task) places(steps []int32, needs [][]int) []int {
	out := make([]int, len(steps))
	for i, o := range steps {
		out[i] = t.operators[o].Place
	}
	order := sortTopologically(needs, func(i, j int) bool { return i < j })
	for _, i := range slices.Backward(order) {
		for _, n := range needs[i] {
			out[n] = min(out[n], out[i])
		}
	}
	return out
}

// life is the history of one literal in a sequence.
type life struct {
	first   int   // the step that causes it first since it last ended, or before the plan: -1
	isTrue  bool  // it holds now
	readers []int // steps that required it
	enders  []int
}

// links lists the steps that each step needs. A requirement needs the first step
// that causes it; that step needs the steps that ended the literal before. A step
// that ends a literal needs all earlier steps that required it. Every order that
// keeps the links is executable and ends in the same state.
func (t *task) links(steps []int32, goal []lit) [][]int {
	needs := make([][]int, len(steps)+1) // the last one stands for the goal
	lives := map[lit]*life{}
	at := func(l lit) *life {
		if lives[l] == nil {
			lives[l] = &life{first: -1, isTrue: t.init[l]}
		}
		return lives[l]
	}
	read := func(i int, l lit) {
		v := at(l)
		v.readers = append(v.readers, i)
		if v.first < 0 {
			return
		}
		needs[i] = append(needs[i], v.first)
		needs[v.first] = append(needs[v.first], v.enders...)
	}
	for i, o := range steps {
		for _, l := range t.ops[o].pre {
			read(i, l)
		}
		for _, l := range t.ops[o].del {
			v := at(l)
			for _, r := range v.readers {
				if r != i {
					needs[i] = append(needs[i], r)
				}
			}
			v.isTrue = false
			v.enders = append(v.enders, i)
		}
		for _, l := range t.ops[o].add {
			if v := at(l); !v.isTrue {
				v.isTrue, v.first = true, i
			}
		}
	}
	for _, l := range goal {
		read(len(steps), l)
	}
	return needs[:len(steps)]
}

// sortTopologically orders the nodes after their needs, the smallest free node
// first. It leaves out nodes on a cycle and their dependents.
func sortTopologically(needs [][]int, less func(i, j int) bool) []int {
	waiting := make([]int, len(needs))
	dependents := make([][]int, len(needs))
	ready := &nodeHeap{less: less}
	for i, list := range needs {
		waiting[i] = len(list)
		for _, n := range list {
			dependents[n] = append(dependents[n], i)
		}
		if len(list) == 0 {
			ready.nodes = append(ready.nodes, i)
		}
	}
	heap.Init(ready)
	var order []int
	for ready.Len() > 0 {
		i := heap.Pop(ready).(int)
		order = append(order, i)
		for _, j := range dependents[i] {
			if waiting[j]--; waiting[j] == 0 {
				heap.Push(ready, j)
			}
		}
	}
	return order
}

// reduce drops needs that follow from other needs.
func (s *schedule) reduce() {
	if !slices.ContainsFunc(s.needs, func(n []int) bool { return len(n) > 1 }) {
		return
	}
	words := (len(s.ops) + 63) / 64
	above := make([][]uint64, len(s.ops))
	for i, needs := range s.needs {
		var order []int
		set := make([]uint64, words)
		for _, n := range slices.Backward(needs) { // a later step is never above an earlier one
			if set[n/64]>>(n%64)&1 == 1 {
				continue
			}
			order = append(order, n)
			set[n/64] |= 1 << (n % 64)
			for w, bits := range above[n] {
				set[w] |= bits
			}
		}
		slices.Sort(order)
		s.needs[i], above[i] = order, set
	}
}

type nodeHeap struct {
	nodes []int
	less  func(i, j int) bool
}

func (h *nodeHeap) Len() int           { return len(h.nodes) }
func (h *nodeHeap) Less(i, j int) bool { return h.less(h.nodes[i], h.nodes[j]) }
func (h *nodeHeap) Swap(i, j int)      { h.nodes[i], h.nodes[j] = h.nodes[j], h.nodes[i] }
func (h *nodeHeap) Push(x any)         { h.nodes = append(h.nodes, x.(int)) }
func (h *nodeHeap) Pop() any {
	last := h.nodes[len(h.nodes)-1]
	h.nodes = h.nodes[:len(h.nodes)-1]
	return last
}
