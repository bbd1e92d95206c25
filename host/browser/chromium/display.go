package chromium

import (
	"os"
	"runtime"
)

// hasDisplay says whether a window can be shown at all.
func hasDisplay() bool {
	return runtime.GOOS == "darwin" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
