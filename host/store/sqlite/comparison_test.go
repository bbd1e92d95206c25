package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/planner/message"
)

// FuzzMatchesMemory compares the store on disk with the one in memory: whatever is
// claimed, appended, decided, ended and resumed in whatever order, both answer
// the same.
func FuzzMatchesMemory(f *testing.F) {
	for _, seed := range []string{
		"\x00\x00\x11\x00", "\x00\x20\x00\x30\x40\x00", "\x00\x51\x00\x01\x31\x00", "\x00\x60\x01\x11\x00",
		"\x02\x12\x03\x22\x41\x40\x02\x52", "\x00\x70\x00\x30\x00\x10\x08\x18\x28\x38\x48\x58",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(same)
}

// TestMatchesMemory is FuzzMatchesMemory with programs by chance, without the fuzzer's overhead.
func TestMatchesMemory(t *testing.T) {
	for range 25 {
		program := make([]byte, 24)
		for i := range program {
			program[i] = byte(rand.IntN(256))
		}
		if same(t, program); t.Failed() {
			return
		}
	}
}

func same(t *testing.T, program []byte) {
	s, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{})
	must.Succeed(t, err)
	defer s.Close()
	logs := []tracetest.Log{s, &trace.Memory{}}
	for _, log := range logs {
		for i, id := range []string{"r0", "r1"} {
			must.Succeed(t, log.Begin(t.Context(), tracetest.NewRun(id, i)))
		}
	}
	for i, op := range program[:min(len(program), 24)] {
		disk, memory := perform(t, logs[0], i, op), perform(t, logs[1], i, op)
		if diff := cmp.Diff(memory, disk); diff != "" {
			t.Fatalf("after operation %d, %#x of %q: on disk (+), in memory (-):\n%s", i, op, program, diff)
		}
	}
}

// perform is one operation on one of two runs, two steps and two keys; it
// answers all that can be seen afterwards.
func perform(t *testing.T, log tracetest.Log, i int, op byte) []string {
	run, step, key := fmt.Sprint("r", op&1), fmt.Sprint("a", op>>1&1), fmt.Sprint("k", op>>2&1)
	ctx := t.Context()
	var err error
	out := []string{}
	see := func(c trace.Claim) string {
		return fmt.Sprint(c.Key, " ", c.Effect, " ", c.Recorded, " ", c.Step.RunID, "/", c.Step.StepID, " ", c.Step.Status, " ", c.Step.Reason)
	}
	settling := func(effect tool.EffectState) trace.Step {
		s := tracetest.SettleStep(run, step, key, effect)
		s.Reason = message.Verbatim(fmt.Sprint("operation ", i))
		return s
	}
	switch op >> 4 & 7 {
	case 0:
		var c trace.Claim
		call := tracetest.ClaimStep(run, step, key)
		call.Reason = message.Verbatim(fmt.Sprint("operation ", i))
		c, err = log.Claim(ctx, call)
		out = append(out, see(c))
	case 1:
		_, err = log.Append(ctx, settling(tool.Committed))
	case 2:
		_, err = log.Append(ctx, settling([]tool.EffectState{tool.Unknown, tool.Released}[op>>3&1]))
	case 3:
		err = log.Settle(ctx, key, []tool.EffectState{tool.Committed, tool.Released}[op>>3&1])
	case 4:
		err = log.Resume(ctx, tracetest.ReadRun(log, run))
	case 5:
		ended := tracetest.NewRun(run, 0)
		ended.Status = trace.Done
		err = log.End(ctx, ended)
	case 6: // a step that can't be recorded
		ended, cancel := context.WithCancel(ctx)
		cancel()
		_, err = log.Append(ended, settling(tool.Committed))
	case 7:
		_, err = log.Append(ctx, settling(""))
	}
	out = append(out, codeOf(err))
	for _, id := range []string{"r0", "r1"} {
		rec, err := log.Record(ctx, id)
		must.Succeed(t, err)
		out = append(out, fmt.Sprint(id, " ", rec.Status, " ", rec.State))
		for _, s := range rec.Steps {
			out = append(out, fmt.Sprint(s.StepID, " ", s.Status, " ", s.EffectKey, " ", s.Effect, " ", s.ErrorCode, " ", s.Reason))
		}
		effects, err := log.Effects(ctx, id)
		must.Succeed(t, err)
		for _, c := range effects {
			out = append(out, see(c))
		}
	}
	return out
}
