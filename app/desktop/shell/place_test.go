package shell

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/wailsapp/wails/v2/pkg/options"

	"errand/build/must"
)

func TestWindowPlaceIsStored(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if got := readPlace(dir); got != (place{}) {
		t.Errorf("without a file: %+v", got)
	}
	want := place{Width: 900, Height: 600, X: 10, Y: 20, Placed: true}
	must.Succeed(t, want.write(dir))
	if got := readPlace(dir); got != want {
		t.Errorf("read %+v, want %+v", got, want)
	}
	var o options.App
	want.applyTo(&o)
	if o.Width != 900 || o.Height != 600 || o.WindowStartState != options.Normal {
		t.Errorf("options %+v", o)
	}
	want.Maximised = true
	want.applyTo(&o)
	if o.WindowStartState != options.Maximised {
		t.Error("it was maximised")
	}
}

func TestInvalidWindowPlace(t *testing.T) {
	for name, doc := range map[string]string{
		"no JSON": "{", "too small": `{"width": 10, "height": 10}`, "too large": `{"width": 100000, "height": 700}`,
		"another kind": `{"width": "a"}`, "nothing": "", "a negative one": `{"width": -900, "height": 600}`,
	} {
		dir := t.TempDir()
		must.Succeed(t, os.WriteFile(filepath.Join(dir, placeName), []byte(doc), 0o600))
		if got := readPlace(dir); got != (place{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWindowPlaceIsVisible(t *testing.T) {
	for _, tt := range []struct {
		x, y int
		want bool
	}{
		{100, 100, true},
		{-950, 100, false}, // but for 50 pixels it is beside the screen
		{-800, 100, true},
		{1900, 100, false},
		{100, -5, false}, // its bar is above the screen
		{100, 1060, false},
		{0, 0, true},
	} {
		p := place{Width: 1000, Height: 600, X: tt.x, Y: tt.y}
		if got := p.seenOn(1920, 1080); got != tt.want {
			t.Errorf("at %d, %d: %v", tt.x, tt.y, got)
		}
	}
}
