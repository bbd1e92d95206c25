//go:build unix

package app

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// This file kills the program at random points of runs with five writes, and
// takes them up again until they end. The writes go to a counting tool: each
// call adds a line to a file, so that a second call shows.

const (
	kills     = 200
	writes    = 5
	asProgram = "ERRAND_CORE_CHILD"
)

// counting stands in for files.create_folder. Unlike a folder, its effect is
// there twice if it is called twice.
type counting struct {
	spec tool.Spec
	file string
}

func (c counting) Spec() tool.Spec { return c.spec }

func (c counting) Call(_ context.Context, call tool.Call) (tool.Result, error) {
	time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond) // before, between and after the effect are all to be hit
	f, err := os.OpenFile(c.file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return tool.Result{}, err
	}
	_, err = fmt.Fprintln(f, call.Args["path"]) // one write: a line is there or not
	if err := errors.Join(err, f.Close()); err != nil {
		return tool.Result{}, err
	}
	time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
	return tool.OK(map[string]any{"path": call.Args["path"], "created": true}), nil
}

// looking can tell afterwards whether it was called.
type looking struct{ counting }

func (l looking) Reconcile(_ context.Context, call tool.Call) (tool.Reconciled, error) {
	if count(l.file)[fmt.Sprint(call.Args["path"])] > 0 {
		return tool.Reconciled{Effect: tool.Committed, Result: tool.OK(map[string]any{"path": call.Args["path"], "created": true})}, nil
	}
	return tool.Reconciled{Effect: tool.Released}, nil
}

func count(file string) map[string]int {
	b, _ := os.ReadFile(file)
	lines := map[string]int{}
	for line := range strings.Lines(string(b)) {
		lines[strings.TrimSuffix(line, "\n")]++
	}
	return lines
}

func init() { asProgramDo = child }

// child is the program in a process of its own: "run GOAL", "share N", "die N",
// or the id of a run that is to be resumed.
func child(args []string) int {
	home, how, goal := args[0], args[1], args[2]
	a, err := openCounting(home)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer a.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var report runs.Report
	switch how {
	case "share":
		return share(ctx, a, home, goal)
	case "approve":
		return approveAndDie(ctx, a, goal)
	case "die":
		return dieAt(ctx, a, home, goal)
	case "allow":
		return allowAndDie(ctx, a, home, goal)
	}
	if how == "run" {
		report, err = a.Start(ctx, runs.Request{Origin: plan.UserGoal, Words: goal})
	} else {
		report, err = a.Resume(ctx, runs.ResumeRequest{ID: how})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if report.Status != trace.Done {
		fmt.Fprintf(os.Stderr, "%s: %v\n", report.Status, report.Error)
		return 1
	}
	return 0
}

func openCounting(home string) (*App, error) {
	o := Options{}
	o.Config.Env = []string{"HOME=" + home, "XDG_CACHE_HOME=" + filepath.Join(home, "cache")}
	a, err := Open(o)
	if err != nil {
		return nil, err
	}
	a.replaceTool = func(t tool.Tool) tool.Tool {
		if name := t.Spec().Name; name != "files.create_folder" && name != "files.delete_folder" {
			return t
		}
		c := counting{t.Spec(), filepath.Join(home, "counted")}
		if strings.HasSuffix(home, "looking") {
			return looking{c}
		}
		return c
	}
	return a, nil
}

func TestKilledRunRepeatsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for half a minute")
	}
	for _, name := range []string{"blind", "looking"} {
		t.Run(name, func(t *testing.T) { t.Parallel(); killAndResume(t, name) })
	}
}

func killAndResume(t *testing.T, name string) {
	home := filepath.Join(t.TempDir(), name)
	must.Succeed(t, os.MkdirAll(filepath.Join(home, "Documents"), 0o700))
	counted := filepath.Join(home, "counted")
	var whole time.Duration // of a run that nobody kills; the first one makes the record
	for _, name := range []string{"first", "calm"} {
		began := time.Now()
		if err := start(t, home, "run", goalOf(name)).Wait(); err != nil {
			t.Fatalf("a run that nobody kills: %v", err)
		}
		whole = time.Since(began)
	}
	a, err := openCounting(home)
	must.Succeed(t, err)
	defer a.Close()
	killed, unknown, resumed := 0, 0, 0
	for i := 0; killed < kills/2; i++ {
		goal := goalOf(fmt.Sprint("k", i))
		if killAfter(t, start(t, home, "run", goal), whole) {
			killed++
		}
		id := runOf(t, a, goal)
		if id == "" { // killed before the run was written down: then nothing may have happened
			for path, n := range count(counted) {
				if strings.Contains(path, fmt.Sprint("/k", i, "x")) {
					t.Fatalf("%s happened %d times in a run that nobody knows", path, n)
				}
			}
			continue
		}
		for try := 0; ; try++ {
			rec := record(t, a, id)
			if got, err := a.Replay(t.Context(), id); err != nil || !got.IsSame {
				t.Errorf("the record of a run that is %s does not replay: %+v, %v", rec.Status, got.Difference, err)
			}
			if rec.Status == trace.Done {
				break
			}
			if try == 30 {
				t.Fatalf("run %s does not end: %s %v", id, rec.Status, rec.Error)
			}
			for action, path := range unknowns(rec) { // where the tool can't look, a person does, and says
				if name == "looking" {
					break
				}
				unknown++
				said := "not-done"
				if count(counted)[path] > 0 {
					said = "done"
				}
				if _, err := a.Answer(t.Context(), id, map[string]string{action: said}, nil); err != nil {
					t.Fatalf("decide %s of %s: %v", action, id, err)
				}
			}
			resumed++
			again := start(t, home, id, goal)
			if rand.IntN(3) == 0 {
				if killAfter(t, again, whole) {
					killed++
				}
				continue
			}
			if err := again.Wait(); err != nil && name == "looking" {
				t.Fatalf("resume %s, whose tool can look: %v", id, err)
			}
		}
		for n := range writes {
			path := filepath.Join(home, "Documents", fmt.Sprintf("k%dx%d", i, n+1))
			if got := count(counted)[path]; got != 1 {
				t.Fatalf("after a kill and resumption %s happened %d times", path, got)
			}
		}
	}
	records, err := a.ListRuns(t.Context(), 0)
	must.Succeed(t, err)
	for _, r := range records {
		record(t, a, r.RunID)
	}
	t.Logf("%d kills, %d resumptions, %d effects that a person decided, %d runs on record", killed, resumed, unknown, len(records))
}

func goalOf(prefix string) string {
	var names []string
	for n := range writes {
		names = append(names, fmt.Sprintf("create folder %sx%d in documents", prefix, n+1))
	}
	return strings.Join(names, " and ")
}

func start(t *testing.T, home, how, goal string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], home, how, goal)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Stderr = os.Stderr
	must.Succeed(t, cmd.Start())
	return cmd
}

// killAfter kills the process somewhere in the time that a run takes, and says
// whether it was still there.
func killAfter(t *testing.T, cmd *exec.Cmd, whole time.Duration) bool {
	t.Helper()
	time.Sleep(whole/4 + rand.N(whole*3/4))
	_ = cmd.Process.Kill() // it may have ended
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}

func runOf(t *testing.T, a *App, goal string) string {
	t.Helper()
	records, err := a.ListRuns(t.Context(), 0)
	must.Succeed(t, err)
	i := slices.IndexFunc(records, func(r trace.Run) bool { return r.Goal == goal })
	if i < 0 {
		return ""
	}
	return records[i].RunID
}

func record(t *testing.T, a *App, id string) trace.Record {
	t.Helper()
	rec, err := a.Record(t.Context(), id)
	if err != nil {
		t.Fatalf("the record of %s: %v", id, err)
	}
	return rec
}

// unknowns are the actions of a record whose effect nobody knows, with their
// paths. The last step of an action counts.
func unknowns(rec trace.Record) map[string]string {
	out := map[string]string{}
	for _, s := range rec.Steps {
		if s.ErrorCode == trace.CodeOutcomeUnknown {
			out[s.StepID] = fmt.Sprint(s.Args["path"])
		} else {
			delete(out, s.StepID)
		}
	}
	return out
}
