package files

import (
	"slices"

	"errand/planner/interpret/files/filter"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// several reads [lo,hi) as many files by their kind and their folder: "all pdfs from
// downloads", "the .tmp files in the folder build on the desktop". Every word must be used. Without
// a kind, isAnyKind must be set: "all files". If the words name no folder, it is the answer to the
// question of [actReader.askFolder], or the path of the operand is empty.
func (p *actReader) several(lo, hi int, isAnyKind bool) (operand, bool) {
	whole := hi
	f := p.filters()
	f.ReadsWords = true
	hi = f.ReadEnd(lo, hi)
	var it Item
	from := p.PlaceAt(&it, lo, hi)
	end := p.trimPlace(&it, from, hi)
	if it.Inside || it.unknown.Lo < it.unknown.Hi {
		return operand{}, false
	}
	end = f.ReadEnd(from, end)
	kind := p.Skip(from, end, lexicon.BulkAll, lexicon.Determiner, lexicon.Mine)
	_, all := p.Longest(p.Skip(from, kind, lexicon.Determiner, lexicon.Mine), kind, lexicon.BulkAll)
	what, ok := filter.ReadKind(p.Text, kind, end)
	if !ok && all && kind >= end && isAnyKind && f.IsSaid() { // "everything in downloads older than a month"
		ok = true
	}
	switch {
	case !ok, f.Filter.Text != "", len(what.Extensions) == 0 && !f.IsSaid() && !isAnyKind, !all && !filter.IsPlural(p.Text, end-1):
		return operand{}, false
	case !it.IsKnown() && !all && p.IsPhrase(kind, end, lexicon.Place, lexicon.OwnFolder):
		return operand{}, false // "documents" is a folder
	}
	f.Filter.Extensions, f.Filter.Names = what.Extensions, what.Names
	files := operand{object: plan.FilesType, value: f.Filter.String(), query: lexicon.WithoutQuotes(p.Cut(f.Name.Lo, f.Name.Hi)), span: parse.Span{Lo: lo, Hi: whole}}
	if folder := p.Hint(lo).Folder; !it.IsKnown() && folder != "" {
		it.Folder = p.ExpandPlace(folder)
	}
	if files.located = it.IsKnown(); files.located {
		files.path = asFolder(it.Join(""))
	}
	return files, true
}

// askFolder asks in which folder many files are. The answer becomes the folder of a hint at the
// first of their words.
func (p *actReader) askFolder(c *parse.Clause, files operand) {
	at := parse.Span{Lo: files.span.Lo, Hi: files.span.Lo + 1}
	c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.folder", Words: p.Cut(files.span.Lo, files.span.Hi), At: at, Choices: parse.PlaceChoices()}
}

// StopSets stops the clauses about many files beside a negated clause: "delete all pdfs in
// downloads, but not a.pdf" may exclude some of the files.
func StopSets(clauses []parse.Clause) {
	for i := range clauses {
		c := &clauses[i]
		if c.Negated || !slices.ContainsFunc(c.Drafts, func(d parse.Draft) bool { return d.Goal.AreFiles() }) {
			continue
		}
		c.Outcome, c.Drafts = parse.Unknown, nil
		if c.Frame == parse.FileFrame {
			at := parse.Span{Lo: c.Body, Hi: c.Hi}
			c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.bulk", At: at, Description: at}
		}
	}
}
