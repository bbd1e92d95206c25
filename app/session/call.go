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

// BeforeCall fails if the page that the call needs is closed, or if a granted folder that
// it names leads to Errand's own files now. For a plugin it makes that folder.
func (s *Session) BeforeCall(_ context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if lost := s.lostPage.Load(); lost != nil && slices.Contains(lost.actions, call.ActionID) {
		return lost.startErr
	}
	if fault := s.sessions.outlivesDemo(spec); fault != nil {
		return fault
	}
	if fault := s.checkRoots(spec, call); fault != nil {
		return fault
	}
	if !spec.FromPlugin() || len(spec.Paths) == 0 {
		return nil
	}
	return s.makeRoots(call.Args)
}

// checkRoots refuses a path in a granted folder that tools must not use any more, because it
// was replaced by a link or another folder was mounted since it was granted.
func (s *Session) checkRoots(spec tool.Spec, call tool.Call) *tool.Error {
	for _, arg := range spec.PathArgs(call.Args) {
		real, _ := realpath.Resolve(arg.Path)
		for _, root := range spec.Folders() {
			realRoot, _ := realpath.Resolve(root)
			if !realpath.Contains(root, arg.Path) && !realpath.Contains(realRoot, real) {
				continue
			}
			if err := s.sessions.o.Config.Grantable(root); err != nil {
				return tool.NewError(tool.PolicyDenied, "own_folder", message.New("session.own_folder", "folder", root, "cause", err)).
					WithHint(message.New("session.own_folder_hint"))
			}
		}
	}
	return nil
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
