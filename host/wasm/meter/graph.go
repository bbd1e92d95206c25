package meter

// The call graph answers two questions about each function: may it skip its
// check because its callers can pay for it, and can it be on the stack twice?
//
// Its nodes are the functions that the module defines, followed by the types of indirect
// calls. Such a call may reach each function of the type whose reference is taken. Calls of
// imports have no edge: a host that calls back has to limit the depth itself.

// elideMost is the maximum cost of a function, with everything that it calls, for which its
// callers can pay. It also limits the charge of an indirect call, whose target is not known.
const elideMost = 64

type graph struct {
	s          *scanner
	funcs      []function
	class      []uint32   // of each type, the first type that equals it
	referenced [][]uint32 // per class, the functions that an indirect call can reach
	nodes      []node
	stack      []int32 // of the strongly connected components being found
	charge     []int64 // per class, the maximum charge of a function that an indirect call reaches
}

type node struct {
	index, low int32 // 0: not seen yet
	onStack    bool
	loop       bool // it calls itself
}

// classify finds functions that are elided or recursive.
func classify(s *scanner, funcs []function) *graph {
	g := &graph{s: s, funcs: funcs, class: make([]uint32, len(s.types)), referenced: make([][]uint32, len(s.types)), charge: make([]int64, len(s.types))}
	first := map[string]uint32{}
	for i, t := range s.types {
		c, ok := first[t.key()]
		if !ok {
			c = uint32(i)
			first[t.key()] = c
		}
		g.class[i] = c
	}
	for i, taken := range s.referenced {
		if i >= int(s.imported) && taken {
			c := g.class[s.funcs[i]]
			g.referenced[c] = append(g.referenced[c], uint32(i)-s.imported)
		}
	}
	g.nodes = make([]node, len(funcs)+len(s.types))
	g.components()
	for c, all := range g.referenced {
		for _, f := range all {
			if funcs[f].elided {
				g.charge[c] = max(g.charge[c], funcs[f].charge)
			}
		}
	}
	return g
}

// nextEdge returns the target of the first edge at or after a position, and the next position.
// The target is -1 if there is none.
func (g *graph) nextEdge(n int32, at int) (to int32, after int) {
	if int(n) >= len(g.funcs) {
		all := g.referenced[int(n)-len(g.funcs)]
		if at < len(all) {
			return int32(all[at]), at + 1
		}
		return -1, at
	}
	f := &g.funcs[n]
	for i := f.events[0] + at; i < f.events[1]; i++ {
		switch e := &g.s.events[i]; e.kind {
		case evCall, evTailCall:
			if e.arg >= g.s.imported {
				return int32(e.arg - g.s.imported), i + 1 - f.events[0]
			}
		case evTable, evTailTable:
			return int32(len(g.funcs)) + int32(g.class[e.arg]), i + 1 - f.events[0]
		}
	}
	return -1, f.events[1] - f.events[0]
}

// components finds strongly connected components by Tarjan's algorithm. It uses an explicit
// stack, because the depth of calls is limited only by the number of functions. A component
// ends after all components that it calls.
func (g *graph) components() {
	type visit struct {
		node int32
		at   int
	}
	count := int32(0)
	var path []visit
	for root := range g.nodes {
		if g.nodes[root].index != 0 {
			continue
		}
		path = append(path[:0], visit{node: int32(root)})
		for len(path) > 0 {
			top := &path[len(path)-1]
			n := &g.nodes[top.node]
			if n.index == 0 {
				count++
				n.index, n.low, n.onStack = count, count, true
				g.stack = append(g.stack, top.node)
			}
			var to int32
			to, top.at = g.nextEdge(top.node, top.at)
			if to >= 0 {
				m := &g.nodes[to]
				switch {
				case m.index == 0:
					path = append(path, visit{node: to})
				case m.onStack:
					n.low = min(n.low, m.index)
				}
				n.loop = n.loop || to == top.node
				continue
			}
			done := top.node
			path = path[:len(path)-1]
			if len(path) > 0 {
				caller := &g.nodes[path[len(path)-1].node]
				caller.low = min(caller.low, n.low)
			}
			if n.low == n.index {
				g.component(done)
			}
		}
	}
}

// component pops the component of root from the stack.
func (g *graph) component(root int32) {
	from := len(g.stack) - 1
	for g.stack[from] != root {
		from--
	}
	all := g.stack[from:]
	g.stack = g.stack[:from]
	for _, n := range all {
		g.nodes[n].onStack = false
		if int(n) >= len(g.funcs) {
			continue
		}
		if len(all) > 1 || g.nodes[n].loop {
			g.funcs[n].recursive = true
		} else {
			g.decideElision(&g.funcs[n])
		}
	}
}

// decideElision decides whether callers pay for f. This requires that f, and everything that it
// calls, ends after a limited number of steps for any input. Each cycle of calls still has a
// function with a check, because functions in cycles are never elided.
func (g *graph) decideElision(f *function) {
	if f.loops > 0 || f.heavy {
		return
	}
	f.charge = f.cost
	for i := f.events[0]; i < f.events[1]; i++ {
		e := &g.s.events[i]
		if e.kind != evCall && e.kind != evTailCall || e.arg < g.s.imported {
			continue
		}
		callee := &g.funcs[e.arg-g.s.imported]
		if !callee.elided {
			return
		}
		f.charge += callee.charge
	}
	f.elided = f.charge <= elideMost
}

// uncheckedCost returns the cost of the functions without checks that a call reaches. The call
// instruction is not included.
func (g *graph) uncheckedCost(e *event) int64 {
	switch e.kind {
	case evCall, evTailCall:
		if e.arg >= g.s.imported {
			if f := &g.funcs[e.arg-g.s.imported]; f.elided {
				return f.charge
			}
		}
	case evTable, evTailTable:
		return g.charge[g.class[e.arg]]
	}
	return 0
}

// charge adds the costs of elided calls to the regions that contain the calls.
func (g *graph) chargeCalls() {
	for i := range g.funcs {
		f := &g.funcs[i]
		for n := f.events[0]; n < f.events[1]; n++ {
			e := &g.s.events[n]
			switch unchecked := g.uncheckedCost(e); {
			case unchecked == 0:
			case e.loop != noLoop:
				g.s.loops[e.loop].cost += unchecked
			default:
				f.cost += unchecked
			}
		}
	}
}
