package shell

import (
	"context"
	"os"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"errand/app/desktop"
	"errand/app/desktop/view"
	"errand/planner/message"
)

// Dialogs reports that the toolkit has dialogs.
func (s *Shell) Dialogs() bool { return true }

// Choose shows a dialog to choose a file or a folder, and waits for it. It returns "" if
// nothing was chosen.
func (s *Shell) Choose(ask view.ChooseAsk) (path string, err error) {
	err = errGone
	s.withToolkit(func(ctx context.Context) {
		o := runtime.OpenDialogOptions{Title: ask.Title}
		if ask.Kind == "folder" {
			path, err = runtime.OpenDirectoryDialog(ctx, o)
			return
		}
		o.Filters = []runtime.FileFilter{{DisplayName: s.life.Language().Say("window.plugin_files"), Pattern: "*.wasm;*.zip;*.tar.gz;*.tgz"}}
		path, err = runtime.OpenFileDialog(ctx, o)
	})
	return path, err
}

// Save shows a dialog to choose where to write data, and writes it. It returns "" if nothing
// was chosen.
func (s *Shell) Save(name string, data []byte) (path string, err error) {
	err = errGone
	s.withToolkit(func(ctx context.Context) {
		path, err = runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{DefaultFilename: name})
	})
	if err != nil || path == "" {
		return "", err
	}
	return path, os.WriteFile(path, data, 0o600)
}

// Notify shows a desktop notification. It returns at once. If the system has no such service,
// it only logs that.
func (s *Shell) Notify(n desktop.Notice) {
	go s.notices.show(s, n) // ends with the bus's answer, or with the program
}

var errGone = message.Error("window.closed")
