package answers

import (
	"errand/host/browser/actions"
	"errand/host/files"
	"errand/host/system"
	"errand/host/tool/display"
	"errand/planner/message"
	"errand/plugins"
)

// MessageIn returns the message that a value of a tool's payload is. It is zero for
// data, also for data of plugins and sites that looks like a message.
func MessageIn(tool, key string, value any) message.Message {
	d, _ := displayOf(tool)
	return d.MessageIn(key, value)
}

// displayOf returns how a tool is shown. A tool of somebody else's says nothing of
// it: what asks for an approval is in the program's own words.
func displayOf(tool string) (display.Tool, bool) {
	for _, source := range []func() map[string]display.Tool{actions.Displays, files.Displays, system.Displays, plugins.Displays} {
		if t, ok := source()[tool]; ok {
			return t, true
		}
	}
	return display.Tool{}, false
}
