package realpath

import (
	"os"
	"path/filepath"

	"errand/planner/message"
)

// GrantHint returns the hint for a path outside the granted folders: the command that grants
// its folder. A folder that contains the user's home can't be granted, and one with keys or with
// files of programs should not be; then the hint is to choose another path.
func GrantHint(path string) message.Message {
	folder := filepath.Clean(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		folder = filepath.Dir(folder)
	}
	home, err := os.UserHomeDir()
	if !filepath.IsAbs(path) || err == nil && isPrivate(filepath.Clean(home), folder) || folder == filepath.Dir(folder) || err == nil && Contains(folder, filepath.Clean(home)) {
		return message.New("files.choose_path_in_roots")
	}
	return message.New("files.add_folder_to_roots", "folder", folder)
}
