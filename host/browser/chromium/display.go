package chromium

import (
	"os"
	"runtime"
)

// hasDisplay reports whether a window can be shown.
func hasDisplay() bool {
	return runtime.GOOS == "darwin" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
