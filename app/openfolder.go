package app

import (
	"context"
	"os"
	"path/filepath"

	"errand/host/system"
	"errand/host/tool"
)

// OpenFolder shows a folder of this machine in the person's own file manager.
// Which one may be shown is for the caller to say. Its errors are *tool.Error.
func OpenFolder(ctx context.Context, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || !filepath.IsAbs(dir) {
		return tool.Errorf(tool.ValidationError, "no_folder", "the folder %s is not there any more", dir)
	}
	result, err := system.OpenFile(ctx, dir)
	switch {
	case err != nil:
		return err
	case result.Error != nil && result.Error.Code == "no_default_browser":
		return tool.Errorf(tool.ToolUnavailable, "no_file_manager", "show the folder %s: xdg-open is not installed", dir).WithHint("install xdg-utils")
	case result.Error != nil:
		return result.Error
	}
	return nil
}
