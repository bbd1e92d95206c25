package tracetest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// ClaimStep is a call of a run that is about to have the effect key.
func ClaimStep(runID, stepID, key string) trace.Step {
	s := NewStep(runID, stepID)
	s.Status, s.Payload, s.Facts, s.EffectKey = trace.Running, nil, nil, key
	return s
}

// SettleStep returns a step that reports the state of an effect key.
func SettleStep(runID, stepID, key string, effect tool.EffectState) trace.Step {
	s := NewStep(runID, stepID)
	s.EffectKey, s.Effect = key, effect
	if effect != tool.Committed {
		s.Status, s.ErrorCode = trace.Failed, "it_failed"
		s.Error = tool.NewError(tool.ExecutionError, "it_failed", message.New("test.failed"))
	}
	return s
}

// stepLines is what a record shows of its steps: id, status and effect.
func stepLines(t *testing.T, log Log, runID string) []string {
	t.Helper()
	rec, err := log.Record(t.Context(), runID)
	check(t, err)
	out := []string{}
	for _, s := range rec.Steps {
		out = append(out, fmt.Sprint(s.StepID, " ", s.Status, " ", s.Effect))
	}
	return out
}

func wantShown(t *testing.T, log Log, runID string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), stepLines(t, log, runID)); diff != "" {
		t.Errorf("steps of %s (-want +got):\n%s", runID, diff)
	}
}

// claim claims a key and checks what it answers: a state, or the code of an error.
func claim(t *testing.T, log Log, step trace.Step, want string) trace.Claim {
	t.Helper()
	c, err := log.Claim(t.Context(), step)
	got := string(c.Effect)
	if err != nil {
		got = codeOf(err)
	}
	if got != want || err == nil && c.Key != step.EffectKey {
		t.Errorf("Claim of %s for %s/%s = %s (%q), want %s", step.EffectKey, step.RunID, step.StepID, got, c.Key, want)
	}
	return c
}

func appendStep(t *testing.T, log Log, step trace.Step) {
	t.Helper()
	if _, err := log.Append(t.Context(), step); err != nil {
		t.Fatal(err)
	}
}

func beginRuns(t *testing.T, log Log, ids ...string) {
	t.Helper()
	for i, id := range ids {
		check(t, log.Begin(t.Context(), NewRun(id, i)))
	}
}

func endRun(t *testing.T, log Log, id string, status trace.Status) {
	t.Helper()
	run := NewRun(id, 0)
	run.Status = status
	check(t, log.End(t.Context(), run))
}

func claims(t *testing.T, log Log) {
	beginRuns(t, log, "r1")
	claim(t, log, ClaimStep("r1", "a1", "k1"), "PENDING")
	claim(t, log, ClaimStep("r1", "a2", "k2"), "PENDING")
	wantShown(t, log, "r1", "a1 running PENDING", "a2 running PENDING")
	appendStep(t, log, SettleStep("r1", "a1", "k1", tool.Committed))
	wantShown(t, log, "r1", "a1 done COMMITTED", "a2 running PENDING")
	claim(t, log, ClaimStep("r1", "a3", ""), trace.CodeEffectUnnamed)
}

func unknownOutcome(t *testing.T, log Log) {
	beginRuns(t, log, "r1")
	claim(t, log, ClaimStep("r1", "a1", "k1"), "PENDING")
	endRun(t, log, "r1", trace.Interrupted)
	wantShown(t, log, "r1", "a1 interrupted UNKNOWN")
	rec, err := log.Record(t.Context(), "r1")
	check(t, err)
	if s := rec.Steps[0]; s.ErrorCode != trace.CodeOutcomeUnknown || s.Error == nil || s.Error.Hint.IsZero() {
		t.Errorf("step = %+v, want it interrupted with an unknown outcome and a hint", s)
	}
}

func claimedOnce(t *testing.T, log Log) {
	beginRuns(t, log, "r1")
	call := ClaimStep("r1", "a1", "k1")
	claim(t, log, call, "PENDING")
	claim(t, log, call, trace.CodeEffectUnderWay)
	claim(t, log, ClaimStep("r1", "a2", "k1"), trace.CodeEffectUnderWay)

	first := SettleStep("r1", "a1", "k1", tool.Committed)
	first.Artifacts = []tool.Artifact{{Name: "x", MediaType: "text/plain", Data: []byte("abc")}}
	first, err := log.Append(t.Context(), first)
	check(t, err)
	first.Artifacts[0].Data = nil
	repeated := SettleStep("r1", "a1", "k1", tool.Committed)
	repeated.Payload, repeated.PolicyFlags = nil, []string{trace.FlagRepeated}
	for range 2 { // also after the repetition was recorded
		c := claim(t, log, call, "COMMITTED")
		for i := range c.Step.Artifacts {
			c.Step.Artifacts[i].Data = nil
		}
		if diff := cmp.Diff(first, c.Step); diff != "" || !c.Recorded {
			t.Errorf("the step of the committed claim (-want +got):\n%s", diff)
		}
		appendStep(t, log, repeated)
	}
}

func testSettle(t *testing.T, log Log) {
	refused := SettleStep("r1", "a1", "k1", tool.Released) // as one that was never called
	tests := []struct {
		name  string
		steps []trace.Step // after the claim of k1 by a1
		end   bool         // the run, before the steps
		claim string
		lines []string
	}{
		{"committed", []trace.Step{SettleStep("r1", "a1", "k1", tool.Committed)}, false, "COMMITTED", []string{"a1 done COMMITTED"}},
		{"released", []trace.Step{SettleStep("r1", "a1", "k1", tool.Released)}, false, "PENDING", []string{"a1 failed RELEASED", "a1 running PENDING"}},
		{"unknown", []trace.Step{SettleStep("r1", "a1", "k1", tool.Unknown)}, false, "UNKNOWN", []string{"a1 failed UNKNOWN"}},
		{"a step that says nothing", []trace.Step{SettleStep("r1", "a1", "k1", "")}, false, "UNKNOWN", []string{"a1 failed "}},
		{"a step of another call", []trace.Step{SettleStep("r1", "a2", "k1", tool.Released)}, false, trace.CodeEffectUnderWay, []string{"a2 failed RELEASED", "a1 running PENDING"}},
		{"a step of another key", []trace.Step{SettleStep("r1", "a1", "k2", tool.Committed)}, false, trace.CodeEffectUnderWay, []string{"a1 done COMMITTED", "a1 running PENDING"}},
		{"a step without a key", []trace.Step{NewStep("r1", "a1")}, false, trace.CodeEffectUnderWay, []string{"a1 done ", "a1 running PENDING"}},
		{"another step finds the effect", []trace.Step{SettleStep("r1", "a2", "k1", tool.Committed)}, false, "COMMITTED", []string{"a2 done COMMITTED"}},
		{"what is committed stays so", []trace.Step{SettleStep("r1", "a1", "k1", tool.Committed), SettleStep("r1", "a1", "k1", tool.Unknown)}, false, "COMMITTED", []string{"a1 done COMMITTED", "a1 failed UNKNOWN"}},
		{"a late end is believed", []trace.Step{SettleStep("r1", "a1", "k1", tool.Committed)}, true, "COMMITTED", []string{"a1 done COMMITTED"}},
		{"a refusal decides nothing that is unknown", []trace.Step{refused}, true, "UNKNOWN", []string{"a1 failed RELEASED", "a1 interrupted UNKNOWN"}},
		{"an unknown one that is settled shows once", []trace.Step{SettleStep("r1", "a1", "k1", tool.Unknown)}, true, "UNKNOWN", []string{"a1 failed UNKNOWN"}},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run := fmt.Sprintf("r%d", i)
			key := run + ":k"
			beginRuns(t, log, run)
			claim(t, log, ClaimStep(run, "a1", key), "PENDING")
			if tt.end {
				endRun(t, log, run, trace.Interrupted)
				claim(t, log, ClaimStep(run, "a1", run+":other"), trace.CodeRunEnded)
			}
			for _, s := range tt.steps {
				s.RunID = run
				if s.EffectKey == "k1" {
					s.EffectKey = key
				}
				appendStep(t, log, s)
			}
			if tt.end {
				check(t, log.Resume(t.Context(), ReadRun(log, run)))
			}
			claim(t, log, ClaimStep(run, "a1", key), tt.claim)
			wantShown(t, log, run, tt.lines...)
		})
	}
}

func testDecide(t *testing.T, log Log) {
	ctx := t.Context()
	settle := func(key string, to tool.EffectState, want string) {
		t.Helper()
		if err := log.Settle(ctx, key, to); codeOf(err) != want {
			t.Errorf("Settle(%s, %s): %v, want code %q", key, to, err, want)
		}
	}
	beginRuns(t, log, "r1")
	settle("k1", tool.Committed, trace.CodeEffectSettled) // there is none
	claim(t, log, ClaimStep("r1", "a1", "k1"), "PENDING")
	settle("k1", tool.Committed, trace.CodeEffectSettled) // it is under way
	claim(t, log, ClaimStep("r1", "a2", "k2"), "PENDING")
	claim(t, log, ClaimStep("r1", "a3", "k3"), "PENDING")
	appendStep(t, log, SettleStep("r1", "a3", "k3", tool.Unknown))
	endRun(t, log, "r1", trace.Interrupted)
	settle("k1", tool.Pending, trace.CodeEffectSettled)
	settle("k1", tool.Unknown, trace.CodeEffectSettled)
	settle("k1", "", trace.CodeEffectSettled)
	settle("k1", tool.Committed, "")
	settle("k2", tool.Released, "")
	settle("k3", tool.Committed, "")
	settle("k1", tool.Released, trace.CodeEffectSettled)
	settle("k2", tool.Committed, trace.CodeEffectSettled)
	wantShown(t, log, "r1", "a3 failed UNKNOWN", "a1 interrupted COMMITTED", "a2 interrupted RELEASED")

	effects, err := log.Effects(ctx, "r1")
	check(t, err)
	var got []string
	for _, c := range effects {
		got = append(got, fmt.Sprint(c.Key, " ", c.Effect, " ", c.Step.StepID, " ", c.Recorded))
	}
	if diff := cmp.Diff([]string{"k1 COMMITTED a1 false", "k2 RELEASED a2 false", "k3 COMMITTED a3 false"}, got); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
	if none, err := log.Effects(ctx, "r9"); err != nil || none == nil || len(none) > 0 {
		t.Errorf("effects of an unknown run: %#v, %v", none, err)
	}

	check(t, log.Resume(ctx, ReadRun(log, "r1")))
	claim(t, log, ClaimStep("r1", "a1", "k1"), "COMMITTED")
	claim(t, log, ClaimStep("r1", "a2", "k2"), "PENDING")
	claim(t, log, ClaimStep("r1", "a3", "k3"), "COMMITTED")
	repeated := SettleStep("r1", "a1", "k1", tool.Committed)
	repeated.PolicyFlags = []string{trace.FlagRepeated}
	appendStep(t, log, repeated) // tells of what was decided
	wantShown(t, log, "r1", "a3 failed UNKNOWN", "a1 done COMMITTED", "a2 running PENDING")
}

func acrossRuns(t *testing.T, log Log) {
	beginRuns(t, log, "r1", "r2", "r3")
	const key = "tg:callback:42"
	claim(t, log, ClaimStep("r1", "a1", key), "PENDING")
	claim(t, log, ClaimStep("r2", "a7", key), trace.CodeEffectUnderWay)
	endRun(t, log, "r1", trace.Interrupted)
	claim(t, log, ClaimStep("r2", "a7", key), "UNKNOWN")
	reconciled := SettleStep("r2", "a7", key, tool.Committed)
	reconciled.PolicyFlags = []string{trace.FlagReconciled}
	appendStep(t, log, reconciled)
	c := claim(t, log, ClaimStep("r3", "a1", key), "COMMITTED")
	if diff := cmp.Diff(reconciled, c.Step); diff != "" {
		t.Errorf("the step of the claim (-want +got):\n%s", diff)
	}
	wantShown(t, log, "r1", "a1 interrupted COMMITTED") // its own end was never seen
	wantShown(t, log, "r2", "a7 done COMMITTED")
	wantShown(t, log, "r3")

	const other = "tg:callback:43" // whose first call tells itself that its end is unknown
	claim(t, log, ClaimStep("r2", "a8", other), "PENDING")
	appendStep(t, log, SettleStep("r2", "a8", other, tool.Unknown))
	claim(t, log, ClaimStep("r3", "a1", other), "UNKNOWN")
	appendStep(t, log, SettleStep("r3", "a1", other, tool.Committed))
	wantShown(t, log, "r2", "a7 done COMMITTED", "a8 failed UNKNOWN")
	wantShown(t, log, "r3", "a1 done COMMITTED")
}

func tornAppend(t *testing.T, log Log) {
	beginRuns(t, log, "r1", "r2")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, key := range []string{"k1", "k2"} {
		claim(t, log, ClaimStep("r1", "a-"+key, key), "PENDING")
		if _, err := log.Append(ctx, SettleStep("r1", "a-"+key, key, tool.Committed)); err == nil {
			t.Fatal("Append with an ended context succeeded")
		}
	}
	claim(t, log, ClaimStep("r2", "a1", "k1"), "UNKNOWN")
	claim(t, log, ClaimStep("r1", "a-k1", "k1"), "UNKNOWN")
	check(t, log.Settle(t.Context(), "k1", tool.Released))
	claim(t, log, ClaimStep("r2", "a1", "k1"), "PENDING")
	appendStep(t, log, SettleStep("r1", "a-k2", "k2", tool.Committed)) // a second attempt to record it
	claim(t, log, ClaimStep("r2", "a2", "k2"), "COMMITTED")
}

func claimRace(t *testing.T, log Log) {
	beginRuns(t, log, "r1", "r2")
	var all sync.WaitGroup
	var mu sync.Mutex
	got := map[string]int{}
	for i := range 12 {
		all.Go(func() {
			c, err := log.Claim(t.Context(), ClaimStep(fmt.Sprintf("r%d", i%2+1), fmt.Sprint("a", i), "k"))
			result := string(c.Effect)
			if err != nil {
				result = codeOf(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got[result]++
		})
	}
	all.Wait()
	if diff := cmp.Diff(map[string]int{"PENDING": 1, trace.CodeEffectUnderWay: 11}, got); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
}

func testResume(t *testing.T, log Log) {
	ctx := t.Context()
	beginRuns(t, log, "r1")
	if err := log.Resume(ctx, ReadRun(log, "r1")); codeOf(err) != trace.CodeRunUnderWay {
		t.Errorf("Resume of a run under way: %v, want %s", err, trace.CodeRunUnderWay)
	}
	claim(t, log, ClaimStep("r1", "a1", "k1"), "PENDING")
	run := NewRun("r1", 0)
	run.Status, run.State, run.StopReason, run.Answer = trace.Failed, trace.StateError, trace.StopMaxFailures, message.New("answer.no")
	run.Error = tool.NewError(tool.ExecutionError, "x", message.New("test.x"))
	check(t, log.End(ctx, run))
	for _, seen := range []trace.Run{{RunID: "r1", Status: trace.NeedsApproval}, {RunID: "r1", Status: trace.Failed, DraftID: "d1"}} {
		if err := log.Resume(ctx, seen); codeOf(err) != trace.CodeRunUnderWay {
			t.Errorf("Resume of a run that has changed since it was %s: %v, want %s", seen.Status, err, trace.CodeRunUnderWay)
		}
	}
	check(t, log.Resume(ctx, ReadRun(log, "r1")))
	if err := log.Resume(ctx, ReadRun(log, "r1")); codeOf(err) != trace.CodeRunUnderWay {
		t.Errorf("a second Resume: %v, want %s", err, trace.CodeRunUnderWay)
	}
	rec, err := log.Record(ctx, "r1")
	check(t, err)
	want := run
	want.Status, want.State, want.StopReason, want.Error = trace.Running, trace.StateInit, "", nil
	if diff := cmp.Diff(want, rec.Run); diff != "" {
		t.Errorf("resumed (-want +got):\n%s", diff)
	}
	wantShown(t, log, "r1", "a1 interrupted UNKNOWN")
	claim(t, log, ClaimStep("r1", "a1", "k1"), "UNKNOWN")
}

func excerpts(t *testing.T, log Log) {
	beginRuns(t, log, "r1")
	claim(t, log, ClaimStep("r1", "claimed", "k"), "PENDING")
	for i := range 10 {
		appendStep(t, log, NewStep("r1", fmt.Sprint("a", i)))
		if i < 5 {
			check(t, log.Note(t.Context(), trace.Event{RunID: "r1", StepID: fmt.Sprint("a", i), Kind: "x", Time: Start}))
			check(t, log.AddTurn(t.Context(), trace.Turn{RunID: "r1", Number: i, Body: json.RawMessage("{}")}))
		}
	}
	for _, tt := range []struct {
		n                      int
		steps, events          []string
		omitted, omittedEvents int
	}{
		{0, []string{"claimed"}, nil, 10, 5},
		{-3, []string{"claimed"}, nil, 10, 5},
		{1, []string{"a0", "a9", "claimed"}, []string{"a0", "a4"}, 8, 3},
		{2, []string{"a0", "a1", "a8", "a9", "claimed"}, []string{"a0", "a1", "a3", "a4"}, 6, 1},
		{5, []string{"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "claimed"}, []string{"a0", "a1", "a2", "a3", "a4"}, 0, 0},
		{99, []string{"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "claimed"}, []string{"a0", "a1", "a2", "a3", "a4"}, 0, 0},
	} {
		rec, err := log.Excerpt(t.Context(), "R1", tt.n)
		check(t, err)
		var steps, events []string
		for _, s := range rec.Steps {
			steps = append(steps, s.StepID)
		}
		for _, e := range rec.Events {
			events = append(events, e.StepID)
		}
		if want := min(2*max(tt.n, 0), 5); len(rec.Turns) != want || rec.OmittedTurns != 5-want || want > 0 && rec.Turns[want-1].Number != 4 {
			t.Errorf("Excerpt(%d) has the turns %+v and omits %d", tt.n, rec.Turns, rec.OmittedTurns)
		}
		if rec.Steps == nil || rec.Events == nil {
			t.Errorf("Excerpt(%d) has lists that are nil", tt.n)
		}
		if diff := cmp.Diff(tt.steps, steps) + cmp.Diff(tt.events, events); diff != "" || rec.OmittedSteps != tt.omitted || rec.OmittedEvents != tt.omittedEvents {
			t.Errorf("Excerpt(%d) omits %d and %d, want %d and %d (-want +got):\n%s", tt.n, rec.OmittedSteps, rec.OmittedEvents, tt.omitted, tt.omittedEvents, diff)
		}
	}
	if _, err := log.Excerpt(t.Context(), "r9", 1); codeOf(err) != trace.CodeRunNotFound {
		t.Errorf("Excerpt of an unknown run: %v", err)
	}
}
