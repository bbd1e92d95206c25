package run

import (
	"slices"
	"sync"

	"errand/host/run/subject"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy"
)

// readings stores the untrusted content that each run has read. It uses only the
// marks on steps: recorded ones for earlier attempts, and those of calls since.
type readings struct {
	mu    sync.Mutex
	byRun map[string][]policy.UntrustedRead // by run id
}

func (r *readings) addSteps(steps []trace.Step) {
	for _, s := range steps {
		if s.Untrusted != nil {
			r.add(s.RunID, *s.Untrusted)
		}
	}
}

func (r *readings) add(runID string, u tool.Untrusted) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byRun == nil {
		r.byRun = map[string][]policy.UntrustedRead{}
	}
	r.byRun[runID] = append(r.byRun[runID], readingOf(u))
}

func (r *readings) forRun(runID string) []policy.UntrustedRead {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.byRun[runID])
}

func readingOf(u tool.Untrusted) policy.UntrustedRead {
	p := policy.UntrustedRead{Step: u.StepID, Tool: u.Tool, From: u.From}
	if len(u.Findings) > 0 {
		p.Technique, p.Excerpt = u.Findings[0].Technique, u.Findings[0].Excerpt
	}
	return p
}

// Readings returns the untrusted content that a run's steps have read.
func Readings(steps []trace.Step) []policy.UntrustedRead {
	var all []policy.UntrustedRead
	for _, s := range steps {
		if s.Untrusted != nil {
			all = append(all, readingOf(*s.Untrusted))
		}
	}
	return all
}

// batchReadings holds which calls of a batch read untrusted content before which
// others. With it, the user is asked once, before anything runs.
//
// Calls start in their order as far as their dependencies allow. A write follows a
// reading if it depends on one or if one precedes it in the batch. The other
// writes need no approval because of the batch, so every reading waits for them,
// whatever runs in parallel.
type batchReadings struct {
	reads            []bool // calls that return untrusted content
	precedingReading []int  // for each write, a reading before it; -1 if there is none
	firstWrites      []int  // calls that every reading waits for

	readings [][]policy.UntrustedRead // for each call, the readings in its verdict; see escalate
}

// findBatchReadings computes the readings of a batch. index maps call ids to indexes; the
// specs of unknown tools are zero. Dependencies must not have a cycle.
func findBatchReadings(specs []tool.Spec, deps [][]string, index map[string]int) batchReadings {
	f := batchReadings{reads: make([]bool, len(specs)), precedingReading: make([]int, len(specs))}
	after := make([]int, len(specs)) // a reading that a call depends on, plus 1; 0: not computed, -1: none
	var upstream func(i int) int
	upstream = func(i int) int {
		if after[i] != 0 {
			return after[i]
		}
		after[i] = -1
		for _, id := range deps[i] {
			at, inBatch := index[id]
			if !inBatch {
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
		f.reads[i], f.precedingReading[i] = s.Untrusted, -1
		if s.SideEffectClass != tool.Read {
			switch up := upstream(i); {
			case up > 0:
				f.precedingReading[i] = up - 1
			case before >= 0:
				f.precedingReading[i] = before
			default:
				f.firstWrites = append(f.firstWrites, i)
			}
		}
		if s.Untrusted && before < 0 {
			before = i
		}
	}
	return f
}

// escalate adds the expected readings to the verdicts and stores them. A call that
// runs in parallel with a reading keeps its verdict, whichever starts first.
func (f *batchReadings) escalate(verdicts []Verdict, calls []tool.Call) {
	f.readings = make([][]policy.UntrustedRead, len(verdicts))
	for i := range verdicts {
		v := &verdicts[i]
		if f.precedingReading[i] < 0 || !v.isDecided {
			continue
		}
		r := f.precedingReading[i]
		f.readings[i] = []policy.UntrustedRead{{
			Step: calls[r].ActionID, Tool: calls[r].Tool, From: subject.SourcesOf(verdicts[r].Spec, calls[r]), Pending: true,
		}}
		v.Decision = v.Decision.Escalate(string(v.effectiveSpec().SideEffectClass), f.readings[i])
	}
}

// byRun returns the readings in the verdict of a call; nil before escalate.
func (f *batchReadings) forCall(i int) []policy.UntrustedRead {
	if f.readings == nil {
		return nil
	}
	return f.readings[i]
}

// mustWait reports whether a call reads untrusted content and an earlier write that
// needed no approval has not ended.
func (f batchReadings) mustWait(i int, done []bool) bool {
	return f.reads[i] && slices.ContainsFunc(f.firstWrites, func(w int) bool { return w < i && !done[w] })
}
