package places

import (
	"path/filepath"
	"slices"
	"strings"

	"errand/host/files"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// folderOf returns the folder that a relative path begins with, such as "Screenshots" of
// "Screenshots/a.txt", and the rest with its slash. There is none in a bare name and in a path whose
// place is said.
func folderOf(path string) (folder, rest string, ok bool) {
	if filepath.IsAbs(path) || strings.HasPrefix(path, "~") || strings.HasPrefix(path, "./") || files.Climbs(path) {
		return "", "", false
	}
	i := strings.Index(path, "/")
	if i <= 0 {
		return "", "", false
	}
	return path[:i], path[i:], true
}

// namedFolders finds folders that words name without their place.
type namedFolders struct{ Places }

// candidates are the paths that a folder without a place may have.
func (p namedFolders) candidates(folder, work string) []string {
	var out []string
	for _, in := range p.searched(work) {
		out = append(out, filepath.Join(in, folder))
	}
	return out
}

// lookForFolder returns the facts about the folder that a relative path begins with, wherever it
// may be.
func (p namedFolders) lookForFolder(path, work string) (facts []string) {
	folder, _, ok := folderOf(path)
	if !ok {
		return nil
	}
	for _, f := range p.candidates(folder, work) {
		facts = append(facts, p.lookUp(f)...)
	}
	return facts
}

// inFolder are the paths that a relative path of goal i may mean: in the folder that an earlier goal
// creates, else in each folder with its name that is there. If there is none, it is one path, as
// [Places.Place] has it.
func (p namedFolders) inFolder(in FileGoals, i int, path string, known factSet) []string {
	folder, rest, ok := folderOf(path)
	if !ok {
		return []string{p.Place(path)}
	}
	for j, g := range in.Set.Goals[:i] {
		name := strings.TrimRight(g.Target, "/")
		if g.GoalType == plan.FileOperation && g.Action == "create" && g.ObjectType == "folder" && foldName(filepath.Base(name)) == foldName(folder) {
			return []string{p.inFolder(in, j, name, known)[0] + rest}
		}
	}
	var out []string
	for _, f := range p.candidates(folder, in.work) {
		if f = known.real(f); known[factFolder+f] && !slices.Contains(out, f+rest) {
			out = append(out, f+rest)
		}
	}
	if len(out) == 0 {
		return []string{p.Place(path)}
	}
	return out
}

// placeGoal gives goal i the paths of [namedFolders.inFolder], the first where there are several.
func (p namedFolders) placeGoal(in FileGoals, i int, g plan.Goal, known factSet) plan.Goal {
	for _, path := range pathsIn(&g) {
		if _, _, ok := folderOf(*path); ok {
			*path = p.inFolder(in, i, *path, known)[0]
		}
	}
	return g
}

// pathsIn are the paths of files and folders in a goal.
func pathsIn(g *plan.Goal) []*string {
	if g.GoalType != plan.FileOperation {
		return nil
	}
	return []*string{&g.Destination, &g.Target}
}

// checkFolders returns the error for the first goal whose folder may be one of several.
func (p namedFolders) checkFolders(in FileGoals, known factSet) *tool.Error {
	for i, g := range in.Set.Goals {
		for _, path := range pathsIn(&g) {
			if path == &g.Target && g.IsOnExisting() {
				continue
			}
			folder, _, _ := folderOf(*path)
			if found := p.inFolder(in, i, *path, known); len(found) > 1 {
				for j := range found {
					_, rest, _ := folderOf(*path)
					found[j] = strings.TrimSuffix(found[j], rest)
				}
				return tool.NewError(tool.ValidationError, codeSeveral, message.New("planning.several_found", "name", folder, "paths", paths(found))).
					WithHint(message.New("planning.say_which", "name", folder))
			}
		}
	}
	return nil
}
