package solve

import "slices"

// steps explains each operator of a schedule. It traces each requirement, and each
// fact of the goal, to the step that caused it.
func (t *task) steps(s schedule, goal []lit) []Step {
	out := make([]Step, len(s.ops))
	maker := map[lit]int{} // only what the plan itself caused
	have := slices.Clone(t.init)
	for i, o := range s.ops {
		out[i].Operator, out[i].Needs = t.operators[o], s.needs[i]
		for _, l := range t.ops[o].pre {
			j, ok := maker[l]
			if !ok {
				continue
			}
			if len(out[j].Supplies) == 0 {
				out[j].SuppliesTo = i
			}
			if out[j].SuppliesTo == i {
				out[j].Supplies = append(out[j].Supplies, t.literal(l))
			}
		}
		for _, l := range t.ops[o].del {
			have[l] = false
			delete(maker, l)
		}
		for _, l := range t.ops[o].add {
			if !have[l] {
				have[l], maker[l] = true, i
			}
		}
	}
	for _, l := range goal {
		if j, ok := maker[l]; ok {
			out[j].Reaches = append(out[j].Reaches, t.literal(l))
		}
	}
	for i := range out {
		slices.Sort(out[i].Reaches)
		slices.Sort(out[i].Supplies)
	}
	return out
}
