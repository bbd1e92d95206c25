//go:build window

package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// window is a running errand-desktop.
type window struct {
	t    *testing.T
	d    *display
	home string
	data string // where it keeps its records
	mark string // in the environment of every process that it starts
	cmd  *exec.Cmd
	log  <-chan string
	seen []string // log lines that were read
	left []string // what was running below it when it was asked to end
}

const program = "../../../bin/errand-desktop"

// openWindow starts errand-desktop in a home of its own.
func openWindow(t *testing.T, d *display, args ...string) *window {
	t.Helper()
	return openProgram(t, d, t.TempDir(), program, args...)
}

// openProgram starts a program with a window in a session of its own.
func openProgram(t *testing.T, d *display, home, program string, args ...string) *window {
	t.Helper()
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("%v: make desktop builds it", err)
	}
	w := &window{t: t, d: d, home: home, data: filepath.Join(home, "data"), mark: fmt.Sprintf("ERRAND_WINDOW_TEST=%d-%d", os.Getpid(), time.Now().UnixNano())}
	w.cmd = exec.Command("dbus-run-session", append([]string{"--", program}, args...)...)
	w.cmd.Env = append(os.Environ(), "DISPLAY="+d.name, "ERRAND_BROWSER_SHOW=never", w.mark, "HOME="+home,
		"XDG_DATA_HOME="+w.data, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "XDG_CONFIG_HOME="+filepath.Join(home, "config"),
		"XDG_STATE_HOME="+filepath.Join(home, "state"))
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.cmd.Stdout, w.cmd.Stderr = out, out
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	w.log = lines(r)
	t.Cleanup(func() {
		_ = syscall.Kill(-w.cmd.Process.Pid, syscall.SIGKILL)
		r.Close()
		if t.Failed() {
			t.Logf("the program said:\n%s", strings.Join(w.seen, "\n"))
		}
	})
	return w
}

// again starts the program a second time with the same record. It must end at once and
// successfully.
func (w *window) again(args ...string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = w.cmd.Env
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Errorf("a second start %q: %v\n%s", args, err, out)
	}
}

// await reads the log up to a line that matches pattern and contains none of the words in not,
// and returns its submatches.
func (w *window) await(pattern string, not ...string) []string {
	w.t.Helper()
	want := regexp.MustCompile(pattern)
	timeout := time.After(patience)
	for {
		select {
		case line, open := <-w.log:
			if !open {
				w.t.Fatalf("the program ended before it said %q", pattern)
			}
			w.seen = append(w.seen, line)
			m := want.FindStringSubmatch(line)
			if m != nil && !slices.ContainsFunc(not, func(word string) bool { return strings.Contains(line, word) }) {
				return m
			}
		case <-timeout:
			w.t.Fatalf("the program did not say %q within %v", pattern, patience)
		}
	}
}

func (w *window) typed(text string) {
	w.t.Helper()
	w.d.focus()
	w.d.mustRun("xdotool", "type", "--delay", "15", text)
}

func (w *window) press(key string) {
	w.t.Helper()
	w.left = w.processes()
	w.d.mustRun("xdotool", "key", key)
}

// signal sends sig to the program itself.
func (w *window) signal(sig syscall.Signal) {
	w.t.Helper()
	w.left = w.processes()
	for _, p := range w.left {
		if pid, name, _ := strings.Cut(p, " "); name == filepath.Base(program) {
			n, _ := strconv.Atoi(pid)
			if err := syscall.Kill(n, sig); err != nil {
				w.t.Fatal(err)
			}
			return
		}
	}
	w.t.Fatalf("the program is not among %v", w.left)
}

// gone waits until the program has ended and checks that it left nothing.
func (w *window) gone() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- w.cmd.Wait() }() // ends with the program, which the cleanup kills
	select {
	case err := <-ended:
		if err != nil {
			w.t.Errorf("the program ended with %v", err)
		}
	case <-ctx.Done():
		w.t.Fatalf("the program is still there; below it %v", w.processes())
	}
	// The session bus ends what it has started, a moment later.
	var left []string
	if !eventually(5*time.Second, func() bool {
		left = w.processes()
		for _, p := range w.left {
			if pid, name, _ := strings.Cut(p, " "); commandOf(pid) == name && !slices.Contains(left, p) {
				left = append(left, p)
			}
		}
		return len(left) == 0
	}) {
		w.t.Errorf("left behind: %v", left)
		return
	}
	for line := range w.log { // ends, because no writer is left
		w.seen = append(w.seen, line)
	}
}

// processes returns "pid command" of all processes that have the window's mark or descend from
// it.
func (w *window) processes() []string {
	w.t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		w.t.Fatal(err)
	}
	parents := map[string]string{}
	ours := map[string]bool{strconv.Itoa(w.cmd.Process.Pid): true}
	for _, e := range entries {
		pid := e.Name()
		if _, err := strconv.Atoi(pid); err != nil {
			continue
		}
		parents[pid] = parentOf(pid)
		env, err := os.ReadFile(filepath.Join("/proc", pid, "environ"))
		if err == nil && strings.Contains(string(env), w.mark) {
			ours[pid] = true
		}
	}
	var out []string
	for pid := range parents {
		for p := pid; p != "" && p != "0"; p = parents[p] {
			if ours[p] {
				if name := commandOf(pid); name != "" {
					out = append(out, pid+" "+name)
				}
				break
			}
		}
	}
	slices.Sort(out)
	return out
}

// statOf is /proc/<pid>/stat from the state on: the command before it may hold
// anything.
func statOf(pid string) []string {
	f, err := os.Open(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return nil
	}
	defer f.Close()
	b, _ := io.ReadAll(f)
	_, rest, _ := strings.Cut(string(b), ") ")
	return strings.Fields(rest)
}

func parentOf(pid string) string {
	if f := statOf(pid); len(f) > 1 && f[0] != "Z" {
		return f[1]
	}
	return ""
}

// commandOf returns the name of a process, or "" if it has ended or is a zombie.
func commandOf(pid string) string {
	if f := statOf(pid); len(f) == 0 || f[0] == "Z" {
		return ""
	}
	b, err := os.ReadFile(filepath.Join("/proc", pid, "comm"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
