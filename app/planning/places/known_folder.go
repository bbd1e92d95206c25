package places

import (
	"path/filepath"
	"slices"

	"errand/host/realpath"
	"errand/planner/message"
	"errand/planner/plan"
)

// ungrantedFolder returns the first known folder of the user, such as Pictures, that a file goal
// needs and that file tools may not use, or "". A search of all folders needs none.
func (p Places) ungrantedFolder(goals []plan.Goal) string {
	for _, g := range goals {
		if g.GoalType != plan.FileOperation {
			continue
		}
		for _, path := range []string{g.Target, g.Destination} {
			if path == "" || !filepath.IsAbs(path) || p.isGranted(path) {
				continue
			}
			for _, own := range knownFolders {
				if folder := p.ResolvePath(own); folder != own && realpath.Contains(folder, path) && !slices.ContainsFunc(p.roots(), func(root string) bool { return realpath.Contains(folder, root) }) {
					return folder
				}
			}
		}
	}
	return ""
}

// RefuseUngranted returns the result for goals about a known folder that is not granted, so that
// nothing begins that can't end.
func (p Places) RefuseUngranted(goals []plan.Goal) (plan.Result, bool) {
	folder := p.ungrantedFolder(goals)
	if folder == "" {
		return plan.Result{}, false
	}
	return plan.BlockedBy(message.New("planning.known_folder_not_allowed", "path", folder), nil), true
}

// closedFolders are the known folders of the user that file tools may not use.
func closedFolders(p Places) []string {
	var out []string
	for _, own := range knownFolders {
		folder := p.ResolvePath(own)
		if folder != own && !p.isGranted(folder) && !slices.ContainsFunc(p.roots(), func(root string) bool { return realpath.Contains(folder, root) }) {
			out = append(out, folder)
		}
	}
	return out
}

// RefuseSeveral returns the result for a goal whose name fits several files or folders. A run
// with a world says so itself, with a hint.
func (p Places) RefuseSeveral(in FileGoals, facts []string) (plan.Result, bool) {
	known := newFactSet(facts)
	for _, g := range in.Set.Goals {
		if !g.IsOnExisting() {
			continue
		}
		said := p.findReading(in, g, known)
		if found := p.present(said, in.work, known); len(found) > 1 {
			return plan.BlockedBy(message.New("planning.several_found", "name", said.Target, "paths", paths(found)), nil), true
		}
	}
	return plan.Result{}, false
}
