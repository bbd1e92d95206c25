package files

import (
	"slices"

	"errand/planner/interpret/files/filter"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// several reads [lo,hi) as many files by their kind and their folder: "all pdfs from
// downloads", "the .tmp files in the folder build on the desktop". Every word must be used, and
// the words must name a folder. Without a kind, isAnyKind must be set: "all files".
func (p *actReader) several(lo, hi int, isAnyKind bool) (operand, bool) {
	whole := hi
	f := p.filters()
	hi = f.ReadEnd(lo, hi)
	var it Item
	from := p.PlaceAt(&it, lo, hi)
	end := p.trimPlace(&it, from, hi)
	if !it.IsKnown() || it.Inside || it.unknown.Lo < it.unknown.Hi {
		return operand{}, false
	}
	end = f.ReadEnd(from, end)
	kind := p.Skip(from, end, lexicon.BulkAll, lexicon.Determiner, lexicon.Mine)
	_, all := p.Longest(p.Skip(from, kind, lexicon.Determiner, lexicon.Mine), kind, lexicon.BulkAll)
	extensions, ok := filter.ReadExtensions(p.Text, kind, end)
	switch {
	case !ok, len(extensions) == 0 && !f.IsSaid() && !isAnyKind, !all && !filter.IsPlural(p.Text, end-1):
		return operand{}, false
	}
	f.Filter.Extensions = extensions
	return operand{object: plan.FilesType, path: asFolder(it.Join("")), value: f.Filter.String(), located: true, span: parse.Span{Lo: lo, Hi: whole}}, true
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
