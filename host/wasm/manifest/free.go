package manifest

import (
	"slices"
	"strings"

	"errand/host/tool"
)

// Free refuses an id that is in taken, the ids of the program's own parts: grants
// such as "files.*" refer to those names. It returns a *tool.Error or nil.
func Free(id string, taken []string) error {
	if !slices.Contains(taken, id) {
		return nil
	}
	return tool.Errorf(tool.ValidationError, "reserved_id", "the plugin's id %q is taken by a part of the program", id).
		WithHint("choose another, for its tools too; taken are %s", strings.Join(taken, ", "))
}
