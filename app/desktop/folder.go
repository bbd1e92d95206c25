package desktop

import (
	"context"
	"os"
	"path/filepath"

	"errand/app/desktop/view"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// OpenFolder shows the files of a run, or the last file of [API.Export], in the file manager.
// The paths come from the record, never from the page. It works only if the user sits at this
// machine.
func (a *historyAPI) OpenFolder(ask view.FolderAsk) error {
	if !a.face.Dialogs() {
		return tool.NewError(tool.PolicyDenied, "not_here", message.New("window.only_in_window"))
	}
	if ask.RunID == "" {
		a.mu.Lock()
		saved := a.saved
		a.mu.Unlock()
		if saved == "" {
			return errNoFiles
		}
		_, err := query(a.session, askTimeout, struct{}{}, func(ctx context.Context, _ *Engine) (struct{}, error) {
			return struct{}{}, a.openFolder(ctx, filepath.Dir(saved))
		})
		return err
	}
	_, err := query(a.session, askTimeout, struct{}{}, func(ctx context.Context, e *Engine) (struct{}, error) {
		rec, err := e.Record(ctx, ask.RunID)
		if err != nil {
			return struct{}{}, err
		}
		dir, err := runFolder(e.Config().Paths.Data, rec)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, a.openFolder(ctx, dir)
	})
	return err
}

var errNoFiles = tool.NewError(tool.ValidationError, "no_files", message.New("window.no_files"))

// runFolder returns the folder of a run's files: the first one below data that still exists.
func runFolder(data string, rec trace.Record) (string, error) {
	for _, s := range rec.Steps {
		for _, f := range s.Artifacts {
			if f.Path == "" {
				continue
			}
			if !hasFile(data, f.Path) {
				continue // deleted, or not below data
			}
			if filepath.IsAbs(f.Path) {
				return filepath.Dir(f.Path), nil
			}
			return filepath.Dir(filepath.Join(data, f.Path)), nil
		}
	}
	return "", errNoFiles
}

// hasFile reports whether path, absolute or relative to dir, is a regular file below
// dir, and no link on the way leads out of dir.
func hasFile(dir, path string) bool {
	if filepath.IsAbs(path) {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return false
		}
		path = rel
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	info, err := root.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
