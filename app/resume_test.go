package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/app/undo"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/event"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// TestResume: what is done is not done again.
func TestResume(t *testing.T) {
	a, _ := opened(t, Options{})
	calls := map[string]int{}
	broken := "B"
	a.o.Config.Env = slices.Clone(a.o.Config.Env)
	a.conf.Run.Parallel = 1
	a.replaceTool = func(t tool.Tool) tool.Tool {
		if t.Spec().Name != "files.create_folder" {
			return t
		}
		return tool.Func(t.Spec(), func(_ context.Context, c tool.Call) (tool.Result, error) {
			name := filepath.Base(c.Args["path"].(string))
			calls[name]++
			if name == broken {
				return tool.Fail(tool.ExecutionError, "stuck", message.Verbatim(name+" is stuck")), nil
			}
			return tool.OK(map[string]any{"created": true}), nil
		})
	}
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folders A, B and C in documents"})
	if err != nil || r.Status != trace.Failed {
		t.Fatalf("status %s, %v, %v", r.Status, r.Error, err)
	}
	broken = ""
	again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
	if err != nil || again.Status != trace.Done || again.RunID != r.RunID {
		t.Fatalf("resumed: %s, %v, %v", again.Status, again.Error, err)
	}
	for name, want := range map[string]int{"A": 1, "B": 2, "C": 1} {
		if calls[name] != want {
			t.Errorf("%s was called %d times, want %d", name, calls[name], want)
		}
	}
	if _, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID}); codeOf(err) != runs.CodeRunDone {
		t.Errorf("a run that is done: %v", err)
	}
}

func TestResumeSaysThatADraftWaits(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "Old")
	r, d := waitingDraft(t, a, "delete folder Old in documents")
	again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
	if err != nil || again.Status != trace.NeedsApproval || again.Error.Code != drafts.CodeAwaiting || !strings.Contains(say(again.Error.Hint), d.DraftID) || !there(paths[0]) {
		t.Errorf("resumed: %s, %+v, %v", again.Status, again.Error, err)
	}
}

// TestDiedWhileApplying: the program that applied a draft is no more.
func TestDiedWhileApplying(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "Old")
	r, d := waitingDraft(t, a, "delete folder Old in documents")
	dead := another(t, a)
	_, was, err := dead.Load(t.Context(), d.DraftID)
	must.Succeed(t, err)
	takes(t, dead, was, drafts.Answer{Yes: true}, nil)
	if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID}); codeOf(err) != drafts.CodeDraftApplying {
		t.Errorf("while it is being applied: %v", err)
	}
	must.Succeed(t, dead.Close())
	again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
	if err != nil || again.Status != trace.Done || there(paths[0]) || !slices.Equal(again.Applied, []string{"a1"}) {
		t.Fatalf("resumed: %s, %v, %v", again.Status, again.Error, err)
	}
	if d, err := a.ShowDraft(t.Context(), d.DraftID); err != nil || d.State != approval.StateApplied {
		t.Errorf("draft %s, %v", d.State, err)
	}
}

// TestUserDecidesUnknownOutcome.
func TestUserDecidesUnknownOutcome(t *testing.T) {
	for said, want := range map[string]int{"done": 1, "not-done": 2} {
		t.Run(said, func(t *testing.T) {
			a, _ := opened(t, Options{})
			calls := 0
			a.replaceTool = func(t tool.Tool) tool.Tool {
				if t.Spec().Name != "files.create_folder" {
					return t
				}
				return tool.Func(t.Spec(), func(_ context.Context, c tool.Call) (tool.Result, error) {
					if calls++; calls == 1 {
						panic("it broke in the middle")
					}
					return tool.OK(map[string]any{"created": true}), nil
				})
			}
			r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder A in documents"})
			if err != nil || r.Status != trace.Failed {
				t.Fatalf("status %s, %v, %v", r.Status, r.Error, err)
			}
			if r, err = a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID}); err != nil || r.Status != trace.Failed || r.Error.Code != trace.CodeOutcomeUnknown || calls != 1 {
				t.Fatalf("resumed without a word: %s, %+v, %v", r.Status, r.Error, err)
			}
			if _, err := a.Answer(t.Context(), r.RunID, map[string]string{"a1": "perhaps"}, nil); err == nil {
				t.Error("perhaps is no answer")
			}
			d, err := a.Answer(t.Context(), r.RunID, map[string]string{"a1": said}, nil)
			if err != nil || len(d.Actions) != 1 || (d.Actions[0].Status == drafts.ActionDone) != (said == "done") {
				t.Fatalf("answered: %+v, %v", d, err)
			}
			r, err = a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
			if err != nil || r.Status != trace.Done || calls != want {
				t.Errorf("status %s, %d calls, want %d; %v, %v", r.Status, calls, want, r.Error, err)
			}
		})
	}
}

func TestUndo(t *testing.T) {
	t.Run("X-07 undoing proposes the inverses and does nothing unasked", func(t *testing.T) {
		a, home := opened(t, Options{})
		a.conf.Run.Parallel = 1
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder A in documents and create folder B in documents"})
		if err != nil || r.Status != trace.Done {
			t.Fatalf("status %s, %v, %v", r.Status, r.Error, err)
		}
		paths := []string{filepath.Join(home, "Documents", "A"), filepath.Join(home, "Documents", "B")}
		d, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID)
		must.Succeed(t, err)
		if d.RunID == r.RunID || d.Undoes != r.RunID || len(d.Actions) != 2 || len(left(paths)) != 2 || d.State != approval.StateDraft {
			t.Fatalf("draft %+v, left %v", d, left(paths))
		}
		if first := d.Actions[0].Args["path"]; first != paths[1] || len(d.Actions[1].DependsOn) != 0 {
			t.Errorf("first %v, then after %v", first, d.Actions[1].DependsOn)
		}
		if same, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID); err != nil || same.DraftID != d.DraftID {
			t.Errorf("undo while one waits: %s, %v", same.DraftID, err)
		}
		if got := approved(t, a, runs.ApproveRequest{ID: d.DraftID}); got.Status != trace.Done || len(left(paths)) != 0 {
			t.Errorf("status %s, left %v, %+v", got.Status, left(paths), got.Error)
		}
		if _, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID); codeOf(err) != undo.CodeUndone {
			t.Errorf("undo twice: %v", err)
		}
	})

	t.Run("a folder that is in use stays", func(t *testing.T) {
		a, home := opened(t, Options{})
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder A in documents"})
		must.Succeed(t, err)
		d, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID)
		must.Succeed(t, err)
		kept := filepath.Join(home, "Documents", "A", "mine.txt")
		must.Succeed(t, os.WriteFile(kept, []byte("mine"), 0o600))
		if got, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID}); err == nil && got.Status == trace.Done || !there(kept) {
			t.Errorf("%s: the person's file is there: %t, %v", got.Status, there(kept), err)
		}
	})

	t.Run("nothing to undo", func(t *testing.T) {
		a, _ := opened(t, Options{})
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "what time is it"})
		must.Succeed(t, err)
		if _, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID); codeOf(err) != "nothing_to_undo" {
			t.Errorf("undo a reading: %v", err)
		}
	})
}

func TestSubscribe(t *testing.T) {
	a, home := opened(t, Options{})
	folders(t, home, "Old")
	sub, err := a.Subscribe(t.Context(), event.Filter{Sources: []string{"host/store"}})
	must.Succeed(t, err)
	defer sub.Close()
	_, d := waitingDraft(t, a, "delete folder Old in documents")
	for {
		select {
		case e := <-sub.C():
			if strings.HasSuffix(string(e.Resources[0]), "Draft."+d.DraftID) && e.DetailType == event.Put {
				return
			}
		case <-time.After(poll.Patience):
			t.Fatal("nothing is told of the draft")
		}
	}
}

func TestPrune(t *testing.T) {
	a, _ := opened(t, Options{})
	c := &clock{at: time.Now()}
	a.now = c.now
	if _, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "what time is it"}); err != nil {
		t.Fatal(err)
	}
	c.pass(48 * time.Hour)
	for i, want := range []int{1, 1, 0} { // counted, removed, gone
		r, err := a.Prune(t.Context(), 24*time.Hour, i == 0)
		if err != nil || r.Runs != want {
			t.Errorf("%d: %d runs, %v", i, r.Runs, err)
		}
	}
	if _, err := a.Prune(t.Context(), -time.Hour, true); err == nil {
		t.Error("pruned the future")
	}
}

// TestPruneKeepsPendingDrafts: a draft that can still be approved keeps its run,
// and one that ended goes with it.
func TestPruneKeepsPendingDrafts(t *testing.T) {
	a, home := opened(t, Options{})
	folders(t, home, "Old")
	_, d := waitingDraft(t, a, "delete folder Old in documents")
	if r, err := a.Prune(t.Context(), 0, false); err != nil || r.Runs != 0 || r.Drafts != 0 {
		t.Fatalf("while it waits: %+v, %v", r, err)
	}
	if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID}); r.Status != trace.Done {
		t.Fatalf("approved after it: %s, %v", r.Status, r.Error)
	}
	if r, err := a.Prune(t.Context(), 0, false); err != nil || r.Runs != 1 || r.Drafts != 1 {
		t.Errorf("after it was carried out: %+v, %v", r, err)
	}
}

// TestCrashAfterApply: all is done, and the record lacks its end.
func TestCrashAfterApply(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "Old")
	_, d := waitingDraft(t, a, "delete folder Old in documents")
	r := approved(t, a, runs.ApproveRequest{ID: d.DraftID})
	dead, err := Open(Options{Config: a.o.Config})
	must.Succeed(t, err)
	s, err := dead.storage()
	must.Succeed(t, err)
	if err := s.Resume(t.Context(), tracetest.ReadRun(s, r.RunID)); err != nil { // as it was before its end was written
		t.Fatal(err)
	}
	must.Succeed(t, dead.Close())
	folders(t, home, "Old") // another one by now
	again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
	if err != nil || again.Status != trace.Done || !there(paths[0]) {
		t.Errorf("resumed: %s, folder there %t, %v, %v", again.Status, there(paths[0]), again.Error, err)
	}
	rec, err := a.Record(t.Context(), r.RunID)
	if err != nil || rec.Status != trace.Done {
		t.Errorf("the run is %s, %v", rec.Status, err)
	}
}
