package answers

import (
	"maps"
	"slices"
	"sync"

	"errand/host/browser/actions"
	"errand/host/desktop"
	"errand/host/files"
	"errand/host/system"
	"errand/host/timers"
	"errand/host/tool"
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

// MessageKeys returns the keys of a tool's payload that hold messages of Errand.
func MessageKeys(tool string) []string {
	d, _ := displayOf(tool)
	return d.View.Messages
}

// displays says how built-in tools and those of the bundled plugins are shown, by
// name. Records name tools that may not be available now, so it does not depend on
// the configuration.
var displays = sync.OnceValue(func() map[string]display.Tool {
	all := maps.Clone(plugins.Displays())
	for _, t := range BuiltIn() {
		s := t.Spec()
		all[s.Name] = s.Display
	}
	return all
})

// BuiltIn returns all built-in tools, for their specs only.
func BuiltIn() []tool.Tool {
	return slices.Concat(
		actions.New(actions.Options{}),
		files.Tools(files.Options{Roots: func() []string { return nil }}),
		system.Tools(system.Options{}),
		timers.Tools(timers.Options{}),
		desktop.Tools(desktop.Options{}),
	)
}

// IsOwn reports whether a tool is part of the program: built in, or of a bundled plugin.
func IsOwn(tool string) bool {
	_, own := displayOf(tool)
	return own
}

// displayOf returns how a tool is shown. A tool of somebody else's says nothing of
// it: what asks for an approval is in the program's own words.
func displayOf(tool string) (display.Tool, bool) {
	d, ok := displays()[tool]
	return d, ok
}
