package actions

import (
	_ "embed"
	"sync"

	"errand/host/tool/display"
)

//go:embed display.toml
var displayData []byte

// Displays says how the tools of this package are shown, by tool name.
var Displays = sync.OnceValue(func() map[string]display.Tool {
	tools := display.Lazy(displayData)()
	for name, t := range tools {
		t.Locators = true
		tools[name] = t
	}
	return tools
})
