//go:build linux

package system

import (
	"bufio"
	"context"
	"encoding/binary"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/build/poll"
)

func TestPrograms(t *testing.T) {
	tests := []struct {
		name string
		app  App
		want []string
	}{
		{"vendor's words", App{ID: "chrome", Exec: [][]string{{"google-chrome-stable"}}}, []string{"chrome", "google-chrome", "google-chrome-stable"}},
		{"an absolute path", App{ID: "calc", Exec: [][]string{{"/usr/bin/gnome-calculator", "-m"}}}, []string{"calc", "gnome-calculator"}},
		{"a wrapper names nothing", App{ID: "notes", Exec: [][]string{{"flatpak", "run", "org.x.Notes"}}}, []string{"notes"}},
		{"macOS", App{ID: "chrome", Exec: [][]string{{"open", "-a", "Google Chrome"}}}, []string{"chrome", "google chrome"}},
		{"another name at work", App{ID: "edge", Exec: [][]string{{"microsoft-edge-stable"}}}, []string{"edge", "microsoft-edge", "microsoft-edge-stable", "msedge"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.app.programs()); diff != "" {
				t.Errorf("programs (-want +got):\n%s", diff)
			}
		})
	}
}

// A program of a name that nothing else has, longer than the kernel keeps.
func startProgram(t *testing.T, name string) {
	t.Helper()
	sleep, err := exec.LookPath("sleep")
	must.Succeed(t, err)
	path := filepath.Join(t.TempDir(), name)
	b := must.ReadFile(t, sleep)
	must.Succeed(t, os.WriteFile(path, b, 0o700))
	cmd := exec.Command(path, "60")
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}

func TestSnapshotKnowsWhatRuns(t *testing.T) {
	t.Setenv("DISPLAY", "")
	startProgram(t, "errand-test-browser-of-a-long-name")
	startProgram(t, "errandshort")
	apps := []App{
		{ID: "web", Exec: [][]string{{"errand-test-browser-of-a-long-name"}}, Browser: true},
		{ID: "tool", Exec: [][]string{{"no-such"}, {"/opt/errandshort"}}},
		{ID: "other", Exec: [][]string{{"errand-test-browser-of-a-long"}}},
	}
	poll.Await(t, "tool and web run", func() bool { // exec of the copies takes a moment
		world, err := Snapshot(t.Context(), apps)
		must.Succeed(t, err)
		return slices.Equal(world.RunningApps, []string{"tool", "web"}) && world.BrowserRunning && world.ActiveWindow == ""
	})
}

func TestSnapshotEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Snapshot(ctx, nil); err == nil {
		t.Error("no error of a context that has ended")
	}
}

func TestDisplayNumber(t *testing.T) {
	tests := []struct {
		display, want string
		ok            bool
	}{
		{":0", "0", true},
		{":12.1", "12", true},
		{"unix:3", "3", true},
		{"", "", false},
		{"host:0", "", false},
		{"127.0.0.1:0", "", false},
		{":", "", false},
		{":x", "", false},
		{":../../x", "", false},
	}
	for _, tt := range tests {
		if got, ok := displayNumber(tt.display); got != tt.want || ok != tt.ok {
			t.Errorf("displayNumber(%q) = %q, %v, want %q, %v", tt.display, got, ok, tt.want, tt.ok)
		}
	}
}

func TestFindCookie(t *testing.T) {
	entry := func(fields ...string) []byte {
		b := []byte{1, 0}
		for _, f := range fields {
			b = binary.BigEndian.AppendUint16(b, uint16(len(f)))
			b = append(b, f...)
		}
		return b
	}
	file := slices.Concat(entry("host", "1", "MIT-MAGIC-COOKIE-1", "one"), entry("host", "2", "XDM", "no"), entry("host", "2", "MIT-MAGIC-COOKIE-1", "two"))
	for display, want := range map[string]string{"1": "one", "2": "two", "3": ""} {
		if _, got := findCookie(file, display); got != want {
			t.Errorf("cookie of display %s = %q, want %q", display, got, want)
		}
	}
	for n := range file { // cut anywhere, it does no harm
		findCookie(file[:n], "2")
	}
}

// startX runs a real X server and points DISPLAY at it.
func startX(t *testing.T) {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("Xvfb is not installed")
		}
		t.Skip("Xvfb is not installed")
	}
	r, w, err := os.Pipe()
	must.Succeed(t, err)
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "320x200x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	must.Succeed(t, cmd.Start())
	w.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait(); r.Close() })
	_ = r.SetReadDeadline(time.Now().Add(20 * time.Second))
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb told no display: %v", err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
}

// The requests that only a program with windows makes.
func (x *xConn) mustIntern(name string) uint32 {
	req := []byte{opInternAtom, 0, 0, 0}
	req = little.AppendUint16(req, uint16(len(name)))
	return little.Uint32(x.ask(append(append(req, 0, 0), name...))[8:])
}

func (x *xConn) change(window, property, kind uint32, format byte, data []byte) {
	req := []byte{18, 0, 0, 0}
	for _, v := range []uint32{window, property, kind} {
		req = little.AppendUint32(req, v)
	}
	req = append(req, format, 0, 0, 0)
	req = little.AppendUint32(req, uint32(len(data)/int(format/8)))
	req = pad(append(req, data...))
	little.PutUint16(req[2:], uint16(len(req)/4))
	_, x.err = x.conn.Write(req)
}

func TestWindowInFront(t *testing.T) {
	startX(t)
	x, err := dialX(os.Getenv("DISPLAY"), time.Now().Add(20*time.Second))
	must.Succeed(t, err)
	defer x.close()
	const stringType, cardinal, windowType = 31, 6, 33
	// The root window plays the app's: what matters are its properties.
	card := func(v uint32) []byte { return little.AppendUint32(nil, v) }
	x.change(x.root, atomWMClass, stringType, 8, []byte("gnome-calculator\x00Gnome-calculator\x00"))
	x.change(x.root, x.mustIntern("_NET_CLIENT_LIST"), windowType, 32, card(x.root))
	apps := []App{
		{ID: "calculator", Exec: [][]string{{"gnome-calculator"}}},
		{ID: "self", Exec: [][]string{{os.Args[0]}}},
	}

	world := snapshotSoon(t, apps)
	if world != "" {
		t.Errorf("in front = %q with no window in front", world)
	}
	x.change(x.root, x.mustIntern("_NET_ACTIVE_WINDOW"), windowType, 32, card(x.root))
	x.mustIntern("_NET_WM_PID") // a round trip: the changes have arrived
	if got := snapshotSoon(t, apps); got != "calculator" {
		t.Errorf("in front by class = %q, want calculator", got)
	}
	x.change(x.root, x.mustIntern("_NET_WM_PID"), cardinal, 32, card(uint32(os.Getpid())))
	x.mustIntern("_NET_WM_PID")
	if got := snapshotSoon(t, apps); got != "self" {
		t.Errorf("in front by process = %q, want self", got)
	}

	answer, err := runningApps(t.Context(), Options{Apps: func() []App { return nil }})
	if err != nil || len(answer["other_programs"].([]any)) != 1 || answer["other_programs"].([]any)[0] != "Gnome-calculator" {
		t.Errorf("running_apps = %v, %v", answer, err)
	}
	if x.err != nil {
		t.Fatal(x.err)
	}
}

// snapshotSoon is the app in front. The deadline of the snapshot is short for
// a loaded machine, so it may take a few tries to get through.
func snapshotSoon(t *testing.T, apps []App) string {
	t.Helper()
	front := ""
	for range 20 {
		world, err := Snapshot(t.Context(), apps)
		must.Succeed(t, err)
		if front = world.ActiveWindow; front != "" {
			return front
		}
	}
	return front
}

func TestServerThatHangsDoesNotHoldUp(t *testing.T) {
	const number = "64999"
	must.Succeed(t, os.MkdirAll("/tmp/.X11-unix", 0o777|os.ModeSticky))
	l, err := net.Listen("unix", "/tmp/.X11-unix/X"+number) // connects, never answers
	must.Succeed(t, err)
	defer l.Close()
	for _, display := range []string{":" + number, ":64998"} {
		t.Setenv("DISPLAY", display)
		start := time.Now()
		if w := desktop(t.Context()); w.front != -1 || len(w.list) != 0 {
			t.Errorf("%s: windows = %+v of a server that says nothing", display, w)
		}
		if d := time.Since(start); d > poll.Patience {
			t.Errorf("%s: took %v", display, d)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	apps := []App{{ID: "chrome", Exec: [][]string{{"google-chrome"}}, Browser: true}, {ID: "terminal", Exec: [][]string{{"xterm"}}}}
	for b.Loop() {
		if _, err := Snapshot(b.Context(), apps); err != nil {
			b.Fatal(err)
		}
	}
}
