package system

import (
	_ "embed"

	"errand/host/tool/display"
)

//go:embed display.toml
var displayData []byte

// Displays returns how to show the tools of this package, by name.
var Displays = display.Lazy(displayData)
