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
}

// newScreen starts an X server and a site with the pages of mux.
func newScreen(t *testing.T, mux *http.ServeMux) *screen {
	t.Helper()
	if ok, err := hasBrowser(); err != nil {
		t.Fatal(err)
	} else if !ok {
		t.Skip("needs Chromium")
	}
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
		poll.Await(t, "all processes end", func() bool { return len(processesWith(t, home)) == 0 })
	})
	return s
}

func (s *screen) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
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

// titles serves pages whose title is their path, and counts their visits.
func titles(visits *sync.Map) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		n, _ := visits.LoadOrStore(r.URL.Path, new(int))
		*n.(*int)++
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>at %s</title><h1>%s</h1>", r.URL.Path, r.URL.Path)
	})
	return mux
}

// TestWindowStays checks that goals that open a page share one window of one process, which stays
// after the commands, and that stop ends all of it.
func TestWindowStays(t *testing.T) {
	s := newScreen(t, titles(new(sync.Map)))
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
	if out := s.run("stop"); !strings.Contains(out, "closed") {
		t.Errorf("stop prints %q", out)
	}
	if rest := processesWith(t, s.home); len(rest) > 0 {
		t.Errorf("processes left: %v", rest)
	}
	if out := s.run("stop"); !strings.Contains(out, "no browser window is open") {
		t.Errorf("a second stop prints %q", out)
	}
}

// TestKilledAgent kills the resident process: the next goal starts another one and says so.
func TestKilledAgent(t *testing.T) {
	s := newScreen(t, titles(new(sync.Map)))
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
