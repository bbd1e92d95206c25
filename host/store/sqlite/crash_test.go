package sqlite_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

// The test binary is also the program that is killed: with childEnv set to a
// folder it records there until it dies.
const (
	childEnv = "ERRAND_STORE_TEST_CHILD" // the folder
	roleEnv  = "ERRAND_STORE_TEST_ROLE"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		if err := child(dir, os.Getenv(roleEnv)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child plays a role in the folder. What it prints has been acknowledged.
func child(dir, role string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := sqlite.Open(ctx, dir, sqlite.Options{})
	if err != nil {
		return err
	}
	if role == "jobs" {
		return work(ctx, s, dir)
	}
	if role == "events" {
		return tell(ctx, s)
	}
	name := fmt.Sprintf("p%d", os.Getpid())
	if err := s.Begin(ctx, tracetest.NewRun(name, 0)); err != nil {
		return err
	}
	fmt.Println("begun", name)
	for i := 0; role == "forever" || i < 50; i++ {
		step := tracetest.NewStep(name, fmt.Sprintf("a%d", i))
		step.Artifacts = []tool.Artifact{{Name: "x", MediaType: "text/plain", Data: []byte(name + step.StepID)}}
		step.EffectKey, step.Effect = name+":"+step.StepID, tool.Committed
		if _, err := s.Claim(ctx, step); err != nil {
			return err
		}
		fmt.Println("claimed", name, step.StepID)
		if _, err := s.Append(ctx, step); err != nil {
			return err
		}
		fmt.Println("appended", name, step.StepID)
	}
	run := tracetest.NewRun(name, 0)
	run.Status = trace.Done
	if err := s.End(ctx, run); err != nil {
		return err
	}
	return s.Close()
}

// start starts a child; its standard output is the caller's to read.
func start(t *testing.T, dir, role string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+dir, roleEnv+"="+role)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

// TestKill: a program that is killed at any moment loses nothing that was
// acknowledged, and tears nothing.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	for range 12 {
		cmd, out := start(t, dir, "forever")
		var acknowledged []string
		for out.Scan() { // until it is killed and its pipe ends
			acknowledged = append(acknowledged, out.Text())
			if len(acknowledged) == 1 {
				time.AfterFunc(time.Duration(rand.IntN(60_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
			}
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the child ended by itself")
		}
		checkKilled(t, dir, acknowledged)
	}
	checkIntegrity(t, dir)
}

func checkKilled(t *testing.T, dir string, acknowledged []string) {
	t.Helper()
	if len(acknowledged) == 0 {
		t.Fatal("the child did nothing")
	}
	s := open(t, dir, sqlite.Options{})
	name := strings.Fields(acknowledged[0])[1]
	rec, err := s.Record(t.Context(), name)
	must.Succeed(t, err)
	if rec.Status != trace.Interrupted || rec.Error == nil {
		t.Errorf("the killed run is %s (%v), want interrupted", rec.Status, rec.Error)
	}
	status := map[string]trace.Status{}
	for _, step := range rec.Steps {
		if _, twice := status[step.StepID]; twice {
			t.Errorf("step %s is there twice", step.StepID)
		}
		status[step.StepID] = step.Status
		if step.Status != trace.Done {
			if step.ErrorCode != trace.CodeOutcomeUnknown {
				t.Errorf("step %s: %+v", step.StepID, step)
			}
			continue
		}
		if b, err := os.ReadFile(step.Artifacts[0].Path); err != nil || string(b) != name+step.StepID {
			t.Errorf("artifact of %s: %q, %v", step.StepID, b, err)
		}
	}
	for _, line := range acknowledged {
		f := strings.Fields(line)
		switch {
		case f[0] == "appended" && status[f[2]] != trace.Done:
			t.Errorf("%s was acknowledged and is %q", line, status[f[2]])
		case f[0] == "claimed" && status[f[2]] == "":
			t.Errorf("%s was acknowledged and is lost", line)
		}
	}
	if n := len(rec.Steps); n > len(acknowledged)/2+1 {
		t.Errorf("%d steps from %d acknowledgements", n, len(acknowledged))
	}
}

func checkIntegrity(t *testing.T, dir string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "errand.db"))
	must.Succeed(t, err)
	defer db.Close()
	var answer string
	if err := db.QueryRowContext(context.WithoutCancel(t.Context()), "PRAGMA integrity_check").Scan(&answer); err != nil || answer != "ok" {
		t.Errorf("integrity_check: %s, %v", answer, err)
	}
}

// TestPrograms: several programs make and use one folder at once.
func TestPrograms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	var all sync.WaitGroup
	for range 4 {
		cmd, out := start(t, dir, "")
		all.Go(func() {
			for out.Scan() {
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("a program failed: %v", err)
			}
		})
	}
	all.Wait()
	s := open(t, dir, sqlite.Options{})
	runs, err := s.Runs(t.Context(), 0)
	if err != nil || len(runs) != 4 {
		t.Fatalf("%d runs (%v), want 4", len(runs), err)
	}
	for _, r := range runs {
		rec, err := s.Record(t.Context(), r.RunID)
		if err != nil || rec.Status != trace.Done || len(rec.Steps) != 50 {
			t.Errorf("run %s: %s with %d steps (%v), want done with 50", r.RunID, rec.Status, len(rec.Steps), err)
		}
	}
	checkIntegrity(t, dir)
}

// TestRunsOfOthers: a run shows as running while its program lives, and as
// interrupted from the moment it is gone, also to one that was open before.
func TestRunsOfOthers(t *testing.T) {
	dir := t.TempDir()
	watching := open(t, dir, sqlite.Options{})
	reading := open(t, dir, sqlite.Options{ReadOnly: true})
	cmd, out := start(t, dir, "forever")
	if !out.Scan() {
		t.Fatal("the child did nothing")
	}
	check := func(want trace.Status) {
		t.Helper()
		for _, s := range []*sqlite.Store{watching, reading} {
			runs, err := s.Runs(t.Context(), 0)
			if err != nil || len(runs) != 1 || runs[0].Status != want {
				t.Errorf("runs = %+v (%v), want one that is %s", runs, err, want)
			}
		}
	}
	check(trace.Running)
	if p, err := watching.Prune(t.Context(), time.Now().Add(time.Hour)); p.Runs != 0 || err != nil {
		t.Errorf("Prune removed %d runs (%v), want none: it is under way", p.Runs, err)
	}
	must.Succeed(t, cmd.Process.Kill())
	for out.Scan() {
	}
	_ = cmd.Wait()
	check(trace.Interrupted)
	if p, err := watching.Prune(t.Context(), time.Now().Add(time.Hour)); p.Runs != 1 || err != nil {
		t.Errorf("Prune removed %d runs (%v), want 1", p.Runs, err)
	}
	if locks, _ := os.ReadDir(filepath.Join(dir, "owners")); len(locks) != 0 {
		t.Errorf("lock files are left: %v", locks)
	}
}
