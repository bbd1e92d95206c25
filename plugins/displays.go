package plugins

import (
	_ "embed"

	"errand/host/tool/display"
)

//go:embed display.toml
var displayData []byte

// Displays says how the tools of the bundled plugins are shown, by their names.
var Displays = display.Lazy(displayData)
