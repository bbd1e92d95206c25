package cli

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"errand/build/must"
	"errand/build/poll"
)

// screen is a machine with a display, on which a test runs the program.
type screen struct {
	t       *testing.T
	home    string
	env     []string
	site    string // the address of a site that policy allows
	display string
	program string // "": the test binary
}

// newScreen starts an X server and a site with the pages of mux.
func newScreen(t *testing.T, mux *http.ServeMux) *screen {
	t.Helper()
	needBrowser(t)
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	ready, write, err := os.Pipe()
	must.Succeed(t, err)
	x := exec.Command(path, "-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset")
	x.ExtraFiles = []*os.File{write}
	must.Succeed(t, x.Start())
	t.Cleanup(func() { _, _ = x.Process.Kill(), x.Wait() })
	_ = write.Close()
	number, err := bufio.NewReader(ready).ReadString('\n')
	must.Succeed(t, err)

	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	home, err := os.MkdirTemp("", "e") // a socket's path is short
	must.Succeed(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	must.Succeed(t, os.Mkdir(filepath.Join(home, "run"), 0o700))
	s := &screen{t: t, home: home, site: site.URL, display: ":" + strings.TrimSpace(number)}
	s.env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+home, "XDG_CONFIG_HOME="+home+"/config", "XDG_DATA_HOME="+home+"/data",
		"XDG_CACHE_HOME="+home+"/cache", "XDG_STATE_HOME="+home+"/state", "XDG_RUNTIME_DIR="+home+"/run", "DISPLAY="+s.display,
		"ERRAND_POLICY_ALLOW_PRIVATE="+strings.TrimPrefix(site.URL, "http://"), "ERRAND_POLICY_ALLOWED_DOMAINS=@catalogue,"+site.URL)
	t.Cleanup(func() {
		_ = s.command("stop").Run()
		poll.Await(t, "all processes end", func() bool { return len(processesWith(t, home))+len(s.agents()) == 0 })
	})
	return s
}

func (s *screen) command(args ...string) *exec.Cmd {
	program := s.program
	if program == "" {
		program = os.Args[0]
	}
	cmd := exec.Command(program, args...)
	cmd.Env = s.env
	return cmd
}

// run runs a command that has to succeed, and returns what it prints.
func (s *screen) run(args ...string) string {
	s.t.Helper()
	out, err := s.command(args...).CombinedOutput()
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(s.home, "state/errand/agentd.log"))
		s.t.Fatalf("%q: %v\n%s\n%s", args, err, out, log)
	}
	return string(out)
}

var pidOfAgent = regexp.MustCompile(`browser window: process (\d+),`)

// agent returns the id of the resident process, 0 without one.
func (s *screen) agent() int {
	s.t.Helper()
	m := pidOfAgent.FindStringSubmatch(s.run("doctor"))
	if m == nil {
		return 0
	}
	pid, err := strconv.Atoi(m[1])
	must.Succeed(s.t, err)
	return pid
}

// agents returns the resident processes of the machine, by their command line and environment.
func (s *screen) agents() (pids []string) {
	s.t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	must.Succeed(s.t, err)
	for _, p := range all {
		line, _ := os.ReadFile(filepath.Join(p, "cmdline"))
		env, _ := os.ReadFile(filepath.Join(p, "environ"))
		if strings.Contains(string(line), "\x00agentd\x00") && strings.Contains(string(env), "HOME="+s.home+"\x00") {
			pids = append(pids, filepath.Base(p))
		}
	}
	return pids
}

// pages returns the number of pages that doctor counts.
func (s *screen) pages() string {
	s.t.Helper()
	_, after, _ := strings.Cut(s.run("doctor"), "browser window: ")
	line, _, _ := strings.Cut(after, "\n")
	if m := regexp.MustCompile(`with (\d+) open page`).FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return "0"
}

// visitCount counts the visits of pages.
type visitCount struct {
	mu sync.Mutex
	n  map[string]int
}

func (v *visitCount) add(path string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.n == nil {
		v.n = map[string]int{}
	}
	v.n[path]++
}

func (v *visitCount) of(path string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.n[path]
}

// titles serves pages whose title is their path, and counts their visits. The page /slow
// never loads.
func titles(visits *visitCount) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { // until the browser is gone
		visits.add(r.URL.Path)
		<-r.Context().Done()
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		visits.add(r.URL.Path)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>at %s</title><h1>%s</h1>", r.URL.Path, r.URL.Path)
	})
	return mux
}

// TestWindowStays checks that goals that open a page share one window of one process, which stays
// after the commands, and that stop ends all of it.
func TestWindowStays(t *testing.T) {
	s := newScreen(t, titles(new(visitCount)))
	out := s.run("open " + s.site + "/one")
	if !strings.Contains(out, "Opened "+s.site+"/one: at /one") || strings.Contains(out, "screenshot") {
		t.Errorf("open prints %q", out)
	}
	first := s.agent()
	if first == 0 || s.pages() != "1" {
		t.Fatalf("process %d with %s pages", first, s.pages())
	}
	s.run("open " + s.site + "/two") // of the same host, in the same tab
	if again := s.agent(); again != first || s.pages() != "1" {
		t.Errorf("process %d with %s pages, want %d with 1", again, s.pages(), first)
	}
	s.run("open " + s.site + "/three and " + s.site + "/four") // of one goal
	if s.pages() != "2" {
		t.Errorf("%s pages after two more, want 2", s.pages())
	}
	out = s.run("read " + s.site + "/five") // unseen
	if !strings.Contains(out, "/five") || s.pages() != "2" {
		t.Errorf("read prints %q; %s pages", out, s.pages())
	}
	if out := s.run("demo", "open github"); !strings.Contains(out, "Opened https://github.com/") || strings.Contains(out, "screenshot") || len(s.agents()) != 2 {
		t.Errorf("the demo prints %q; %d processes", out, len(s.agents()))
	}
	if out := s.run("stop"); !strings.Contains(out, "closed") {
		t.Errorf("stop prints %q", out)
	}
	if rest := processesWith(t, s.home); len(rest)+len(s.agents()) > 0 {
		t.Errorf("processes left: %v %v", rest, s.agents())
	}
	if out := s.run("stop"); !strings.Contains(out, "no browser window is open") {
		t.Errorf("a second stop prints %q", out)
	}
}

// TestKilledAgent kills the resident process: the next goal starts another one and says so.
func TestKilledAgent(t *testing.T) {
	s := newScreen(t, titles(new(visitCount)))
	s.run("open " + s.site + "/one")
	first := s.agent()
	must.Succeed(t, syscall.Kill(first, syscall.SIGKILL))
	poll.Await(t, "the browser ends with it", func() bool { return len(processesWith(t, s.home)) == 0 })
	if out := s.run("open " + s.site + "/two"); !strings.Contains(out, "closed by a failure; a new one has opened") {
		t.Errorf("the next goal prints %q", out)
	}
	if out := s.run("open " + s.site + "/three"); strings.Contains(out, "failure") {
		t.Errorf("the goal after it prints %q", out)
	}
	if again := s.agent(); again == 0 || again == first {
		t.Errorf("process %d after %d", again, first)
	}
}

// TestAgentKilledInCall kills the resident process in the middle of a call: the run fails with a
// clear error, the page is not requested again, and the next goal works.
func TestAgentKilledInCall(t *testing.T) {
	var visits visitCount
	s := newScreen(t, titles(&visits))
	s.run("open " + s.site + "/one")
	agent := s.agent()
	cmd := s.command("open " + s.site + "/slow")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	must.Succeed(t, cmd.Start())
	poll.Await(t, "the page is requested", func() bool { return visits.of("/slow") > 0 })
	must.Succeed(t, syscall.Kill(agent, syscall.SIGKILL))
	if err := cmd.Wait(); err == nil || !strings.Contains(out.String(), "ended in the middle of the call") {
		t.Errorf("the run: %v\n%s", err, out.String())
	}
	if n := visits.of("/slow"); n != 1 {
		t.Errorf("the page was requested %d times", n)
	}
	if out := s.run("open " + s.site + "/two"); !strings.Contains(out, "a new one has opened") || !strings.Contains(out, "at /two") {
		t.Errorf("the next goal prints %q", out)
	}
}

// TestProgramKilledInCall kills a program whose call is being made: the resident process cancels
// the call and serves the next goal in the same window.
func TestProgramKilledInCall(t *testing.T) {
	var visits visitCount
	s := newScreen(t, titles(&visits))
	s.run("open " + s.site + "/one")
	agent := s.agent()
	cmd := s.command("open " + s.site + "/slow")
	must.Succeed(t, cmd.Start())
	poll.Await(t, "the page is requested", func() bool { return visits.of("/slow") > 0 })
	must.Succeed(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
	if out := s.run("open " + s.site + "/two"); !strings.Contains(out, "at /two") || s.agent() != agent {
		t.Errorf("the next goal prints %q in process %d, want %d", out, s.agent(), agent)
	}
	if n := visits.of("/slow"); n != 1 {
		t.Errorf("the page was requested %d times", n)
	}
}

// TestOneAgent starts goals at once: they make one process. Another policy replaces it, and without
// a display, or if the user wants none, no window opens.
func TestOneAgent(t *testing.T) {
	s := newScreen(t, titles(new(visitCount)))
	var all sync.WaitGroup
	outputs := make([]string, 3)
	for i := range outputs {
		all.Go(func() {
			out, err := s.command(fmt.Sprintf("open %s/%d", s.site, i)).CombinedOutput()
			outputs[i] = fmt.Sprint(string(out), err)
		})
	}
	all.Wait()
	for i, out := range outputs {
		if !strings.Contains(out, fmt.Sprintf("Opened %s/%d", s.site, i)) || !strings.HasSuffix(out, "<nil>") {
			t.Errorf("goal %d: %s", i, out)
		}
	}
	first := s.agent()
	if n := len(s.agents()); first == 0 || n != 1 {
		t.Errorf("process %d, %d of them", first, n)
	}
	s.env = append(s.env, "ERRAND_POLICY_SUBRESOURCES=listed")
	s.run("open " + s.site + "/other")
	if second := s.agent(); second == first || second == 0 {
		t.Errorf("process %d with another policy, before it %d", second, first)
	}
	s.run("stop")
	for _, hidden := range []string{"DISPLAY=", "ERRAND_BROWSER_SHOW=never"} {
		s.env = append(s.env, hidden)
		if out := s.run("open " + s.site + "/unseen"); !strings.Contains(out, "screenshot.png") || s.agent() != 0 {
			t.Errorf("with %s it prints %q, process %d", hidden, out, s.agent())
		}
	}
}
