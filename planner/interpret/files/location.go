package files

import (
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// sharePlaces applies one place to several files of a command. A place before the
// names applies to those after it, a place after the last name to those before it:
// "in downloads delete a and b", "delete a and b from downloads". A file with its
// own place, or a path, ends this.
func sharePlaces(drafts []parse.Draft) {
	var front parse.Location
	for i := range drafts {
		switch d := &drafts[i]; {
		case d.HasLocation():
			if front = (parse.Location{}); d.PlaceFirst {
				front = d.Location
			}
		case front.IsKnown():
			d.Location, d.PlaceFirst = front, true
		}
	}
	var last parse.Location
	for i := len(drafts) - 1; i >= 0; i-- {
		switch d := &drafts[i]; {
		case d.HasLocation():
			if last = d.Location; d.PlaceFirst {
				last = parse.Location{}
			}
		case !last.Inside || d.Goal.ObjectType == parse.FileType: // not "a folder a and a folder b in it"
			d.Location = last
		}
	}
}

// Locate joins the files of the clauses with their places. A command joined to one
// of the same kind shares its place: "delete folder a and delete folder b in
// documents".
func Locate(clauses []parse.Clause) {
	for i := len(clauses) - 1; i >= 0; i-- {
		c := &clauses[i]
		if c.Frame != parse.FileFrame || len(c.Drafts) == 0 {
			continue
		}
		all := c.Drafts
		if i+1 < len(clauses) {
			if next := &clauses[i+1]; next.JoinedByAnd && next.Frame == parse.FileFrame && len(next.Drafts) > 0 && next.Negated == c.Negated &&
				next.Action() == c.Action() && !next.Drafts[0].PlaceFirst && !next.Drafts[0].Inside {
				all = append(all[:len(all):len(all)], next.Drafts[0])
			}
		}
		sharePlaces(all)
		copy(c.Drafts, all)
	}
	for i := range clauses {
		for j := range clauses[i].Drafts {
			if d := &clauses[i].Drafts[j]; d.Goal.GoalType == plan.FileOperation {
				d.Goal.Target = d.Join(d.Goal.Target)
			}
		}
	}
}
