package interpret

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// A clause after a file goal may mean its file: "copy a.txt to documents and open it", "create
// folder a and move b.txt there".

// resolveFile reads a clause that is not understood again with the file of the draft before it
// in place of "it". A deletion always names what it deletes.
func (t *tally) resolveFile(c *parse.Clause) {
	at, _ := t.SkipLead(c.Lo, c.Hi)
	verb, ok := t.Longest(at, c.Hi, lexicon.FileAction)
	if c.Outcome == parse.Understood || !ok || len(t.drafts) == 0 {
		return
	}
	last := t.drafts[len(t.drafts)-1]
	path, object := resultOf(last)
	if path == "" || !strings.ContainsAny(path, `/\.`) {
		return
	}
	for i := at + verb.Len; i < c.Hi; i++ {
		if m, ok := t.Longest(i, c.Hi, lexicon.Pronoun); !ok || m.Len > 1 {
			continue
		}
		again := newParser(parse.PutPath(t.Text, parse.Span{Lo: i, Hi: i + 1}, path, object)).files.Act(at, t.TrimTail(at, c.Hi, true))
		if again.Outcome != parse.Understood {
			continue
		}
		for j := range again.Drafts {
			d := &again.Drafts[j]
			if d.Goal.ObjectType == "" && d.Goal.Target == path {
				d.Goal.ObjectType = object
			}
			d.Needs = len(t.drafts)
		}
		again.Lo, again.Hi, again.JoinedByAnd, again.AfterOthers = c.Lo, c.Hi, c.JoinedByAnd, c.AfterOthers
		*c = again
		return
	}
}

// resultOf is the path and the type of what a file goal leaves, or "" if that is nothing certain.
func resultOf(d parse.Draft) (path, object string) {
	g := d.Goal
	if g.GoalType != plan.FileOperation || g.AreFiles() || d.Inside || d.Into || g.Action == "delete" || g.Action == plan.FindAction {
		return "", ""
	}
	to := g.NewPath()
	switch g.Action {
	case plan.ZipAction:
		object = parse.FileType
	case plan.UnzipAction:
		object = parse.FolderType
	default:
		object = g.ObjectType
	}
	switch {
	case to == "":
		return g.Target, object
	case !strings.ContainsAny(to, `/\`): // beside a file whose folder is not known yet
		return "", ""
	}
	return to, object
}

// resolveInto gives the drafts that go "there" the folder that a draft before them creates. It
// returns the first token of one that has no such folder, else -1.
func resolveInto(drafts []parse.Draft) int {
	folder := -1
	for i := range drafts {
		d := &drafts[i]
		if d.Into && folder < 0 {
			return d.Slot("destination").Lo
		}
		if d.Into {
			d.Goal.Destination = strings.TrimRight(drafts[folder].Goal.Target, "/") + "/"
			d.Needs = folder + 1
			continue
		}
		if d.Goal.GoalType == plan.FileOperation && d.Goal.ObjectType == parse.FolderType && d.Goal.Action == "create" {
			folder = i
		}
	}
	return -1
}
