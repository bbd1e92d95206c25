package run

import (
	"slices"
	"sync"

	"errand/host/tool"
	"errand/host/trace"
	"errand/policy"
)

// readings is what each run has read that others wrote. It comes from marks on
// steps alone: of the record for what was before, of the calls since.
type readings struct {
	mu sync.Mutex
	of map[string][]policy.Reading // by run
}

func (r *readings) recorded(steps []trace.Step) {
	for _, s := range steps {
		if s.Untrusted != nil {
			r.add(s.RunID, *s.Untrusted)
		}
	}
}

func (r *readings) add(runID string, u tool.Untrusted) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string][]policy.Reading{}
	}
	r.of[runID] = append(r.of[runID], reading(u))
}

func (r *readings) in(runID string) []policy.Reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.of[runID])
}

func reading(u tool.Untrusted) policy.Reading {
	p := policy.Reading{Step: u.StepID, Tool: u.Tool, From: u.From}
	if len(u.Findings) > 0 {
		p.Technique, p.Excerpt = u.Findings[0].Technique, u.Findings[0].Excerpt
	}
	return p
}

// Readings is what the steps of a run have read that others wrote.
func Readings(steps []trace.Step) []policy.Reading {
	var all []policy.Reading
	for _, s := range steps {
		if s.Untrusted != nil {
			all = append(all, reading(*s.Untrusted))
		}
	}
	return all
}

// foresight is what of a batch of calls will be read before which others, so
// that a person is asked once and before anything runs.
//
// Calls begin in their order as far as their dependencies let them. A write
// comes after a reading if it depends on one, or if one stands before it. Those
// that remain are unasked for what is in the batch, and so every reading waits
// for them: that holds whatever runs side by side, and for how long.
type foresight struct {
	reads  []bool // calls whose answers are the words of others
	behind []int  // for each call that changes something, a reading before it; -1: none
	first  []int  // calls that no reading may overtake

	readings [][]policy.Reading // for each call, what its verdict was made for; see escalate
}

// foresee looks at the calls of a batch, whose ids index maps to places; specs
// of unknown tools are zero. Dependencies have no circle.
func foresee(specs []tool.Spec, deps [][]string, index map[string]int) foresight {
	f := foresight{reads: make([]bool, len(specs)), behind: make([]int, len(specs))}
	after := make([]int, len(specs)) // a reading that a call depends on, +1; 0: not known, -1: none
	var upstream func(i int) int
	upstream = func(i int) int {
		if after[i] != 0 {
			return after[i]
		}
		after[i] = -1
		for _, id := range deps[i] {
			at, here := index[id]
			if !here {
				continue
			}
			if specs[at].Untrusted {
				after[i] = at + 1
			} else if up := upstream(at); up > 0 {
				after[i] = up
			}
		}
		return after[i]
	}
	before := -1 // the first reading in the order of the calls
	for i, s := range specs {
		f.reads[i], f.behind[i] = s.Untrusted, -1
		if s.SideEffectClass != tool.Read {
			switch up := upstream(i); {
			case up > 0:
				f.behind[i] = up - 1
			case before >= 0:
				f.behind[i] = before
			default:
				f.first = append(f.first, i)
			}
		}
		if s.Untrusted && before < 0 {
			before = i
		}
	}
	return f
}

// escalate puts what will be read into the verdicts, and keeps it: a call that
// begins beside the reading is judged as it was at the gate, whichever is first.
func (f *foresight) escalate(verdicts []Verdict, calls []tool.Call) {
	f.readings = make([][]policy.Reading, len(verdicts))
	for i := range verdicts {
		v := &verdicts[i]
		if f.behind[i] < 0 || !v.decided {
			continue
		}
		r := f.behind[i]
		f.readings[i] = []policy.Reading{{
			Step: calls[r].CallID, Tool: calls[r].Tool, From: sources(verdicts[r].Spec, calls[r]), Ahead: true,
		}}
		v.Decision = v.Decision.Escalate(string(v.acting().SideEffectClass), f.readings[i])
	}
}

// of is what a call was judged for; nothing before escalate.
func (f *foresight) of(i int) []policy.Reading {
	if f.readings == nil {
		return nil
	}
	return f.readings[i]
}

// waits reports whether a call reads what others wrote while a write that comes
// before it, and that nobody was asked about, has not ended.
func (f foresight) waits(i int, done []bool) bool {
	return f.reads[i] && slices.ContainsFunc(f.first, func(w int) bool { return w < i && !done[w] })
}
