package files

import (
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// sharePlaces lets a place serve every file of one command. Said before the names it
// reaches all that follow, said after the last one all that stand before:
// "in downloads delete a and b", "delete a and b from downloads". What has a
// place of its own, or is a path, stops it.
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

// Locate puts every file of the clauses at its place. A
// command that is joined to one of the same kind shares its last place with it:
// "delete folder a and delete folder b in documents".
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
