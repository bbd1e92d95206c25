//go:build linux

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"errand/build/must"
	"errand/build/poll"
)

// TestKilledRunLeavesNothing kills the program with SIGKILL during a run. Its browser ends within
// three seconds, and the next run removes the profile and shows the killed run as interrupted.
func TestKilledRunLeavesNothing(t *testing.T) {
	needBrowser(t)
	home := t.TempDir()
	cache := filepath.Join(home, "cache")
	program := func(args ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+home,
			"XDG_CONFIG_HOME="+home+"/config", "XDG_DATA_HOME="+home+"/data", "XDG_CACHE_HOME="+cache)
		return cmd
	}
	killed := program("demo", "--json")
	must.Succeed(t, killed.Start())
	poll.Await(t, "the browser starts", func() bool { return len(processesWith(t, cache)) > 1 })
	must.Succeed(t, killed.Process.Signal(syscall.SIGKILL))
	if err := killed.Wait(); err == nil {
		t.Fatal("the program ended by itself before it could be killed")
	}
	poll.Await(t, "the browser ends with it", func() bool { return len(processesWith(t, cache)) == 0 })
	left, err := filepath.Glob(filepath.Join(cache, "errand", "browser", "*"))
	if err != nil || len(left) == 0 {
		t.Fatalf("profiles after the kill = %v, %v; want the one that was in use", left, err)
	}

	if out, err := program("demo", "--json").CombinedOutput(); err != nil {
		t.Fatalf("the next run: %v\n%s", err, out)
	}
	for _, profile := range left {
		if _, err := os.Stat(profile); err == nil {
			t.Errorf("%s is still there after the next run", profile)
		}
	}
	out, err := program("runs").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "interrupted") {
		t.Errorf("runs = %s, %v; want one that was interrupted", out, err)
	}
	if rest := processesWith(t, cache); len(rest) > 0 {
		t.Errorf("processes left: %v", rest)
	}
}

// processesWith lists the processes that name text on their command line.
func processesWith(t *testing.T, text string) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	must.Succeed(t, err)
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if b, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline")); err == nil && strings.Contains(string(b), text) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestFollowUpAfterKill kills the program with SIGKILL during a run. "It" doesn't silently mean what
// the goal before that run was about, until another goal has ended.
func TestFollowUpAfterKill(t *testing.T) {
	needBrowser(t)
	home := t.TempDir()
	cache := filepath.Join(home, "cache")
	program := func(args ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], append([]string{"demo"}, args...)...)
		cmd.Env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+home,
			"XDG_CONFIG_HOME="+home+"/config", "XDG_DATA_HOME="+home+"/data", "XDG_CACHE_HOME="+cache)
		return cmd
	}
	run := func(words string) {
		t.Helper()
		if out, err := program(words).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", words, err, out)
		}
	}
	asks := func() bool {
		t.Helper()
		out, _ := program("--dry-run", "--json", "read it").Output() // a question ends with an exit code
		return strings.Contains(string(out), "question.follow_up_unclear")
	}
	run("open youtube")
	if asks() {
		t.Error("asked although no run was killed")
	}
	killed := program("open wikipedia")
	must.Succeed(t, killed.Start())
	poll.Await(t, "the browser starts", func() bool { return len(processesWith(t, cache)) > 1 })
	must.Succeed(t, killed.Process.Signal(syscall.SIGKILL))
	if err := killed.Wait(); err == nil {
		t.Fatal("the program ended by itself before it could be killed")
	}
	poll.Await(t, "the browser ends with it", func() bool { return len(processesWith(t, cache)) == 0 })
	if !asks() {
		t.Error("not asked after a run was killed")
	}
	run("open github")
	if asks() {
		t.Error("asked although a later run has ended")
	}
}
