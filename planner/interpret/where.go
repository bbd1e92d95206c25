package interpret

import "errand/planner/plan"

// where is what the words say of where a file or folder lies. Its zero value
// says nothing.
type where struct {
	place  string // a known folder: "~/Desktop/"
	within string // a folder by its name or path
	inside bool   // the folder created just before
}

func (w where) said() bool { return w != where{} }

// lying is the path of a name that lies there.
func (w where) lying(name string) string {
	switch {
	case w.within != "" && !isPath(w.within):
		return joinPath(w.place+w.within, name)
	case w.within != "":
		return joinPath(w.within, name)
	case w.place != "" && !isPath(name):
		return w.place + name
	}
	return name
}

// spread lets a place serve every file of one command. Said before the names it
// reaches all that follow, said after the last one all that stand before:
// "in downloads delete a and b", "delete a and b from downloads". What has a
// place of its own, or is a path, stops it.
func spread(drafts []draft) {
	var front where
	for i := range drafts {
		switch d := &drafts[i]; {
		case d.settled():
			if front = (where{}); d.front {
				front = d.where
			}
		case front.said():
			d.where, d.front = front, true
		}
	}
	var last where
	for i := len(drafts) - 1; i >= 0; i-- {
		switch d := &drafts[i]; {
		case d.settled():
			if last = d.where; d.front {
				last = where{}
			}
		case !last.inside || d.goal.ObjectType == fileType: // not "a folder a and a folder b in it"
			d.where = last
		}
	}
}

// settled reports whether a draft needs no place from its neighbours.
func (d *draft) settled() bool {
	return d.goal.GoalType != plan.FileOperation || d.said() || isPath(d.goal.Target)
}

// located puts every file of the clauses at its place. A
// command that is joined to one of the same kind shares its last place with it:
// "delete folder a and delete folder b in documents".
func located(clauses []clause) {
	for i := len(clauses) - 1; i >= 0; i-- {
		c := &clauses[i]
		if c.frame != fileFrame || len(c.drafts) == 0 {
			continue
		}
		all := c.drafts
		if i+1 < len(clauses) {
			if next := &clauses[i+1]; next.joined && next.frame == fileFrame && len(next.drafts) > 0 && next.negated == c.negated &&
				next.action() == c.action() && !next.drafts[0].front && !next.drafts[0].inside {
				all = append(all[:len(all):len(all)], next.drafts[0])
			}
		}
		spread(all)
		copy(c.drafts, all)
	}
	for i := range clauses {
		for j := range clauses[i].drafts {
			if d := &clauses[i].drafts[j]; d.goal.GoalType == plan.FileOperation {
				d.goal.Target = d.lying(d.goal.Target)
			}
		}
	}
}
