//go:build window

package shell

import (
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestWindowIgnoresActivationClick checks that with a window manager and another window, a click
// on the approve button first only activates the window. The next click approves.
func TestWindowIgnoresActivationClick(t *testing.T) {
	need(t, "openbox", "display")
	d := newDisplay(t)
	d.start("openbox", "--sm-disable")
	if !eventually(patience, func() bool { _, err := d.run("xdotool", "get_desktop"); return err == nil }) {
		t.Fatal("there is no window manager")
	}
	w := openWindow(t, d)
	folder := filepath.Join(w.home, "Documents", "Old reports")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	w.await(`window ready`)
	w.typed("delete folder Old reports in documents")
	w.press("Return")
	d.awaitTitle("Needs approval")
	d.mustRun("xdotool", "mousemove", "5", "5")
	d.still() // the button is armed

	d.start("display", "-size", "120x60", "-geometry", "+1100+20", "-title", "Other", "xc:white")
	d.awaitActive("Other")
	x, y := d.button()
	d.mustRun("xdotool", "mousemove", strconv.Itoa(x), strconv.Itoa(y), "click", "1")
	d.awaitActive("Errand")
	time.Sleep(2 * time.Second) // an approved action would be finished
	save(t, "activated.png", d.still())
	if _, err := os.Stat(folder); err != nil {
		t.Fatalf("the click that activated the window has approved: %v", err)
	}
	d.awaitTitle("Needs approval")

	d.mustRun("xdotool", "click", "1")
	if !eventually(patience, func() bool { _, err := os.Stat(folder); return os.IsNotExist(err) }) {
		t.Error("the click after it does not approve")
	}
	d.awaitTitle("Done")
	w.press("ctrl+q")
	w.gone()
}

// start runs a program on the display, which ends with the test.
func (d *display) start(name string, args ...string) {
	d.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.name)
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// awaitActive waits until the window that the manager calls active has a title
// with part.
func (d *display) awaitActive(part string) {
	d.t.Helper()
	var title string
	if !eventually(patience, func() bool {
		out, _ := d.run("xdotool", "getactivewindow", "getwindowname")
		title = string(out)
		return strings.Contains(title, part)
	}) {
		d.t.Fatalf("the active window is %q, not %q", title, part)
	}
}

// button returns the middle of the approve button: no other row on the screen has as much of the
// accent colour.
func (d *display) button() (x, y int) {
	d.t.Helper()
	accent := [3]uint8{0x0B, 0x6B, 0x6B}
	img := d.picture()
	var best image.Rectangle
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		first, n := 0, 0
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			if [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)} != accent {
				continue
			}
			if n == 0 {
				first = x
			}
			n++
		}
		if n > best.Dx() {
			best = image.Rect(first, y, first+n, y+1)
		}
	}
	if best.Dx() < 60 {
		save(d.t, "no-button.png", img)
		d.t.Fatalf("no button in the accent's colour: %v", best)
	}
	return best.Min.X + best.Dx()/2, best.Min.Y + 10
}
