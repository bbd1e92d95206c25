package places

import (
	"slices"
	"strings"

	"errand/host/files"
	"errand/planner/plan"
)

// FileGoals are goals about files and folders as the words say them.
type FileGoals struct {
	Set    plan.GoalSet
	work   string              // the folder of "here", or ""
	Longer map[string][]string // targets that a goal has if more words belong to the name, by its id, the longest first
	Writes map[string]bool     // ids of the goals that create their file if it is not there
}

// Locate puts the paths below "./" into the working folder. Without one they stay, for the
// planner to refuse.
func (in FileGoals) Locate(work string) FileGoals {
	in.work = work
	goals := slices.Clone(in.Set.Goals)
	for i := range goals {
		for _, path := range []*string{&goals[i].Target, &goals[i].SaveTo, &goals[i].Destination} {
			if rest, here := strings.CutPrefix(*path, "./"); here && work != "" && !files.Climbs(rest) {
				*path = strings.TrimSuffix(work, "/") + "/" + rest
			}
		}
	}
	in.Set = plan.NewGoalSet(goals, in.Set.Deps)
	return in
}

// readings are what a goal may mean: with the longer names first, then as it is.
func (in FileGoals) readings(g plan.Goal) []plan.Goal {
	var out []plan.Goal
	for _, target := range in.Longer[g.GoalID] {
		longer := g
		longer.Target = target
		out = append(out, longer)
	}
	return append(out, g)
}

// findReading returns the reading of a goal whose file or folder is there; if none is, the goal as it is.
func (p Places) findReading(in FileGoals, g plan.Goal, known factSet) plan.Goal {
	for _, reading := range in.readings(g) {
		if reading.Target != g.Target && len(p.present(reading, in.work, known)) > 0 {
			return reading
		}
	}
	return g
}

// createWritten makes a goal that writes into a missing file one that creates it. A name near to the
// missing one is rather a slip.
func (p Places) createWritten(in FileGoals, g *plan.Goal, said plan.Goal, known factSet) {
	if !in.Writes[g.GoalID] || g.Action != plan.AppendAction || known[factNear+said.Target] {
		return
	}
	if slices.ContainsFunc(p.candidates(said, in.work), func(path string) bool { return known[factMissing+strings.TrimRight(known.real(path), "/")] }) {
		g.Action, g.ObjectType = "create", "file"
	}
}

// factNear begins the fact that a file has a name near to one that a goal writes into.
const factNear = "near:"
