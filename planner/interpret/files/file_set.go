package files

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// several reads [lo,hi) as many files by their kind and their folder: "all pdfs from
// downloads", "the .tmp files in the folder build on the desktop". Every word must be used, and
// the words must name a folder. Without a kind, isAnyKind must be set: "all files".
func (p *actReader) several(lo, hi int, isAnyKind bool) (operand, bool) {
	whole := hi
	f := &filterReader{actReader: p, isNested: true}
	hi = f.readEnd(lo, hi)
	var it Item
	from := p.PlaceAt(&it, lo, hi)
	end := p.trimPlace(&it, from, hi)
	if !it.IsKnown() || it.Inside || it.unknown.Lo < it.unknown.Hi {
		return operand{}, false
	}
	end = f.readEnd(from, end)
	kind := p.Skip(from, end, lexicon.BulkAll, lexicon.Determiner, lexicon.Mine)
	_, all := p.Longest(p.Skip(from, kind, lexicon.Determiner, lexicon.Mine), kind, lexicon.BulkAll)
	filter, ok := p.filter(kind, end)
	switch {
	case !ok, len(filter.Extensions) == 0 && !f.isSaid() && !isAnyKind, !all && !p.isPlural(end-1):
		return operand{}, false
	}
	f.filter.Extensions = filter.Extensions
	return operand{object: plan.FilesType, path: asFolder(it.Join("")), value: f.filter.String(), located: true, span: parse.Span{Lo: lo, Hi: whole}}, true
}

// readEnd reads the filters at the end of [lo,hi), and returns where they begin: "older than a
// year". It reads no order, because all files are meant.
func (f *filterReader) readEnd(lo, hi int) int {
	for i := max(lo+1, hi-parse.MaxPhrase); i < hi; i++ {
		try := *f
		if end := try.read(i, hi); end == hi && try.filter.Order == "" {
			*f = try
			return f.readEnd(lo, i)
		}
	}
	return hi
}

// filter reads [lo,hi) as a kind of files: "pdf files", ".tmp files", "*.tmp", "photos", "files".
func (p *actReader) filter(lo, hi int) (f plan.FileFilter, ok bool) {
	if lo >= hi {
		return f, false
	}
	k, typed := p.readKinds(lo, hi)
	if typed && k.rest == hi && k.object == parse.FileType && !k.named {
		f.Extensions = k.extensions
		return f, true
	}
	if m, ok := p.Longest(lo, hi, lexicon.Files); ok && lo+m.Len == hi-1 && p.Source[p.Tokens[hi-1].Start] == '.' { // "files .tmp"
		lo += m.Len
	}
	noun := p.Skip(lo+1, hi, lexicon.Files, lexicon.File)
	ext := strings.ToLower(strings.TrimPrefix(p.Source[p.Tokens[lo].Start:p.Tokens[lo].End], "*"))
	if noun < hi || !strings.HasPrefix(ext, ".") && !(noun > lo+1 && lexicon.IsFileExtension(ext)) {
		return f, false
	}
	ext = "." + strings.TrimPrefix(ext, ".")
	if lexicon.FileExtension("x"+ext) != ext[1:] || strings.Count(ext, ".") > 1 {
		return f, false
	}
	f.Extensions = []string{ext}
	return f, true
}

// isPlural reports whether a word for files means many: "pdfs", "files", "картинки". Words that
// may mean one as well, such as "pdf" and «фото», don't.
func (p *actReader) isPlural(i int) bool {
	if p.IsPhrase(i, i+1, lexicon.Files) || strings.HasPrefix(p.Source[p.Tokens[i].Start:], "*.") {
		return !p.IsPhrase(i, i+1, lexicon.File)
	}
	word := p.Fold(i)
	for _, end := range []string{"s", "ы", "и", "я"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
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
