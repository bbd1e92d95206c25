//go:build unix

package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
)

const (
	programs    = 4
	goalsOfEach = 12
	sharedWaits = 12 // drafts that all of them approve
	oldRuns     = 12 // that all of them prune
)

// said is what a program tells of one thing that it did.
type said struct {
	What   string       `json:"what"` // run, approve, prune, read
	Of     string       `json:"of"`   // run, goal or draft
	Status trace.Status `json:"status,omitempty"`
	Code   string       `json:"code,omitempty"`
	Error  string       `json:"error,omitempty"`
	Hint   string       `json:"hint,omitempty"`
	Typed  bool         `json:"typed"`
}

// share is one of several programs over one data folder: it runs goals of its
// own, approves the drafts that all of them approve, prunes what is old and
// reads all the while.
func share(ctx context.Context, a *App, home, number string) int {
	out := json.NewEncoder(os.Stdout)
	tell := func(what, of string, r runs.Report, err error) {
		s := said{What: what, Of: of, Status: r.Status, Typed: true}
		e := r.Error
		if err != nil {
			s.Error, e = err.Error(), nil
			s.Typed = errors.As(err, &e)
		}
		if e != nil {
			s.Code, s.Error, s.Hint = e.Code, say(e.Message), say(e.Hint)
		}
		_ = out.Encode(s)
	}
	poll.WaitUntil(func() bool { return there(filepath.Join(home, "go")) })
	b, err := os.ReadFile(filepath.Join(home, "drafts"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	listed := strings.Fields(string(b))
	for i := range goalsOfEach {
		goal := fmt.Sprintf("create folder p%sg%d in documents", number, i)
		r, err := a.Start(ctx, runs.Request{Origin: plan.UserGoal, Words: goal})
		tell("run", r.RunID, r, err)
		if i < len(listed) {
			r, err := a.Approve(ctx, runs.ApproveRequest{ID: listed[i], By: "p" + number})
			tell("approve", listed[i], r, err)
		}
		_, err = a.Prune(ctx, 24*time.Hour, false)
		tell("prune", "", runs.Report{}, err)
		records, err := a.ListRuns(ctx, 0)
		tell("read", "runs", runs.Report{}, err)
		if len(records) > 0 {
			id := records[(i*7)%len(records)].RunID
			_, err = a.ShowRun(ctx, id)
			tell("read", id, runs.Report{}, err)
		}
		_, err = a.ListDrafts(ctx, true)
		tell("read", "drafts", runs.Report{}, err)
	}
	return 0
}

// TestManyProgramsShareOneFolder: four programs over one data folder run,
// approve, prune and read at once. Nothing is lost, nothing happens twice, and
// what one of them can't do it says in plain words.
func TestManyProgramsShareOneFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("starts several programs")
	}
	home := filepath.Join(t.TempDir(), "blind")
	a := scene(t, home)
	old := time.Now().Add(-48 * time.Hour)
	a.now = func() time.Time { return old }
	for i := range oldRuns {
		if r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: fmt.Sprintf("create folder old%d in documents", i)}); err != nil || r.Status != trace.Done {
			t.Fatalf("an old run: %s, %v, %v", r.Status, r.Error, err)
		}
	}
	a.now = time.Now
	var listed []string
	want := map[string]int{} // path → how often
	for i := range sharedWaits {
		name := fmt.Sprintf("Old%d", i)
		want[folders(t, home, name)[0]] = 1
		_, d := waitingDraft(t, a, "delete folder "+name+" in documents")
		listed = append(listed, d.DraftID)
	}
	must.Succeed(t, os.WriteFile(filepath.Join(home, "drafts"), []byte(strings.Join(listed, "\n")), 0o600))
	told := together(t, home)

	codes := map[string]int{}
	carried := map[string]int{} // draft → programs that saw it done
	ran := map[string]bool{}
	for _, s := range told {
		codes[s.What+" "+string(s.Status)+" "+s.Code]++
		switch {
		case !s.Typed, s.Error != "" && s.Code == "":
			t.Errorf("%s %s: an error without a code: %s", s.What, s.Of, s.Error)
		case s.What == "run" && s.Status == trace.Done:
			ran[s.Of] = true
		case s.What == "approve" && s.Status == trace.Done:
			carried[s.Of]++
		case s.What == "approve" && slices.Contains([]string{"draft_moved", drafts.CodeDraftApplying, trace.CodeRunUnderWay}, s.Code):
		case s.What == "read" && s.Code == trace.CodeRunNotFound: // pruned between list and look
		case s.Error != "" || s.What == "run" || s.What == "approve":
			t.Errorf("%s %s: status %s, %s %s", s.What, s.Of, s.Status, s.Code, s.Error)
		}
	}
	for n := range programs {
		for i := range goalsOfEach {
			want[filepath.Join(home, "Documents", fmt.Sprintf("p%dg%d", n, i))] = 1
		}
	}
	for i := range oldRuns {
		want[filepath.Join(home, "Documents", fmt.Sprintf("old%d", i))] = 1
	}
	if got := count(filepath.Join(home, "counted")); !maps.Equal(got, want) {
		t.Errorf("effects %v, want each of %d once", got, len(want))
	}
	for _, id := range listed {
		d, err := a.ShowDraft(t.Context(), id)
		if err != nil || d.State != approval.StateApplied || carried[id] == 0 {
			t.Errorf("draft %s is %s, %d programs saw it done, %v", id, d.State, carried[id], err)
		}
		rec := record(t, a, d.RunID)
		if steps := len(rec.Steps); rec.Status != trace.Done || steps != 1 {
			t.Errorf("run %s of draft %s is %s with %d steps", d.RunID, id, rec.Status, steps)
		}
	}
	records, err := a.ListRuns(t.Context(), 0)
	if err != nil || len(records) != programs*goalsOfEach+sharedWaits || len(ran) != programs*goalsOfEach {
		t.Errorf("%d runs on record, %d told of, %v; want those of %d programs and %d drafts, and no old ones", len(records), len(ran), err, programs, sharedWaits)
	}
	for _, r := range records {
		if rec := record(t, a, r.RunID); rec.Status != trace.Done {
			t.Errorf("run %s (%s) is %s: %v", r.RunID, r.Goal, rec.Status, rec.Error)
		}
	}
	recordsReplay(t, a)
	sound(t, home)
	t.Logf("%v", codes)
}
