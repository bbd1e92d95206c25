//go:build window

// These tests open the real window on a display of their own and use it as a
// person does, by the keyboard. They need the built program, Xvfb, a session
// bus and Chromium: make test-desktop.

package shell

import (
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestWindowDemoByKeyboard(t *testing.T) {
	t.Run("X-01 typed, planned, opened, on record, alive a minute later", demosJob)
}

func demosJob(t *testing.T) {
	d := newDisplay(t)
	began := time.Now()
	w := openWindow(t, d, "--demo")
	w.await(`window ready`)
	t.Logf("the page was there after %v", time.Since(began).Round(time.Millisecond))

	w.typed("open youtube and search nvidia")
	w.press("Return")
	done := w.await(`msg=run run_id=(\S+) status=(\w+) error="?(.*?)"?$`, "status=running")
	if done[2] != "done" {
		t.Fatalf("the run ended as %s: %s", done[2], done[3])
	}
	d.awaitTitle("Done") // the page has heard of it

	page := w.artifact(done[1])
	var seen image.Image
	ok := eventually(10*time.Second, func() bool { // the page paints after the event
		seen = d.picture()
		return shows(seen, page)
	})
	save(t, "window.png", seen)
	if !ok {
		t.Errorf("the window does not show the page's picture: %d colours on the screen", len(colours(seen)))
	}

	w.idles()
	w.press("ctrl+l")
	d.awaitTitle("^Errand$")
	w.typed("open youtube and search cats") // it still listens
	w.press("Return")
	w.await(`msg=run run_id=(\S+) status=done`)
	d.awaitTitle("Done")
	w.press("ctrl+q")
	w.gone()
}

func TestWindowDeleteNeedsApproval(t *testing.T) {
	d := newDisplay(t)
	w := openWindow(t, d)
	folder := filepath.Join(w.home, "Documents", "Old reports")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	w.await(`window ready`)
	w.typed("delete folder Old reports in documents")
	w.press("Return")
	d.awaitTitle("Needs approval")
	save(t, "approval.png", d.still())

	w.press("Return") // is on Cancel
	d.awaitTitle("^Errand$")
	w.press("Return")
	d.awaitTitle("Needs approval")
	if _, err := os.Stat(folder); err != nil {
		t.Fatalf("the folder is gone before anybody said yes: %v", err)
	}
	if !eventually(patience, func() bool { // not before the approval is armed
		w.press("ctrl+Return")
		_, err := os.Stat(folder)
		return os.IsNotExist(err)
	}) {
		t.Error("the folder is still there after the approval")
	}
	d.awaitTitle("Done")
	w.press("ctrl+q")
	w.gone()
}

func TestWindowTerminates(t *testing.T) {
	d := newDisplay(t)
	w := openWindow(t, d, "--demo")
	w.await(`window ready`)
	w.typed("open youtube and search nvidia")
	w.press("Return")
	w.await(`msg=run run_id=(\S+) status=running`)
	w.signal(syscall.SIGTERM)
	w.gone()
}

func TestWindowShowsConfigProblems(t *testing.T) {
	conf := filepath.Join(t.TempDir(), "errand.toml")
	if err := os.WriteFile(conf, []byte("[policy]\nalowed_domains = []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDisplay(t)
	w := openWindow(t, d, "--config", conf)
	w.await(`safe mode.*faults=1`)
	w.await(`window ready`)
	var seen image.Image
	if !eventually(10*time.Second, func() bool {
		seen = d.picture()
		return len(colours(seen)) > 16 // anti-aliased words
	}) {
		t.Error("the window is blank")
	}
	save(t, "safe-mode.png", d.still())
	w.press("ctrl+q")
	w.gone()
}

func TestWindowIsOne(t *testing.T) {
	d := newDisplay(t)
	w := openWindow(t, d)
	w.await(`window ready`)
	for _, tt := range []struct{ arg, said string }{
		{"--toggle", `another start.* word=toggle hide=true`},
		{"--toggle", `another start.* word=toggle hide=false`},
		{"--demo", `another start.* word=show hide=false`},
		{"--toggle", `another start.* word=toggle hide=true`},
	} {
		w.again(tt.arg)
		w.await(tt.said)
	}
	w.signal(syscall.SIGTERM) // hidden, it ends as well
	w.gone()
	if _, err := os.Stat(filepath.Join(w.home, "state", "errand", "window.json")); err != nil {
		t.Errorf("the window's place was not kept: %v", err)
	}
	if _, err := os.Stat(filepath.Join(w.home, "state", "errand", "window.sock")); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
}

// shows reports whether screen contains most of the distinct colours of page. The window may cut
// the picture off.
func shows(screen, page image.Image) bool {
	on := colours(screen)
	total := page.Bounds().Dx() * page.Bounds().Dy()
	marks, found := 0, 0
	for c, n := range colours(page) {
		if n < total/100 || isPaper(c) {
			continue
		}
		marks++
		if on[c] >= 200 {
			found++
		}
	}
	return found > 0 && 2*found >= marks
}

// isPaper reports whether a colour is white, black or the window's background.
func isPaper(c [3]uint8) bool {
	return c == [3]uint8{255, 255, 255} || c == [3]uint8{0, 0, 0} || c == [3]uint8{0xFB, 0xFA, 0xF8}
}

// colours counts the pixels of each colour.
func colours(img image.Image) map[[3]uint8]int {
	out := map[[3]uint8]int{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			out[[3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8)}]++
		}
	}
	return out
}

// artifact returns the picture in the record of a run.
func (w *window) artifact(run string) image.Image {
	w.t.Helper()
	var found string
	err := filepath.WalkDir(w.data, func(name string, e os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".png") {
			found = name
		}
		return err
	})
	if err != nil || found == "" {
		w.t.Fatalf("run %s left no picture below %s (%v)", run, w.data, err)
	}
	f, err := os.Open(found)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		w.t.Fatal(err)
	}
	return img
}
