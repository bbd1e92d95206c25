//go:build window

package shell

import (
	"bufio"
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience bounds every wait of these tests; two loaded cores are slow.
const patience = 60 * time.Second

// need skips the test if a tool of the display is missing, and fails it in CI.
func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is missing", tool)
		}
		t.Skipf("%s is missing", tool)
	}
}

// eventually calls try every 100 ms until it returns true or the time is over.
func eventually(within time.Duration, try func() bool) bool {
	for end := time.Now().Add(within); ; time.Sleep(100 * time.Millisecond) {
		if try() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// display is an X server without a screen, which ends with the test.
type display struct {
	t    *testing.T
	name string // ":7"
}

func newDisplay(t *testing.T) *display {
	t.Helper()
	need(t, "Xvfb", "dbus-run-session", "xdotool", "import")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x860x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	_ = r.SetReadDeadline(time.Now().Add(patience))
	number, err := bufio.NewReader(r).ReadString('\n') // written when the server takes connections
	if err != nil {
		t.Fatalf("start Xvfb: %v", err)
	}
	return &display{t, ":" + strings.TrimSpace(number)}
}

func (d *display) run(name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.name)
	return cmd.Output()
}

func (d *display) mustRun(name string, args ...string) []byte {
	d.t.Helper()
	out, err := d.run(name, args...)
	if err != nil {
		d.t.Fatalf("%s %q: %v", name, args, err)
	}
	return out
}

// awaitTitle waits until a visible window's title contains part.
func (d *display) awaitTitle(part string) {
	d.t.Helper()
	if !eventually(patience, func() bool {
		out, err := d.run("xdotool", "search", "--onlyvisible", "--name", part)
		return err == nil && len(bytes.TrimSpace(out)) > 0
	}) {
		d.t.Fatalf("no window has a title with %q", part)
	}
}

// picture returns what the screen shows.
func (d *display) picture() image.Image {
	d.t.Helper()
	img, err := png.Decode(bytes.NewReader(d.mustRun("import", "-window", "root", "png:-")))
	if err != nil {
		d.t.Fatal(err)
	}
	return img
}

// still returns what the screen shows once it no longer changes.
func (d *display) still() image.Image {
	d.t.Helper()
	last := d.picture()
	eventually(patience, func() bool {
		now := d.picture()
		same := reflect.DeepEqual(colours(last), colours(now))
		last = now
		return same
	})
	return last
}

// save keeps a picture with the test's artifacts (go test -artifacts).
func save(t *testing.T, name string, img image.Image) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.ArtifactDir(), name))
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("picture: %s", f.Name())
}

// focus waits for the window and gives it the keyboard, because there is no window manager.
func (d *display) focus() {
	d.t.Helper()
	out := strings.Fields(string(d.mustRun("xdotool", "search", "--sync", "--onlyvisible", "--name", "^Errand$")))
	if _, err := strconv.Atoi(out[len(out)-1]); err != nil {
		d.t.Fatalf("no window: %q", out)
	}
	d.mustRun("xdotool", "windowfocus", "--sync", out[len(out)-1])
}

// lines sends each line of r to the returned channel, and closes it at the end.
func lines(r io.Reader) <-chan string {
	out := make(chan string, 1024)
	go func() { // ends when the writer's side is closed
		defer close(out)
		for s := bufio.NewScanner(r); s.Scan(); {
			out <- s.Text()
		}
	}()
	return out
}
