package manifest

import (
	"slices"

	"errand/host/tool"
	"errand/planner/message"
)

// CheckReserved refuses an id that is in taken, the ids of the program's own parts: grants
// such as "files.*" refer to those names. It returns a *tool.Error or nil.
func CheckReserved(id string, taken []string) error {
	if !slices.Contains(taken, id) {
		return nil
	}
	return tool.NewError(tool.ValidationError, "reserved_id", message.New("manifest.reserved_id", "id", id)).
		WithHint(message.New("manifest.choose_other_id", "taken", taken))
}
