//go:build linux

package system

import (
	"bytes"
	"image/color"
	"image/png"
	"os/exec"
	"testing"

	"errand/build/must"
	"errand/build/poll"
)

// TestCaptureScreen pictures a window of one colour on a real X server.
func TestCaptureScreen(t *testing.T) {
	needPrograms(t, "Xvfb", "xmessage")
	startDisplay(t)
	cmd := exec.Command("xmessage", "-bg", "#ff8000", "-geometry", "640x480+0+0", "x")
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	want := color.NRGBA{0xff, 0x80, 0x00, 0xff}
	poll.Await(t, "the colour of the window", func() bool {
		b, err := CaptureScreen(t.Context())
		must.Succeed(t, err)
		picture, err := png.Decode(bytes.NewReader(b))
		must.Succeed(t, err)
		if size := picture.Bounds().Size(); size.X != 640 || size.Y != 480 {
			t.Fatalf("size %v", size)
		}
		return color.NRGBAModel.Convert(picture.At(600, 470)) == want
	})
}

func TestCaptureWithoutDisplay(t *testing.T) {
	withoutDisplay(t)
	if b, err := CaptureScreen(t.Context()); err == nil {
		t.Errorf("%d bytes", len(b))
	}
}
