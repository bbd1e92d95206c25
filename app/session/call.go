package session

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"errand/host/files"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// BeforeCall fails if the page that the call needs is closed. For a plugin it makes
// the granted folder that the call names.
func (s *Session) BeforeCall(_ context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if lost := s.lostPage.Load(); lost != nil && slices.Contains(lost.actions, call.ActionID) {
		return lost.startErr
	}
	if !spec.FromPlugin() || len(spec.Paths) == 0 {
		return nil
	}
	return s.makeRoots(call.Args)
}

// makeRoots makes the granted folder that arguments name, if it is not there yet:
// a new machine has no ~/Documents, and the user granted it.
func (s *Session) makeRoots(args map[string]any) *tool.Error {
	for _, arg := range args {
		path, isText := arg.(string)
		if !isText || !filepath.IsAbs(path) || files.Climbs(path) {
			continue
		}
		for _, root := range s.sessions.o.Config.Roots() {
			if !realpath.Contains(root, path) {
				continue
			}
			if err := os.MkdirAll(root, 0o755); err != nil {
				return tool.NewError(tool.ExecutionError, "root_unwritable", message.New("session.root_unwritable", "folder", root, "cause", err))
			}
		}
	}
	return nil
}
