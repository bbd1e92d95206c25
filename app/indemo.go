package app

import (
	"errand/host/tool"
)

// Codes of what is kept within the demo, or out of it.
const (
	CodeStaysInDemo = "stays_in_demo" // it would leave the demo
)

// leavesDemo refuses to hand a page to a browser that knows nothing of the demo.
func (a *App) leavesDemo(rawURL string) *tool.Error {
	if !a.o.Demo {
		return nil
	}
	return tool.Errorf(tool.PolicyDenied, CodeStaysInDemo,
		"the demo opens no browser but its own: in yours %s is the site of the web", host(rawURL)).
		WithHint("outside of the demo it is opened: errand run, with the same goal")
}
