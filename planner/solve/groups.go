package solve

// groups divides numbers into groups (union-find): each leads to the root of its group.
type groups []int32

// newGroups puts each of n numbers into a group of its own.
func newGroups(n int) groups {
	g := make(groups, n)
	for i := range g {
		g[i] = int32(i)
	}
	return g
}

// find is the root of a number's group.
func (g groups) find(i int32) int32 {
	for g[i] != i {
		g[i] = g[g[i]]
		i = g[i]
	}
	return i
}
