package interpret

import (
	"strings"

	"errand/planner/interpret/files"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// A clause after a file goal may mean its file: "copy a.txt to documents and open it", "create
// folder a and move b.txt there".

// resolveFile reads a clause that is not understood again with a file of the draft before it in
// place of "it", "the original" or "the copy", or after a verb without an object: "and rename to
// b.txt". If a deletion may mean both what there was and what was made of it, the user is asked.
func (t *tally) resolveFile(c *parse.Clause) {
	if len(t.drafts) == 0 || c.Outcome == parse.Understood && !t.namesProduct(c) {
		return
	}
	if c.Outcome == parse.Asks && repeatSearch(t, c) {
		return
	}
	at, _ := t.SkipLead(c.Lo, c.Hi)
	verb, ok := t.Longest(at, c.Hi, append([]lexicon.Kind{lexicon.FileAction, lexicon.Put, lexicon.OtherGoal}, lexicon.DeleteVerbs...)...)
	if !ok {
		return
	}
	last := t.drafts[len(t.drafts)-1]
	made, before := files.ResultOf(last), files.Thing{Path: last.Goal.Target, Object: last.Goal.ObjectType}
	if made.Path == "" {
		return
	}
	deletes := lexicon.HasKind(lexicon.DeleteVerbs, verb.Kind)
	for i := at + verb.Len; i < c.Hi; i++ {
		m, ok := t.Longest(i, c.Hi, lexicon.Pronoun, lexicon.Original, lexicon.Product, lexicon.Archive)
		span := parse.Span{Lo: i, Hi: i + m.Len}
		if in, is := t.Longest(i, c.Hi, lexicon.InIt); is && in.Len == 1 && verb.Value == plan.AppendAction && t.readWith(c, span, made) { // «допиши туда …»
			return
		}
		switch {
		case !ok || m.Kind == lexicon.Pronoun && m.Len > 1, m.Kind == lexicon.Archive && last.Goal.Action != plan.ZipAction && last.Goal.Action != plan.UnzipAction:
			continue
		case m.Kind == lexicon.Original, m.Kind == lexicon.Archive && last.Goal.Action == plan.UnzipAction:
			if made == before || last.Goal.Action == plan.MoveAction || last.Goal.Action == plan.RenameAction || !t.readWith(c, span, before) {
				continue
			}
			return
		case deletes && m.Kind == lexicon.Pronoun && made != before && (last.Goal.Action == plan.CopyAction || last.Goal.Action == plan.ZipAction || last.Goal.Action == plan.UnzipAction):
			if again := *c; t.readWith(&again, span, before) {
				t.askThing(c, span, before, made)
				return
			}
			continue
		}
		if t.readWith(c, span, made) {
			return
		}
	}
	end := at + verb.Len // of the verb
	if _, goes := t.Longest(end, c.Hi, lexicon.Destination, lexicon.AsName, lexicon.Place); goes && !deletes {
		t.readWith(c, parse.Span{Lo: end, Hi: end}, made)
	}
}

// namesProduct reports whether a clause is understood to act on a file with the name that stands for
// one of the goal before it: "and move the archive to the desktop".
func (t *tally) namesProduct(c *parse.Clause) bool {
	last := t.drafts[len(t.drafts)-1].Goal
	if len(c.Drafts) != 1 || last.Action != plan.ZipAction && last.Action != plan.UnzipAction && last.Action != plan.CopyAction {
		return false
	}
	name := c.Drafts[0].Slot("target")
	m, ok := t.FindEnding(c.Lo, name.Hi, lexicon.Archive, lexicon.Original, lexicon.Product)
	return ok && m.Len >= name.Hi-name.Lo
}

// askThing asks which of two things a deletion means.
func (t *tally) askThing(c *parse.Clause, at parse.Span, things ...files.Thing) {
	q := parse.Question{Code: "question.choice", At: at, Objects: map[string]string{}}
	for _, th := range things {
		q.Choices = append(q.Choices, plan.Choice{Label: message.Verbatim(th.Path), Value: th.Path})
		q.Objects[th.Path] = th.Object
	}
	c.Outcome, c.Ask = parse.Asks, q
}

// readWith reads a clause again with a path in place of tokens, and reports whether it is then
// understood.
func (t *tally) readWith(c *parse.Clause, at parse.Span, th files.Thing) bool {
	longer := 1 - (at.Hi - at.Lo)
	again := newParser(parse.PutPath(t.Text, at, th.Path, th.Object).WithHint(at.Lo, lexicon.Hint{Object: th.Object, Certain: true})).Read(c.Lo, c.Hi+longer)
	if again.Outcome != parse.Understood || len(again.Drafts) == 0 || again.Negated != c.Negated {
		return false
	}
	used := false
	for i := range again.Drafts {
		d := &again.Drafts[i]
		if d.Goal.GoalType != plan.FileOperation || files.MovesNewThing(t.drafts[len(t.drafts)-1].Goal, d.Goal) || d.Goal.Target == th.Path && files.RemovesOwnFolder(d.Goal) {
			return false
		}
		if used = used || d.Goal.Target == th.Path; d.Goal.ObjectType == "" && d.Goal.Target == th.Path {
			d.Goal.ObjectType = th.Object
		}
		d.Needs = len(t.drafts)
		for j := range d.Spans { // the tokens of the text as it was
			s := &d.Spans[j]
			s.Lo, s.Hi = moveBack(s.Lo, at, longer), moveBack(s.Hi, at, longer)
		}
	}
	if !used {
		return false
	}
	again.Lo, again.Hi, again.JoinedByAnd, again.AfterOthers = c.Lo, c.Hi, c.JoinedByAnd, c.AfterOthers
	*c = again
	return true
}

// moveBack is the token of a text in which one token stood in place of others.
func moveBack(i int, at parse.Span, longer int) int {
	if i > at.Lo {
		return i - longer
	}
	return i
}

// resolveInto gives the drafts that go "there" the folder that a draft before them creates, or that an
// answer names. It returns the first token of one that has no such folder, else -1.
func (p *parser) resolveInto(drafts []parse.Draft) int {
	folder := -1
	for i := range drafts {
		d := &drafts[i]
		if d.Into && folder < 0 {
			at := d.Slot("destination").Lo
			if p.Hint(at).Folder == "" {
				return at
			}
			d.Goal.Destination = strings.TrimRight(p.ExpandPlace(p.Hint(at).Folder), "/") + "/"
			continue
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
