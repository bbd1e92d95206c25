package shell

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"errand/host/atomicfile"
)

// Bounds of the window, in device-independent pixels.
const (
	usualWidth, usualHeight       = 1080, 760
	leastWidth, leastHeight       = 480, 420
	mostExtent                    = 16384
	placeName                     = "window.json"
	visible                       = 80 // of the window that has to be on a screen
	mostPlaceBytes          int64 = 4096
)

// place is where the window was when it was last closed. With the zero place, the toolkit
// chooses.
type place struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Placed    bool `json:"placed"` // X and Y are known
	Maximised bool `json:"maximised"`
}

// readPlace reads where the window was. What can't be read, or makes no sense, is
// forgotten: it is worth no message.
func readPlace(dir string) place {
	var p place
	name := filepath.Join(dir, placeName)
	if info, err := os.Stat(name); err != nil || info.Size() > mostPlaceBytes {
		return place{}
	}
	b, err := os.ReadFile(name)
	if err != nil || json.Unmarshal(b, &p) != nil {
		return place{}
	}
	if p.Width < leastWidth || p.Height < leastHeight || p.Width > mostExtent || p.Height > mostExtent {
		return place{}
	}
	return p
}

func (p place) write(dir string) error {
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, placeName), b, 0o600)
}

// applyTo sets the size of a new window.
func (p place) applyTo(o *options.App) {
	o.Width, o.Height = usualWidth, usualHeight
	o.MinWidth, o.MinHeight = leastWidth, leastHeight
	if p.Width > 0 {
		o.Width, o.Height = p.Width, p.Height
	}
	if p.Maximised {
		o.WindowStartState = options.Maximised
	}
}

// restore puts the window where it was, if a part of it can be seen there: a
// screen may be gone. Wayland places windows by itself, whatever is said.
func (p place) restore(ctx context.Context) {
	if !p.Placed || p.Maximised {
		return
	}
	screens, err := runtime.ScreenGetAll(ctx)
	if err != nil {
		return
	}
	for _, s := range screens {
		if s.IsCurrent && p.seenOn(s.Size.Width, s.Size.Height) {
			runtime.WindowSetPosition(ctx, p.X, p.Y)
		}
	}
}

// seenOn reports whether enough of the window is on a screen of that size, the
// bar by which it is moved included.
func (p place) seenOn(width, height int) bool {
	return p.X+p.Width >= visible && p.X <= width-visible && p.Y >= 0 && p.Y <= height-visible
}

// placeOf is where the window is now. Maximised, its own size is the one it had
// before, which before says.
func placeOf(ctx context.Context, before place) place {
	if runtime.WindowIsMaximised(ctx) || runtime.WindowIsFullscreen(ctx) {
		before.Maximised = true
		return before
	}
	p := place{Placed: true}
	p.Width, p.Height = runtime.WindowGetSize(ctx)
	p.X, p.Y = runtime.WindowGetPosition(ctx)
	return p
}
