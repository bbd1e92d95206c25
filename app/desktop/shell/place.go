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

// Limits of the window's size, in device-independent pixels.
const (
	usualWidth, usualHeight       = 1080, 760
	leastWidth, leastHeight       = 480, 420
	mostExtent                    = 16384
	placeName                     = "window.json"
	visible                       = 80 // pixels of the window that have to be on a screen
	mostPlaceBytes          int64 = 4096
)

// place is the position and size of the window when it was last closed. With the zero
// place, the toolkit chooses.
type place struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Placed    bool `json:"placed"` // X and Y are known
	Maximised bool `json:"maximised"`
}

// readPlace reads the stored place. If the file can't be read or has impossible values, it
// returns the zero place.
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

// restore moves the window to the stored place if part of it is on a screen; a screen may have
// been removed. Wayland ignores positions.
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

// seenOn reports whether enough of the window, including its title bar, is on a screen of that
// size.
func (p place) seenOn(width, height int) bool {
	return p.X+p.Width >= visible && p.X <= width-visible && p.Y >= 0 && p.Y <= height-visible
}

// placeOf returns the current place of the window. For a maximised window, it takes the
// normal size from before.
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
