package planning

import (
	"context"
	"os"
	"slices"
	"strings"

	"errand/host/files"
	"errand/host/realpath"
	"errand/host/store"
	"errand/host/system"
	"errand/planner/message"
	"errand/planner/plan"
)

// World takes the snapshot that planning starts from. What can't be told of a
// platform is left out: the plan is then made as if it did not hold.
func (p *Planner) World(ctx context.Context, in Interpretation) (plan.World, error) {
	world, err := system.Snapshot(ctx, SystemApps(p.conf.Catalogue))
	if err != nil {
		return world, message.Error("planning.snapshot_system", "cause", err)
	}
	switch {
	case !slices.ContainsFunc(in.set.Goals, plan.Goal.ControlsPage):
	case p.hasOpenPage(nil):
		world.RecentFacts = append(world.RecentFacts, plan.PageOpen)
	case p.lostWindow != nil && p.lostWindow():
		world.RecentFacts = append(world.RecentFacts, plan.WindowLost)
	}
	seen := append(p.existingPaths(in), p.lookAtTrash(in)...)
	world.RecentFacts = append(world.RecentFacts, p.rememberedFacts(ctx, in, seen)...)
	world.RecentFacts = append(world.RecentFacts, seen...) // the latest facts are last, and believed
	return world, nil
}

// lookAtTrash returns the fact that the trash is empty, if a goal is to empty it.
func (p places) lookAtTrash(in Interpretation) []string {
	if slices.ContainsFunc(in.set.Goals, plan.Goal.EmptiesTrash) && files.IsTrashEmpty(p.conf.Paths.Trash) {
		return []string{plan.TrashEmpty}
	}
	return nil
}

// rememberedFacts are the facts that runs of the past left behind and that have not
// expired, the oldest first. Of the paths that the goals name none is believed:
// a look at them says more, even where it can't tell what is there.
func (p *Planner) rememberedFacts(ctx context.Context, in Interpretation, seen []string) []string {
	s, err := p.storage()
	if err != nil {
		return nil // what was forgotten costs a step, not the run
	}
	facts, err := s.Facts(ctx)
	if err != nil {
		return nil
	}
	named := p.namedPaths(in)
	for _, f := range seen {
		if _, path, ok := strings.Cut(f, ":"); ok {
			named[strings.TrimRight(path, `/\`)] = true
		}
	}
	return storedFacts(facts, named)
}

// maxRemembered bounds the facts of the past in a world: every run keeps its
// world in its record.
const maxRemembered = 100

// namedPaths are the paths that the goals may mean or make.
func (p places) namedPaths(in Interpretation) map[string]bool {
	named := map[string]bool{}
	for i, g := range p.resolve(in.set).Goals {
		if g.GoalType != plan.FileOperation {
			continue
		}
		named[strings.TrimRight(g.Target, `/\`)] = true
		if !g.IsOnExisting() {
			continue
		}
		for _, path := range p.candidates(in.set.Goals[i], in.work) {
			g.Target = path
			named[strings.TrimRight(path, `/\`)] = true
			named[strings.TrimRight(p.newPath(g), `/\`)] = true
		}
	}
	return named
}

func storedFacts(facts []store.Fact, named map[string]bool) []string {
	var out []string
	for _, f := range slices.Backward(facts[:min(len(facts), maxRemembered)]) { // they come newest first
		if _, path, isPath := strings.Cut(f.Fact, ":"); isPath && named[strings.TrimRight(path, `/\`)] {
			continue
		}
		if f.Holds {
			out = append(out, f.Fact)
		} else {
			out = append(out, "!"+f.Fact)
		}
	}
	return out
}

// existingPaths looks which of the paths that the goals name are there, as facts.
// Only paths inside the granted roots are looked at.
func (p places) existingPaths(in Interpretation) []string {
	facts := p.lookAtAll(in)
	for _, g := range p.settle(in, facts).Goals {
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
			facts = append(facts, fullFolders(p, g)...)
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

// fullFolders returns a fact about each folder with content that goals delete.
func fullFolders(p places, goals ...plan.Goal) (facts []string) {
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
func (p places) isGranted(path string) bool {
	return slices.ContainsFunc(p.roots(), func(root string) bool { return realpath.Contains(root, path) })
}
