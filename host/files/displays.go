package files

import (
	_ "embed"

	"errand/host/tool/display"
)

//go:embed display.toml
var displayData []byte

// Displays says how the tools of this package are shown, by their names.
var Displays = display.Lazy(displayData)
