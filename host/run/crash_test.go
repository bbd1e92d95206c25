package run_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/planner/message"
	"errand/planner/plan"
)

// mortal is a log whose program dies at one of its writes: before it or after
// it. Nothing that the program does afterwards reaches the log.
type mortal struct {
	*trace.Memory
	mu    sync.Mutex
	left  int // writes until it dies
	after bool
	dead  bool
}

// dying says whether the write is made, and whether its caller hears of it.
func (m *mortal) dying() (made, heard bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return false, false
	}
	if m.left--; m.left > 0 {
		return true, true
	}
	m.dead = true
	return m.after, false
}

func (m *mortal) died() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dead
}

var errDead = tool.NewError(tool.ToolUnavailable, "dead", message.Verbatim("the program is dead"))

func (m *mortal) Claim(ctx context.Context, s trace.Step) (trace.Claim, error) {
	made, heard := m.dying()
	if !made {
		return trace.Claim{}, errDead
	}
	c, err := m.Memory.Claim(ctx, s)
	if !heard {
		return trace.Claim{}, errDead
	}
	return c, err
}

func (m *mortal) Append(ctx context.Context, s trace.Step) (trace.Step, error) {
	made, heard := m.dying()
	if !made {
		return s, errDead
	}
	kept, err := m.Memory.Append(ctx, s)
	if !heard {
		return s, errDead
	}
	return kept, err
}

// effects counts what tools did, by key.
type effects struct {
	mu   sync.Mutex
	made map[string]int
}

func (e *effects) of(key string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.made[key]
}

// breaking is a write that has its effect or not, and tells of it or not.
func (e *effects) breaking(chance func(int) int) func(context.Context, tool.Call) (tool.Result, error) {
	return func(ctx context.Context, c tool.Call) (tool.Result, error) {
		how := chance(8)
		if how < 6 {
			e.mu.Lock()
			e.made[c.Key]++
			e.mu.Unlock()
		}
		switch how {
		case 4:
			panic("after the effect")
		case 5:
			return tool.Result{}, fmt.Errorf("after the effect")
		case 6:
			return tool.Fail(tool.ExecutionError, "no", message.Verbatim("it did nothing")), nil
		case 7:
			panic("before the effect")
		}
		return echo(ctx, c)
	}
}

// seeing is a tool that can look whether its effect is there.
type seeing struct {
	tool.Tool
	e *effects
}

func (s seeing) Reconcile(_ context.Context, c tool.Call) (tool.Reconciled, error) {
	if s.e.of(c.Key) > 0 {
		return tool.Reconciled{Effect: tool.Committed, Result: tool.OK("found")}, nil
	}
	return tool.Reconciled{Effect: tool.Released}, nil
}

// TestCrashesAndRetries carries a plan of writes out through programs that die
// at random writes of the record, with tools that break at random, until it is
// done: no effect is there twice, none that is done is missing, and what nobody
// saw the end of waits for a person.
func TestCrashesAndRetries(t *testing.T) {
	crashes, people := 0, 0
	for seed := range uint64(200) {
		var mu sync.Mutex
		r := rand.New(rand.NewPCG(seed, 7))
		chance := func(n int) int { mu.Lock(); defer mu.Unlock(); return r.IntN(n) }
		happened := &effects{made: map[string]int{}}
		var tools []tool.Tool
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			made := newTool(happened.breaking(chance), writes, named(name))
			if chance(2) == 0 {
				made = seeing{made, happened}
			}
			tools = append(tools, made)
		}
		set, err := tool.NewSet(tools...)
		must.Succeed(t, err)
		p := planOf(t, act("a"), act("b", "a"), act("c"), act("d", "b", "c"), act("e"))
		log := &trace.Memory{}
		must.Succeed(t, log.Begin(t.Context(), tracetest.NewRun("r1", 0)))
		var o run.Outcome
		for program := 0; o.StopReason != trace.StopCompleted; program++ {
			if program == 100 {
				t.Fatalf("seed %d: not done after %d programs: %s (%v)", seed, program, statuses(o.Steps), o.Error)
			}
			m := &mortal{Memory: log, left: 1 + chance(14), after: chance(2) == 0}
			o = oneProgram(t, m, set, p, recordedDone(t, log))
			if m.died() {
				crashes++
				o = run.Outcome{} // nobody hears of it
			}
			people += lookAround(t, log, happened, chance)
		}
		for _, a := range p.Actions() {
			if key := "r1:" + a.ActionID; happened.of(key) != 1 {
				t.Errorf("seed %d: the effect of %s is there %d times", seed, key, happened.of(key))
			}
		}
	}
	t.Logf("%d crashes, %d effects that a person decided", crashes, people)
	if crashes < 100 || people < 20 {
		t.Errorf("%d crashes, %d effects that a person decided: the test looks at little", crashes, people)
	}
}

// oneProgram carries out what is left of a plan, as one program does.
func oneProgram(t *testing.T, log trace.Log, set *tool.Set, p plan.Plan, done map[string]trace.Step) run.Outcome {
	t.Helper()
	d := run.NewDispatcher(run.DispatcherOptions{Tools: set, Decide: always(allow), Log: log})
	o := run.NewEngine(d, run.EngineOptions{Parallel: 2}).Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: d.Prepare(t.Context(), "r1", p), Done: done})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	must.Succeed(t, d.Close(ctx))
	return o
}

func recordedDone(t *testing.T, log *trace.Memory) map[string]trace.Step {
	t.Helper()
	rec, err := log.Record(t.Context(), "r1")
	must.Succeed(t, err)
	done := map[string]trace.Step{}
	for _, s := range rec.Steps {
		if s.Status == trace.Done {
			done[s.StepID] = s
		}
	}
	return done
}

// lookAround is the time between two programs: the run is ended and taken up,
// and now and then a person says what became of a call. It checks the ledger
// against what happened on the way.
func lookAround(t *testing.T, log *trace.Memory, happened *effects, chance func(int) int) (decided int) {
	t.Helper()
	rec, err := log.Record(t.Context(), "r1")
	must.Succeed(t, err)
	ended := rec.Run
	ended.Status = trace.Interrupted
	must.Succeed(t, log.End(t.Context(), ended))
	must.Succeed(t, log.Resume(t.Context(), tracetest.ReadRun(log, "r1")))
	claims, err := log.Effects(t.Context(), "r1")
	must.Succeed(t, err)
	for _, c := range claims {
		n := happened.of(c.Key)
		if n > 1 || c.Effect == tool.Committed && n != 1 || c.Effect == tool.Released && n != 0 {
			t.Fatalf("%s is %s and happened %d times", c.Key, c.Effect, n)
		}
		if c.Effect != tool.Unknown || chance(3) > 0 {
			continue
		}
		decided++
		to := tool.Released
		if n > 0 {
			to = tool.Committed
		}
		must.Succeed(t, log.Settle(t.Context(), c.Key, to))
	}
	return decided
}
