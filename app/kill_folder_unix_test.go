//go:build unix

package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"errand/app/grants"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// fatal kills the program before or after the effect of a tool.
type fatal struct {
	looking
	die func(stage string)
}

func (d fatal) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	d.die("before the call")
	r, err := d.looking.Call(ctx, call)
	d.die("after the call")
	return r, err
}

// allowAndDie is the program that asks about a folder, is answered "once", and dies at a stage.
func allowAndDie(ctx context.Context, a *App, home, stage string) int {
	die := func(at string) {
		if at == stage {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			<-ctx.Done()
		}
	}
	a.replaceTool = func(t tool.Tool) tool.Tool {
		if t.Spec().Name != "files.create_folder" {
			return t
		}
		return fatal{looking{counting{t.Spec(), filepath.Join(home, "counted")}}, die}
	}
	_, err := a.Start(ctx, runs.Request{
		Origin: plan.UserGoal, Words: "create folder Trip in pictures",
		Ask: func(_ context.Context, q plan.Question) (string, error) { return q.Choices[0].Value, nil },
		Permit: func(ctx context.Context, runID string, access grants.Access, always bool) (string, error) {
			die("before the grant")
			id, err := a.Grants().Permit(ctx, runID, access, always)
			die("after the grant")
			return id, err
		},
	})
	fmt.Fprintln(os.Stderr, "not killed", err)
	return 3
}

// TestKilledAfterFolderAnswer kills the program between the answer to the question about a folder and the
// end of the call in it. The run goes on with the answer, and its effect happens once. No other run may use
// the folder, and nothing happens in one that took its place.
func TestKilledAfterFolderAnswer(t *testing.T) {
	for _, stage := range []string{"before the grant", "after the grant", "before the call", "after the call"} {
		for _, exchanged := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, exchanged %t", stage, exchanged), func(t *testing.T) {
				home := filepath.Join(t.TempDir(), "looking")
				for _, folder := range []string{"Documents", "Pictures", "Other"} {
					must.Succeed(t, os.MkdirAll(filepath.Join(home, folder), 0o700))
				}
				counted := filepath.Join(home, "counted")
				calls := func() (n int) {
					for _, of := range count(counted) {
						n += of
					}
					return n
				}
				err := start(t, home, "allow", stage).Wait()
				var exit interface{ Sys() any }
				if !errors.As(err, &exit) {
					t.Fatalf("it was not killed: %v", err)
				} else if status, ok := exit.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
					t.Fatalf("it was not killed: %v", err)
				}
				before := calls()
				if exchanged {
					must.Succeed(t, os.Rename(filepath.Join(home, "Pictures"), filepath.Join(home, "Moved")))
					must.Succeed(t, os.Symlink("Other", filepath.Join(home, "Pictures")))
				}
				a, err := openCounting(home)
				must.Succeed(t, err)
				defer a.Close()
				asked := 0
				another := runs.Request{Origin: plan.UserGoal, Words: "list files in pictures", Permit: a.Grants().Permit, Ask: func(context.Context, plan.Question) (string, error) {
					asked++
					return "no", nil
				}}
				if r, err := a.Start(t.Context(), another); err != nil || r.Status != trace.Cancelled || asked != 1 {
					t.Errorf("another run: %s, asked %d times, %v, %v", r.Status, asked, r.Error, err)
				}
				id := runOf(t, a, "create folder Trip in pictures")
				if id == "" { // it was killed before the run was recorded
					if before > 0 || strings.HasSuffix(stage, "the call") {
						t.Errorf("%d calls of a run that is not recorded", before)
					}
					return
				}
				r, err := a.Resume(t.Context(), runs.ResumeRequest{ID: id})
				must.Succeed(t, err)
				switch {
				case !exchanged && (r.Status != trace.Done || calls() != 1):
					t.Errorf("%s with %d calls: %v", r.Status, calls(), r.Error)
				case exchanged && (calls() != before || before == 0 && r.Status == trace.Done):
					t.Errorf("in another folder: %s with %d calls, %d before", r.Status, calls(), before)
				}
				given, err := a.Grants().Grants(t.Context(), true)
				must.Succeed(t, err)
				for _, g := range given {
					if g.Folder != "" && (g.Scope == policy.Always || g.Run != id) {
						t.Errorf("granted: %+v", g)
					}
				}
			})
		}
	}
}
