package planner

import "slices"

// graph is a small directed graph over 0…n-1; an edge says "needs".
type graph struct {
	out [][]int
}

func newGraph(n int) graph { return graph{make([][]int, n)} }

// grow gives the graph n nodes.
func (g *graph) grow(n int) {
	for len(g.out) < n {
		g.out = append(g.out, nil)
	}
}

// add puts an edge in once.
func (g graph) add(from, to int) {
	if !slices.Contains(g.out[from], to) {
		g.out[from] = append(g.out[from], to)
	}
}

// hasPath reports whether a path leads from one node to the other. A node
// reaches itself.
func (g graph) hasPath(from, to int) bool {
	seen := map[int]bool{from: true}
	for stack := []int{from}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n == to {
			return true
		}
		for _, next := range g.out[n] {
			if !seen[next] {
				seen[next] = true
				stack = append(stack, next)
			}
		}
	}
	return false
}

// hasCycle reports whether some node needs itself, directly or through others.
func (g graph) hasCycle() bool {
	waiting := make([]int, len(g.out)) // how many nodes need each one
	for _, needs := range g.out {
		for _, n := range needs {
			waiting[n]++
		}
	}
	var free []int
	for n, w := range waiting {
		if w == 0 {
			free = append(free, n)
		}
	}
	for i := 0; i < len(free); i++ {
		for _, n := range g.out[free[i]] {
			if waiting[n]--; waiting[n] == 0 {
				free = append(free, n)
			}
		}
	}
	return len(free) < len(g.out)
}
