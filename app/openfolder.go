package app

import (
	"context"
	"os"
	"path/filepath"

	"errand/host/system"
	"errand/host/tool"
	"errand/planner/message"
)

// OpenFolder shows a folder of this machine in the user's own file manager.
// Which one may be shown is for the caller to say. Its errors are *tool.Error.
func OpenFolder(ctx context.Context, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || !filepath.IsAbs(dir) {
		return tool.NewError(tool.ValidationError, "no_folder", message.New("app.no_folder", "folder", dir))
	}
	result, err := system.OpenFile(ctx, dir)
	switch {
	case err != nil:
		return err
	case result.Error != nil && result.Error.Code == "no_default_browser":
		return tool.NewError(tool.ToolUnavailable, "no_file_manager", message.New("app.no_file_manager", "folder", dir)).WithHint(message.New("app.install_xdg_utils"))
	case result.Error != nil:
		return result.Error
	}
	return nil
}
