package files

import (
	"strings"

	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// actWithName reads "X to Y as NAME": a file or folder that gets a new name where it goes.
func (p *Reader) actWithName(c *parse.Clause, action string, lo, hi int) bool {
	for i := lo + 1; i < hi-1; i++ {
		m, ok := p.Longest(i, hi, lexicon.AsName, lexicon.NameMarker)
		name := parse.Span{Lo: i + m.Len, Hi: hi}
		if !ok || name.Lo >= hi {
			continue
		}
		act := &actReader{p}
		if _, more := act.Longest(name.Lo, hi, lexicon.NameMarker); more || !isNewName(act.Text, name) || p.Tokens[name.Lo].Shape == lexicon.PathShape {
			return false
		}
		for j := lo + 1; j < i; j++ {
			to, ok := act.destination(j, i)
			things := act.operands(lo, j, parse.Location{})
			if !ok || len(things) != 1 || !strings.HasSuffix(to.path, "/") {
				continue
			}
			to.path += newName(act.Text, things[0], name)
			to.span.Hi = hi
			act.actOn(c, action, things, to)
			return true
		}
		return nameResult(act, c, action, parse.Span{Lo: lo, Hi: i}, name)
	}
	return false
}

// nameResult reads a copy or an archive that stays beside its original, with a new name: "a.txt
// called b.txt".
func nameResult(p *actReader, c *parse.Clause, action string, what, name parse.Span) bool {
	things := p.objects(action, what.Lo, what.Hi)
	if len(things) != 1 || action != plan.CopyAction && action != plan.ZipAction {
		return false
	}
	to := place{path: newName(p.Text, things[0], name), span: name, isCertain: true}
	if action == plan.ZipAction {
		to.path = p.Cut(name.Lo, name.Hi)
		if lexicon.FileExtension(to.path) == "" {
			to.path += ".zip"
		}
	}
	p.actOn(c, action, things, placeBeside(things, to))
	return true
}

// placeBeside is a new name alone as a place in the folder of the operand: "copy a.txt in
// documents to b.txt".
func placeBeside(operands []operand, to place) place {
	if len(operands) == 1 && operands[0].located && to.path != "" && !strings.ContainsAny(to.path, `/\`) {
		to.path = operands[0].path[:strings.LastIndexByte(operands[0].path, '/')+1] + to.path
	}
	return to
}

// actRename reads "X to Y", where Y is a name.
func (p *actReader) actRename(c *parse.Clause, lo, hi int) {
	var it item.Item
	end := hi
	for i := lo + 1; i < hi; i++ { // "… to b.txt in documents"
		if _, in := p.Longest(i, hi, lexicon.Located); in && p.TrimPlace(&item.Item{}, i-1, hi) == i {
			end = p.TrimPlace(&it, i-1, hi)
			break
		}
	}
	for i := end - 1; i > lo; i-- {
		m, ok := p.Longest(i, end, lexicon.Destination, lexicon.AsName)
		if _, in := p.Longest(i, end, lexicon.Located); !ok || in || i+m.Len >= end {
			continue
		}
		name := parse.Span{Lo: i + m.Len, Hi: end}
		if named, ok := p.Longest(name.Lo, name.Hi, lexicon.NameMarker); ok {
			name.Lo += named.Len
		}
		operands, asks := chosen(p, c, lo, i)
		if asks {
			return
		}
		if operands == nil {
			operands = p.operands(lo, i, it.Location)
		}
		if len(operands) != 1 || !isNewName(p.Text, name) {
			continue
		}
		to := place{path: newName(p.Text, operands[0], name), span: name, isCertain: true}
		p.actOn(c, plan.RenameAction, operands, to)
		return
	}
	p.askNewName(c, lo, hi)
}

// askNewName asks for the new name of the one thing that the words name. The answer becomes a hint
// at the verb.
func (p *actReader) askNewName(c *parse.Clause, lo, hi int) {
	things := p.operands(lo, hi, parse.Location{})
	if len(things) != 1 {
		return
	}
	if name := p.Hint(c.Verb.Lo).Name; name != "" {
		p.actOn(c, plan.RenameAction, things, place{path: withExtension(things[0], name), isCertain: true})
		return
	}
	c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.rename", Words: things[0].path, At: c.Verb}
}

// notInNewNames are the kinds that a new name without quotes has none of, and notFirst those that
// it does not begin with.
var (
	notInNewNames = []lexicon.Kind{lexicon.Nothing, lexicon.BulkAll, lexicon.Or, lexicon.Not, lexicon.If, lexicon.NameMarker, lexicon.In, lexicon.ThisPage, lexicon.Manner}
	notFirst      = []lexicon.Kind{lexicon.Vague, lexicon.Pronoun, lexicon.On, lexicon.Place, lexicon.Quality}
)

// isNewName reports whether the words can be the new name of something. They stand at the end of
// the command, so that most words can belong to it: "todo list for monday".
func isNewName(p *parse.Text, q parse.Span) bool {
	switch {
	case item.IsName(p, q, true):
		return true
	case q.Hi == q.Lo+1 && p.Tokens[q.Lo].Shape == lexicon.WordShape:
		return !p.IsPhrase(q.Lo, q.Hi, lexicon.Pronoun, lexicon.BulkAll, lexicon.Place)
	}
	if q.Hi-q.Lo < 2 || q.Hi-q.Lo > parse.MaxNameWords {
		return false
	}
	if _, ok := p.Longest(p.Skip(q.Lo, q.Hi, lexicon.Determiner), q.Hi, notFirst...); ok {
		return false
	}
	for i := q.Lo; i < q.Hi; i++ {
		shape := p.Tokens[i].Shape
		if shape == lexicon.FileShape && i < q.Hi-1 || shape == lexicon.PathShape || shape == lexicon.QuotedShape || shape == lexicon.MarkShape || item.IsShellToken(p, i) {
			return false
		}
		if _, ok := p.Longest(i, q.Hi, notInNewNames...); ok {
			return false
		}
	}
	return true
}

// newName is the new name of an operand. A file keeps its extension if the words give none.
func newName(p *parse.Text, t operand, name parse.Span) string {
	return withExtension(t, p.Cut(name.Lo, name.Hi))
}

// withExtension is a new name of an operand with the extension that it has.
func withExtension(t operand, to string) string {
	if ext := lexicon.FileExtension(t.path); t.object != parse.FolderType && ext != "" && lexicon.FileExtension(to) == "" {
		to += "." + ext
	}
	return to
}
