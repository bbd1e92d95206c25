package places

import (
	"os"
	"slices"
	"strings"

	"errand/host/files"
	"errand/host/realpath"
	"errand/planner/plan"
)

// ExistingPaths looks which of the paths that the goals name are there, as facts.
// Only paths inside the granted roots are looked at.
func (p Places) ExistingPaths(in FileGoals) []string {
	facts := p.LookAtAll(in)
	for _, g := range p.Settle(in, facts).Goals {
		if g.IsOnExisting() && (g.Action != "delete" || g.AreFiles()) {
			continue
		}
		if g.GoalType != plan.FileOperation || !p.isGranted(g.Target) || files.Climbs(g.Target) {
			continue
		}
		info, err := os.Lstat(g.Target)
		switch {
		case err == nil && info.IsDir() == (g.ObjectType == "folder"):
			facts = append(facts, factExists+g.Target)
			facts = append(facts, FullFolders(p, g)...)
		case os.IsNotExist(err):
			facts = append(facts, factMissing+g.Target)
		case err == nil && (info.IsDir() || info.Mode().IsRegular()): // another kind is in the way
			facts = append(facts, otherKind[g.ObjectType]+g.Target)
		} // of anything else neither is known: the tool says what is there
	}
	return facts
}

// otherKind are the facts that a path is a file where the goal says a folder, and the
// reverse, by the type of the goal's object.
var otherKind = map[string]string{"file": factFolder, "folder": factFile}

// FullFolders returns a fact about each folder with content that goals delete.
func FullFolders(p Places, goals ...plan.Goal) (facts []string) {
	for _, g := range goals {
		if g.Action == "delete" && g.ObjectType == "folder" && p.isGranted(g.Target) && hasItems(g.Target) {
			facts = append(facts, "has_items:"+strings.TrimRight(g.Target, "/"))
		}
	}
	return facts
}

// hasItems reports whether a folder has content that can be read.
func hasItems(folder string) bool {
	f, err := os.Open(folder)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(1)
	return len(names) > 0
}

// isGranted reports whether path lies in a folder that file tools may touch.
func (p Places) isGranted(path string) bool {
	return slices.ContainsFunc(p.roots(), func(root string) bool { return realpath.Contains(root, path) })
}

// LookAtTrash returns the fact that the trash is empty, if a goal is to empty it.
func (p Places) LookAtTrash(in FileGoals) []string {
	if slices.ContainsFunc(in.Set.Goals, plan.Goal.EmptiesTrash) && files.IsTrashEmpty(p.Conf.Paths.Trash) {
		return []string{plan.TrashEmpty}
	}
	return nil
}

// NamedPaths are the paths that the goals may mean or make.
func (p Places) NamedPaths(in FileGoals) map[string]bool {
	named := map[string]bool{}
	for i, g := range p.resolve(in.Set).Goals {
		if g.GoalType != plan.FileOperation {
			continue
		}
		named[strings.TrimRight(g.Target, `/\`)] = true
		if !g.IsOnExisting() {
			continue
		}
		for _, path := range p.candidates(in.Set.Goals[i], in.work) {
			g.Target = path
			named[strings.TrimRight(path, `/\`)] = true
			named[strings.TrimRight(p.newPath(g), `/\`)] = true
		}
	}
	return named
}
