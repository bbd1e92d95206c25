package files

import (
	"slices"

	"errand/planner/interpret/files/filter"
	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// several reads [lo,hi) as many files by their kind and their folder: "all pdfs from
// downloads", "the .tmp files in the folder build on the desktop", "the newest pdf in downloads". Every word must be used. Without
// a kind, isAnyKind must be set: "all files". If the words name no folder, it is the answer to the
// question of [actReader.askFolder], or the path of the operand is empty.
func (p *actReader) several(lo, hi int, isAnyKind bool) (operand, bool) {
	span := parse.Span{Lo: lo, Hi: hi}
	f := p.filters()
	f.ReadsWords = true
	limit, next, isFirst := f.ReadFirst(lo, hi)
	if isFirst {
		lo = next
	}
	hi = f.ReadEnd(lo, hi)
	var it item.Item
	from := p.PlaceAt(&it, lo, hi)
	end := p.TrimPlace(&it, from, hi)
	if it.Inside || it.Unknown.Lo < it.Unknown.Hi {
		return operand{}, false
	}
	end = f.ReadEnd(from, end)
	if m, ok := p.FindEnding(from+1, end, lexicon.OwnDeed); ok && isFirst { // "the last pdf i downloaded"
		end -= m.Len
	}
	kind := p.Skip(from, end, lexicon.BulkAll, lexicon.Determiner, lexicon.Mine)
	_, all := p.Longest(p.Skip(from, kind, lexicon.Determiner, lexicon.Mine), kind, lexicon.BulkAll)
	what, ok := filter.ReadKind(p.Text, kind, end)
	if !ok && all && kind >= end && isAnyKind && f.IsSaid() { // "everything in downloads older than a month"
		ok = true
	}
	if !ok && all {
		what, ok = filter.ReadOneKind(p.Text, kind, end) // "every zip"
	}
	if isFirst {
		what, ok = filter.ReadOneKind(p.Text, kind, end)
		if all = true; ok && limit == 0 {
			limit, ok = 1, !filter.IsPlural(p.Text, end-1)
		}
		if !it.IsKnown() && filter.SaysDownloaded(p.Text, span.Lo, span.Hi) {
			it.Place = downloads
		}
	}
	switch {
	case !ok, f.Filter.Text != "", len(what.Extensions) == 0 && !f.IsSaid() && !isAnyKind, !all && !filter.IsPlural(p.Text, end-1):
		return operand{}, false
	case !it.IsKnown() && !all && p.IsPhrase(kind, end, lexicon.Place, lexicon.OwnFolder):
		return operand{}, false // "documents" is a folder
	}
	f.Filter.Extensions, f.Filter.Names = what.Extensions, what.Names
	files := operand{object: plan.FilesType, value: f.Filter.String(), query: lexicon.WithoutQuotes(p.Cut(f.Name.Lo, f.Name.Hi)), span: span, limit: limit}
	if folder := p.Hint(span.Lo).Folder; !it.IsKnown() && folder != "" {
		it.Folder = p.ExpandPlace(folder)
	}
	if files.located = it.IsKnown(); files.located {
		files.path = item.AsFolder(it.Join(""))
	}
	return files, true
}

// downloads is where files are that the user downloaded.
const downloads = "~/Downloads/"

// chosen reads [lo,hi) as one file that the words choose by its order: "the newest pdf in
// downloads". It asks for the folder if the words name none.
func chosen(p *actReader, c *parse.Clause, lo, hi int) (file []operand, asks bool) {
	f, ok := p.several(lo, hi, true)
	if !ok || f.limit != 1 {
		return nil, false
	}
	if !f.located {
		p.askFolder(c, f)
		return nil, true
	}
	return []operand{f}, false
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
