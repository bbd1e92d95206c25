//go:build unix

package browser_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/actions"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/tool"
)

// helperEnv makes the test binary a program that opens a page and then waits to
// be killed: "<folder> <proxy address> <SPKI>".
const helperEnv = "ERRAND_BROWSER_HELPER"

// helperProfileEnv names the profile that the helper uses, below its folder.
const helperProfileEnv = "ERRAND_BROWSER_HELPER_PROFILE"

func TestMain(m *testing.M) {
	if args := os.Getenv(helperEnv); args != "" {
		helper(args)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func helper(args string) {
	f := strings.Fields(args)
	b, err := page.Launch(context.Background(), page.Options{
		Options: chromium.Options{
			Dir: f[0], TrustSPKI: f[2:],
			Profile: os.Getenv(helperProfileEnv), Profiles: chromium.Profiles{Dir: filepath.Join(f[0], "profiles")},
			Proxy: chromium.Proxy{Addr: netip.MustParseAddrPort(f[1]), Username: proxyUser, Password: proxyPassword},
		},
		Decide: allowAll,
	})
	if err == nil {
		fmt.Println("launched")
		_, err = b.Open(context.Background(), "https://a.example/")
	}
	fmt.Println("opened", err)
	if root := os.Getenv(helperFilesEnv); root != "" {
		helperDownload(b, root)
		fmt.Println("closed", b.Close())
		return
	}
	select {}
}

// helperFilesEnv makes the helper save a file into this folder, close its browser
// and end.
const helperFilesEnv = "ERRAND_BROWSER_HELPER_FILES"

func helperDownload(b *page.Browser, root string) {
	for _, x := range actions.New(actions.Options{
		Open:  func(context.Context) (*page.Browser, error) { return b, nil },
		Files: actions.Files{Roots: func() []string { return []string{root} }, Downloads: func() string { return root }},
	}) {
		if x.Spec().Name == "browser.download" {
			r, err := x.Call(context.Background(), tool.Call{Args: map[string]any{"url": "https://a.example/slow"}})
			fmt.Println("downloaded", r.OK, err)
		}
	}
}

// TestParentKilled checks that the browser ends when the program is killed at any moment, and
// that the next start removes its profile.
func TestParentKilled(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html("<title>ok</title>"))
	needsChromium(t)

	tests := []struct {
		name   string
		after  string        // the helper's output line after which it is killed
		delay  time.Duration // and how long after that
		freeze bool          // the browser hangs when it happens
	}{
		{name: "while starting", delay: 150 * time.Millisecond},
		{name: "when connected", after: "launched"},
		{name: "while loading", after: "launched", delay: 100 * time.Millisecond},
		{name: "with a page open", after: "opened"},
		{name: "with a browser that hangs", after: "opened", freeze: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), helperEnv+"="+dir+" "+w.proxy.Listener.Addr().String()+" "+w.spki)
			out, err := cmd.StdoutPipe()
			must.Succeed(t, err)
			must.Succeed(t, cmd.Start())
			for lines := bufio.NewReader(out); tt.after != ""; {
				line, err := lines.ReadString('\n')
				if err != nil {
					t.Fatalf("helper: %v", err)
				}
				if strings.HasPrefix(line, "opened") && line != "opened <nil>\n" {
					t.Fatal(line)
				}
				if strings.HasPrefix(line, tt.after) {
					break
				}
			}
			if tt.after == "" && !poll.WaitUntil(func() bool { made, _ := os.ReadDir(dir); return len(made) > 0 }) {
				t.Fatal("no browser was begun")
			}
			time.Sleep(tt.delay)
			if removed, err := chromium.Sweep(dir); removed != 0 || err != nil {
				t.Errorf("Sweep while the owner lives = %d, %v", removed, err)
			}
			if tt.freeze {
				signalAll(t, dir, syscall.SIGSTOP)
			}
			_ = cmd.Process.Kill()
			_, _ = io.Copy(io.Discard, out)
			_ = cmd.Wait()

			if tt.freeze {
				if len(processesOf(dir)) == 0 {
					t.Fatal("the frozen browser is gone: this shows nothing")
				}
			} else if !poll.WaitUntil(func() bool { return len(processesOf(dir)) == 0 }) {
				t.Errorf("after the kill: %v", processesOf(dir))
			}
			removed, err := chromium.Sweep(dir)
			if removed != 1 || err != nil {
				t.Errorf("Sweep = %d, %v, want 1", removed, err)
			}
			if left := processesOf(dir); len(left) > 0 {
				t.Errorf("after Sweep: %v", left)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("after Sweep: %v", left)
			}
		})
	}
}

// TestCloseHanging checks that Close kills a browser that does not respond.
func TestCloseHanging(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	b := w.launch(func(o *page.Options) { o.Dir = dir })
	signalAll(t, dir, syscall.SIGSTOP)
	began := time.Now()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > poll.Patience {
		t.Errorf("Close took %s", took)
	}
}

// TestBrowserKilled checks that calls fail at once when the browser dies.
func TestBrowserKilled(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	b := w.launch(func(o *page.Options) { o.Dir = dir })
	signalAll(t, dir, syscall.SIGKILL)
	began := time.Now()
	_, err := b.Open(t.Context(), "https://a.example/")
	var e *tool.Error
	if !errors.As(err, &e) || e.Code != "browser_died" {
		t.Errorf("error = %v, want code browser_died", err)
	}
	if took := time.Since(began); took > poll.Patience {
		t.Errorf("it took %s to say so", took)
	}
	if err := b.Wait(t.Context()); err != nil {
		t.Errorf("Wait = %v, want nil for a browser that is gone", err)
	}
}

func TestLaunchRefuses(t *testing.T) {
	proxy := chromium.Proxy{Addr: netip.MustParseAddrPort("127.0.0.1:1")}
	dead := filepath.Join(t.TempDir(), "dead")
	must.Succeed(t, os.WriteFile(dead, []byte("#!/bin/sh\necho first words\necho last words >&2\nexit 3\n"), 0o755))
	full := filepath.Join(t.TempDir(), "file")
	must.Succeed(t, os.WriteFile(full, nil, 0o600))
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	tests := []struct {
		name     string
		opts     chromium.Options
		wantCode string
		wantText string
	}{
		{"zero value", chromium.Options{}, "browser_without_proxy", "only runs behind one"},
		{"proxy elsewhere", chromium.Options{Dir: t.TempDir(), Proxy: chromium.Proxy{Addr: netip.MustParseAddrPort("192.0.2.1:80")}}, "browser_without_proxy", "loopback"},
		{"no such browser", chromium.Options{Bin: "/nowhere/chromium", Dir: t.TempDir(), Proxy: proxy}, "browser_not_found", "/nowhere/chromium"},
		{"dies at once", chromium.Options{Bin: dead, Dir: t.TempDir(), Proxy: proxy}, "browser_died", "last words"},
		{"no folder", chromium.Options{Bin: dead, Dir: full, Proxy: proxy}, "browser_profile", "make browser profile"},
		{"no screen", chromium.Options{Bin: dead, Dir: t.TempDir(), Proxy: proxy, Show: true}, "no_display", "no display"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := page.Launch(t.Context(), page.Options{Options: tt.opts})
			var e *tool.Error
			if b != nil || !errors.As(err, &e) || e.Code != tt.wantCode || !strings.Contains(i18n.English().Text(e.Message), tt.wantText) {
				t.Errorf("Launch = %v, %v; want code %s, text %q", b, err, tt.wantCode, tt.wantText)
			}
			if left, _ := os.ReadDir(tt.opts.Dir); tt.opts.Dir != "" && len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"google-chrome": 0o755, "chromium": 0o644} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), mode))
	}
	t.Setenv("PATH", dir)
	chrome := filepath.Join(dir, "google-chrome")

	if path, tried, err := chromium.Find(chrome); err != nil || path != chrome || len(tried) != 1 {
		t.Errorf("Find(%q) = %q, %v, %v", chrome, path, tried, err)
	}
	if path, _, err := chromium.Find("google-chrome"); err != nil || path != chrome {
		t.Errorf("Find by name = %q, %v", path, err)
	}
	path, tried, err := chromium.Find("")
	if err != nil || path == "" || tried[0] != "chromium (PATH)" {
		t.Errorf("Find = %q, %v, %v", path, tried, err)
	}
	_, tried, err = chromium.Find(filepath.Join(dir, "chromium"))
	var e *tool.Error
	if !errors.As(err, &e) || e.Class != tool.ToolUnavailable || e.Hint.IsZero() || len(tried) != 1 {
		t.Errorf("Find of a file that can't be run = %v, %v", tried, err)
	}
}

// signalAll sends a signal to every process of the browsers below a folder.
func signalAll(t *testing.T, dir string, sig syscall.Signal) {
	t.Helper()
	found := processesOf(dir)
	if len(found) == 0 {
		t.Fatal("no browser is running")
	}
	for _, p := range found {
		pid, err := strconv.Atoi(strings.Fields(p)[0])
		must.Succeed(t, err)
		_ = syscall.Kill(pid, sig)
	}
}

// TestProcessesAreCounted checks the number of live processes for a temporary and a named
// profile, and that it is zero after Close.
func TestProcessesAreCounted(t *testing.T) {
	w := newWorld(t)
	for _, profile := range []string{"", "mail"} {
		b := w.launch(func(o *page.Options) {
			o.Profile, o.Profiles = profile, chromium.Profiles{Dir: t.TempDir()}
		})
		if n := b.Processes(); n < 1 {
			t.Errorf("profile %q: %d processes of a running browser", profile, n)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if n := b.Processes(); n != 0 {
			t.Errorf("profile %q: %d processes after the end", profile, n)
		}
	}
}

// TestLongTemporaryFolder checks that the path of Chromium's socket is short enough for any
// temporary folder of the system.
func TestLongTemporaryFolder(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html("<title>ok</title>"))
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 20))
	must.Succeed(t, os.MkdirAll(long, 0o700))
	t.Setenv("TMPDIR", long)
	if page, err := w.launch().Open(t.Context(), "https://a.example/"); err != nil || page.Title != "ok" {
		t.Errorf("Open = %q, %v", page.Title, err)
	}
	if got := names(long); got != "" {
		t.Errorf("in the temporary folder: %s", got)
	}
}
