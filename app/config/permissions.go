package config

import (
	"fmt"
	"io/fs"

	"errand/planner/message"
)

// checkPermissions refuses a configuration file that other users can write: they could
// grant themselves anything. Modes mean nothing on Windows.
func checkPermissions(name string, info fs.FileInfo, windows bool) error {
	mode := info.Mode().Perm()
	if windows || mode&0o022 == 0 {
		return nil
	}
	return message.Error("config.writable_by_others", "file", name, "mode", fmt.Sprintf("%04o", mode))
}
