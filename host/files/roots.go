package files

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// Climbs reports whether a path contains "..".
func Climbs(path string) bool {
	return slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }), "..")
}

// CheckRoots refuses a path outside the folders that a tool was granted. It
// compares only the text; the plugin host opens no other folder.
func CheckRoots(_ context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if len(spec.Paths) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(call.Args)) {
		path, isText := call.Args[name].(string)
		if !isText || name != "path" && name != "destination" || !filepath.IsAbs(path) {
			continue
		}
		granted := slices.ContainsFunc(spec.Folders(), func(root string) bool { return realpath.Contains(root, path) })
		if Climbs(path) || !granted {
			return tool.NewError(tool.PolicyDenied, tool.CodeOutsideRoots, message.New("files.outside_tool_roots", "path", path, "tool", spec.Name, "roots", spec.Folders())).WithHint(realpath.GrantHint(path))
		}
	}
	return nil
}
