package planning

import (
	"context"
	"slices"
	"strings"

	"errand/host/store"
	"errand/host/system"
	"errand/planner/message"
	"errand/planner/plan"
)

// World takes the snapshot that planning starts from. What can't be told of a
// platform is left out: the plan is then made as if it did not hold.
func (p *Planner) World(ctx context.Context, in Interpretation) (plan.World, error) {
	world, err := system.Snapshot(ctx, SystemApps(p.Conf.Catalogue))
	if err != nil {
		return world, message.Error("planning.snapshot_system", "cause", err)
	}
	switch {
	case !slices.ContainsFunc(in.files.Set.Goals, plan.Goal.ControlsPage):
	case p.hasOpenPage(nil):
		world.RecentFacts = append(world.RecentFacts, plan.PageOpen)
	case p.lostWindow != nil && p.lostWindow():
		world.RecentFacts = append(world.RecentFacts, plan.WindowLost)
	}
	seen := append(p.ExistingPaths(in.files), p.LookAtTrash(in.files)...)
	world.RecentFacts = append(world.RecentFacts, p.rememberedFacts(ctx, in, seen)...)
	world.RecentFacts = append(world.RecentFacts, seen...) // the latest facts are last, and believed
	return world, nil
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
	named := p.NamedPaths(in.files)
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
