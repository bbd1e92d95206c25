// Package tracetest is the contract of [trace.Log] and [trace.Reader] as
// tests. Every implementation runs it:
//
//	func TestLog(t *testing.T) {
//		tracetest.Run(t, func(t *testing.T) tracetest.Log { return &trace.Memory{} })
//	}
package tracetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Log is what is tested: a record that can be written and read.
type Log interface {
	trace.Log
	trace.Reader
}

// Start is the time of the first run in the tests.
var Start = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)

// Run tests the logs that open makes. Each test gets an empty one; open
// arranges for its end.
func Run(t *testing.T, open func(t *testing.T) Log) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Log)
	}{
		{"a run comes back as it was written", roundTrip},
		{"runs are listed newest first, without their documents", testList},
		{"a run is found by a prefix of its id", prefixes},
		{"an id is taken once", testTwice},
		{"nothing is recorded in a run that was not begun", notBegun},
		{"steps keep their order and their repetition", order},
		{"a step is a copy", copies},
		{"what a call produced is named by its content", artifacts},
		{"a claim shows until its step settles it", claims},
		{"a claim without a step has an unknown outcome", unknownOutcome},
		{"an effect is claimed once", claimedOnce},
		{"a step settles the claim of its key", testSettle},
		{"only an unknown effect can be decided", testDecide},
		{"a key holds across runs", acrossRuns},
		{"a step that could not be recorded leaves its effect unknown", tornAppend},
		{"of many that claim a key, one gets it", claimRace},
		{"a run is resumed unless it is under way", testResume},
		{"an excerpt has the ends of a long run", excerpts},
		{"several goroutines record at once", concurrent},
		{"a context that has ended records nothing", testCancelled},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// ReadRun reads a run, as it was recorded.
func ReadRun(log Log, id string) trace.Run {
	rec, err := log.Record(context.Background(), id)
	if err != nil {
		return trace.Run{RunID: id}
	}
	return rec.Run
}

// NewRun is a run as it begins, the n-th minute after Start.
func NewRun(id string, n int) trace.Run {
	return trace.Run{
		RunID: id, Goal: "open youtube & search “nvidia”", Status: trace.Running,
		StartedAt: Start.Add(time.Duration(n) * time.Minute), Actions: 1,
		Interpretation: json.RawMessage(`{"status":"ok"}`), Result: json.RawMessage(`{"status":"success"}`),
		State: trace.StateInit, Setting: json.RawMessage(`{"world":{}}`),
	}
}

// SampleMessage is a message with parameters of every kind.
var SampleMessage = message.New("test.said", "path", "/tmp/<a> & b", "n", 3, "size", 1.5, "ok", true,
	"cause", message.New("test.cause", "n", 7, "all", []any{"x", message.New("test.deep", "name", "y")}),
	"names", []string{"a", "b"}, "numbers", []int{1, 2}, "text", message.Verbatim("EOF"))

// NewStep is a step that worked, with every field set.
func NewStep(runID, stepID string) trace.Step {
	return trace.Step{
		RunID: runID, StepID: stepID, ToolName: "browser.open", ArgsHash: tool.HashArgs(nil), DurationMS: 1500,
		Status: trace.Done, StartedAt: Start.Add(time.Second), Verdict: "allow", Rule: "user_goal_tools",
		Reason: SampleMessage, Attempts: 1, PolicyFlags: []string{"retried"}, Artifacts: []tool.Artifact{},
		Args:    map[string]any{"url": "https://example.com/?a=1&b=<2>", "n": 1.5, "deep": []any{map[string]any{"ok": true}}},
		Payload: map[string]any{"title": "A \x1b[31mtitle\u202e", "none": nil}, Facts: []string{"page_open", "!exists:/tmp/x"},
		Untrusted: &tool.Untrusted{
			Tool: "browser.open", StepID: stepID, From: []string{"example.com"}, Withheld: 3,
			Findings: []tool.Finding{{Path: "/title", Technique: "override", Start: 1, End: 9, Excerpt: "Ignore <all>"}},
		},
		Aside: []string{"title"},
	}
}

func roundTrip(t *testing.T, log Log) {
	ctx := t.Context()
	run := NewRun("r1", 0)
	check(t, log.Begin(ctx, run))
	step := NewStep("r1", "a1")
	failed := NewStep("r1", "a2")
	failed.Status, failed.ErrorCode, failed.Payload = trace.Failed, "no_page", nil
	failed.Error = tool.NewError(tool.ToolUnavailable, "no_page", SampleMessage).WithHint(message.New("test.open_one"))
	for _, s := range []trace.Step{step, failed} {
		if _, err := log.Append(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	event := trace.EventOf("r1", Start.Add(2*time.Second), trace.ConnectionNote{Host: "example.com:443", Verdict: "allow", Rule: "list", Reason: SampleMessage, Step: "a1"})
	check(t, log.Note(ctx, event))
	turns := []trace.Turn{
		{RunID: "r1", Number: 1, Role: "assistant", At: Start.Add(3 * time.Second), ElapsedMS: 70, Body: json.RawMessage(`{"text":"said","n":1.5}`)},
		{RunID: "r1", Number: 1, Role: "tool", At: Start.Add(4 * time.Second), Body: json.RawMessage(`[]`)},
	}
	for _, turn := range turns {
		check(t, log.AddTurn(ctx, turn))
	}
	run.Status, run.DurationMS, run.Answer = trace.Failed, 2500, SampleMessage
	run.Error, run.State, run.StopReason, run.DraftID = failed.Error, trace.StateError, trace.StopMaxFailures, "d1"
	ended := run
	ended.Setting = nil // that of Begin stays
	check(t, log.End(ctx, ended))

	got, err := log.Record(ctx, "r1")
	check(t, err)
	want := trace.Record{Run: run, Steps: []trace.Step{step, failed}, Events: []trace.Event{event}, Turns: turns}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}

	empty := trace.Run{RunID: "r2", StartedAt: Start.In(time.FixedZone("elsewhere", 3600))}
	check(t, log.Begin(ctx, empty))
	check(t, log.End(ctx, trace.Run{RunID: "r2", StartedAt: empty.StartedAt, Status: trace.Done}))
	got, err = log.Record(ctx, "r2")
	check(t, err)
	want = trace.Record{
		Run:   trace.Run{RunID: "r2", StartedAt: Start, Status: trace.Done},
		Steps: []trace.Step{}, Events: []trace.Event{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("empty record (-want +got):\n%s", diff)
	}
}

func testList(t *testing.T, log Log) {
	ctx := t.Context()
	runs, err := log.Runs(ctx, 0)
	check(t, err)
	if runs == nil || len(runs) != 0 {
		t.Errorf("Runs of an empty log = %#v, want an empty list", runs)
	}
	for i, minute := range []int{1, 3, 2} { // not in the order of time
		run := NewRun(fmt.Sprintf("r%d", i), minute)
		check(t, log.Begin(ctx, run))
		run.Status = trace.Done
		check(t, log.End(ctx, run))
	}
	for _, test := range []struct {
		limit int
		want  []string
	}{
		{0, []string{"r1", "r2", "r0"}},
		{2, []string{"r1", "r2"}},
		{9, []string{"r1", "r2", "r0"}},
	} {
		runs, err := log.Runs(ctx, test.limit)
		check(t, err)
		var got []string
		for _, r := range runs {
			got = append(got, r.RunID)
			if r.Interpretation != nil || r.Result != nil || r.Setting != nil {
				t.Errorf("run %s is listed with its documents", r.RunID)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Runs(%d) (-want +got):\n%s", test.limit, diff)
		}
	}
}

func prefixes(t *testing.T, log Log) {
	ctx := t.Context()
	for _, id := range []string{"01abc", "01abd", "01abc9"} {
		check(t, log.Begin(ctx, NewRun(id, 0)))
	}
	for _, test := range []struct{ typed, want, code string }{
		{"01abd", "01abd", ""},
		{"01ABD", "01abd", ""},
		{"01abc", "01abc", ""}, // the whole of one id wins over the beginning of another
		{"01abc9", "01abc9", ""},
		{"01ab", "", trace.CodeRunAmbiguous},
		{"", "", trace.CodeRunNotFound},
		{"%", "", trace.CodeRunNotFound},
		{"_1abd", "", trace.CodeRunNotFound},
		{"02", "", trace.CodeRunNotFound},
		{"01abd0", "", trace.CodeRunNotFound},
	} {
		rec, err := log.Record(ctx, test.typed)
		if rec.RunID != test.want || codeOf(err) != test.code {
			t.Errorf("Record(%q) = %q, %v; want %q, code %q", test.typed, rec.RunID, err, test.want, test.code)
		}
		if e := (*tool.Error)(nil); errors.As(err, &e) && e.Class != tool.ValidationError {
			t.Errorf("Record(%q) fails with class %s, want validation_error", test.typed, e.Class)
		}
	}
}

func testTwice(t *testing.T, log Log) {
	check(t, log.Begin(t.Context(), NewRun("r1", 0)))
	if err := log.Begin(t.Context(), NewRun("r1", 1)); codeOf(err) != trace.CodeRunBegunTwice {
		t.Errorf("a second Begin of one id: %v, want code %s", err, trace.CodeRunBegunTwice)
	}
	rec, err := log.Record(t.Context(), "r1")
	check(t, err)
	if !rec.StartedAt.Equal(Start) {
		t.Errorf("the second Begin changed the run: it started at %v", rec.StartedAt)
	}
}

func notBegun(t *testing.T, log Log) {
	ctx := t.Context()
	_, appendErr := log.Append(ctx, NewStep("r9", "a1"))
	_, claimErr := log.Claim(ctx, ClaimStep("r9", "a1", "k"))
	for what, err := range map[string]error{
		"Append": appendErr, "Claim": claimErr, "Resume": log.Resume(ctx, trace.Run{RunID: "r9"}),
		"Note": log.Note(ctx, trace.Event{RunID: "r9"}), "AddTurn": log.AddTurn(ctx, trace.Turn{RunID: "r9", Body: json.RawMessage("1")}), "End": log.End(ctx, NewRun("r9", 0)),
	} {
		if codeOf(err) != trace.CodeRunNotBegun {
			t.Errorf("%s: %v, want code %s", what, err, trace.CodeRunNotBegun)
		}
	}
}

func order(t *testing.T, log Log) {
	ctx := t.Context()
	check(t, log.Begin(ctx, NewRun("r1", 0)))
	want := []string{"a2", "a1", "a2", "a10"}
	for _, id := range want {
		if _, err := log.Append(ctx, NewStep("r1", id)); err != nil {
			t.Fatal(err)
		}
	}
	rec, err := log.Record(ctx, "r1")
	check(t, err)
	var got []string
	for _, s := range rec.Steps {
		got = append(got, s.StepID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func copies(t *testing.T, log Log) {
	ctx := t.Context()
	check(t, log.Begin(ctx, NewRun("r1", 0)))
	step := NewStep("r1", "a1")
	if _, err := log.Append(ctx, step); err != nil {
		t.Fatal(err)
	}
	step.Args["url"], step.PolicyFlags[0] = "changed", "changed"
	for range 2 {
		rec, err := log.Record(ctx, "r1")
		check(t, err)
		if diff := cmp.Diff(NewStep("r1", "a1"), rec.Steps[0]); diff != "" {
			t.Fatalf("the recorded step changed with its source or a reader (-want +got):\n%s", diff)
		}
		rec.Steps[0].Args["url"] = "changed"
	}
}

func artifacts(t *testing.T, log Log) {
	ctx := t.Context()
	check(t, log.Begin(ctx, NewRun("r1", 0)))
	step := NewStep("r1", "a1")
	step.Artifacts = []tool.Artifact{
		{Name: "shot.png", MediaType: "image/png", Data: []byte("abc")},
		{Name: "again", MediaType: "image/png", Data: []byte("abc")},
		{Name: "elsewhere", MediaType: "text/plain", SHA256: "ff", Size: 7},
		{Name: "empty", MediaType: "text/plain", Data: []byte{}},
	}
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	want := []tool.Artifact{
		{Name: "shot.png", MediaType: "image/png", SHA256: abc, Size: 3},
		{Name: "again", MediaType: "image/png", SHA256: abc, Size: 3},
		{Name: "elsewhere", MediaType: "text/plain", SHA256: "ff", Size: 7},
		{Name: "empty", MediaType: "text/plain", SHA256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	}
	place := cmpopts.IgnoreFields(tool.Artifact{}, "Path", "Data")
	appended, err := log.Append(ctx, step)
	check(t, err)
	if diff := cmp.Diff(want, appended.Artifacts, place); diff != "" {
		t.Errorf("appended (-want +got):\n%s", diff)
	}
	rec, err := log.Record(ctx, "r1")
	check(t, err)
	if diff := cmp.Diff(appended.Artifacts, rec.Steps[0].Artifacts, cmpopts.IgnoreFields(tool.Artifact{}, "Data")); diff != "" {
		t.Errorf("read, against appended (-want +got):\n%s", diff)
	}
	if step.Artifacts[0].SHA256 != "" {
		t.Error("Append changed the caller's step")
	}
}

func concurrent(t *testing.T, log Log) {
	ctx := t.Context()
	const runs, steps = 4, 25
	var all sync.WaitGroup
	for r := range runs {
		all.Go(func() {
			id := fmt.Sprintf("r%d", r)
			if err := log.Begin(ctx, NewRun(id, r)); err != nil {
				t.Error(err)
			}
			for s := range steps {
				step := NewStep(id, fmt.Sprintf("a%d", s))
				step.Artifacts = []tool.Artifact{{Name: "same", MediaType: "image/png", Data: []byte("same")}}
				step.EffectKey, step.Effect = id+":"+step.StepID, tool.Committed
				if c, err := log.Claim(ctx, step); err != nil || c.Effect != tool.Pending {
					t.Errorf("claim %s: %s, %v", step.EffectKey, c.Effect, err)
				}
				if _, err := log.Append(ctx, step); err != nil {
					t.Error(err)
				}
				if _, err := log.Record(ctx, id); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for r := range runs {
		rec, err := log.Record(ctx, fmt.Sprintf("r%d", r))
		check(t, err)
		if len(rec.Steps) != steps {
			t.Errorf("run r%d has %d steps, want %d", r, len(rec.Steps), steps)
		}
	}
}

func testCancelled(t *testing.T, log Log) {
	check(t, log.Begin(t.Context(), NewRun("r1", 0)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := log.Append(ctx, NewStep("r1", "a1")); err == nil {
		t.Error("Append with an ended context succeeded")
	}
	if err := log.Begin(ctx, NewRun("r2", 1)); err == nil {
		t.Error("Begin with an ended context succeeded")
	}
	rec, err := log.Record(t.Context(), "r1")
	check(t, err)
	if len(rec.Steps) != 0 {
		t.Errorf("steps = %v, want none", rec.Steps)
	}
	runs, err := log.Runs(t.Context(), 0)
	check(t, err)
	if len(runs) != 1 {
		t.Errorf("%d runs, want 1", len(runs))
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// codeOf is the code of a typed error, "" for nil, and the text of an untyped
// one, which no test wants.
func codeOf(err error) string {
	var e *tool.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return err.Error()
}
