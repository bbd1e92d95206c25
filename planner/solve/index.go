package solve

import "slices"

// index lists, for each literal, the operators that name it.
type index struct {
	start, ops []int32
}

func (x index) list(l lit) []int32 { return x.ops[x.start[l]:x.start[l+1]] }

func newIndex[O any](n int, ops []O, lits func(O) []lit) index {
	x := index{start: make([]int32, n+1)}
	total := 0
	for _, o := range ops {
		for _, l := range lits(o) {
			x.start[l+1]++
		}
		total += len(lits(o))
	}
	for i := range n {
		x.start[i+1] += x.start[i]
	}
	x.ops = make([]int32, total)
	fill := slices.Clone(x.start[:n])
	for i, o := range ops {
		for _, l := range lits(o) {
			x.ops[fill[l]] = int32(i)
			fill[l]++
		}
	}
	return x
}
