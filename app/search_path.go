package app

import (
	"os"
	"path/filepath"
	"strings"

	"errand/app/config"
)

// leaveOut removes the folders from PATH that tools may change, for this program and those that
// it starts, and returns them.
func leaveOut(conf *config.Loaded) ([]string, error) {
	safe, changeable := conf.SearchPath(os.Getenv("PATH"))
	if len(changeable) == 0 {
		return nil, nil
	}
	return changeable, os.Setenv("PATH", strings.Join(safe, string(filepath.ListSeparator)))
}
