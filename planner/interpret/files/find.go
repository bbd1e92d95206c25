package files

import (
	"errand/planner/interpret/files/filter"
	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// findFiltered reads files to find by more than their kind and folder: "files modified today in
// documents", "the newest pdf in downloads", "in documents files about taxes". Every word must
// be used. It reports false if the words are something else.
func (p *actReader) findFiltered(c *parse.Clause, lo, hi int) bool {
	f := p.filters()
	at, i, located := p.folderBefore(p.Skip(lo, hi, lexicon.BulkAll), hi)
	if i == p.Skip(lo, hi, lexicon.BulkAll) {
		i = lo
	}
	_, all := p.Longest(i, hi, lexicon.Nothing, lexicon.BulkAll) // "anything from this week"
	if c.Verb.Lo < c.Verb.Hi && p.IsPhrase(c.Verb.Hi-1, c.Verb.Hi, lexicon.Relative) {
		all = true // "what did i download yesterday"
	}
	said, done := filter.FindDeed(p.Text, p.Skip(i, hi, lexicon.BulkAll), hi)
	if done = done && said > lo && (c.Verb.Lo < c.Verb.Hi || p.IsQuestionWord(lo)); done {
		i = said
	}
	limit := 0
	for {
		from := p.Skip(i, hi, lexicon.BulkAll, lexicon.Nothing, lexicon.Determiner, lexicon.Mine)
		next := f.Read(from, hi)
		if n, end := filter.CountAt(p.Text, from, hi); next == from && limit == 0 && n > 1 { // "the five biggest files"
			limit, next = n, end
		}
		if next == from {
			break
		}
		i = next
	}
	k, typed := filter.ReadKinds(p.Text, i, hi)
	single := p.Skip(i, hi, lexicon.BulkAll)
	if one, ok := filter.OneKindAt(p.Text, single, hi); ok && !typed && (f.Filter.Order != "" || single > i && filter.ReadsFilter(p.Text, one.Rest, hi)) {
		k, typed = one, true
	}
	if m, ok := p.Longest(i, hi, lexicon.Nothing, lexicon.BulkAll); !typed && ok && m.Len == 1 { // "anything that says dentist"
		if _, filtered := p.Longest(i+1, hi, lexicon.FileFilter); filtered {
			k, typed = filter.Kinds{Object: parse.FileType, Rest: i + 1}, true
		}
	}
	if (done || all) && !typed && f.IsSaid() && f.EndOfName(i, hi) == i { // all files
		k, typed = filter.Kinds{Object: parse.FileType, Rest: i}, true
	}
	if !typed || k.Rest >= hi && !f.IsSaid() {
		return false
	}
	noun := parse.Span{Lo: i, Hi: k.Rest}
	name := parse.Span{Lo: k.Rest, Hi: f.EndOfName(k.Rest, hi)}
	if _, deed := p.Longest(k.Rest, hi, lexicon.OwnDeed); deed && f.Filter.Order != "" {
		name.Hi = name.Lo
	}
	f.ReadsWords = true
	for i = name.Hi; i < hi; {
		i = p.SkipPauses(i, hi)
		next := f.Read(i, hi)
		if path, end, ok := p.folderWithin(i, hi); next == i && ok && !located {
			at, next, located = path, end, true
		}
		if and, ok := p.Longest(i, hi, lexicon.And); next == i && ok && i > name.Hi {
			next = i + and.Len
		}
		if deed, ok := p.Longest(i, hi, lexicon.OwnDeed); next == i && ok && f.Filter.Order != "" { // "the last document i edited"
			next, done = i+deed.Len, true
		}
		if next == i {
			return false
		}
		i = next
	}
	if limit > 0 && f.Filter.Order == "" {
		return false
	}
	isOne := limit == 0 && f.Filter.Order != "" && !filter.IsPlural(p.Text, noun.Hi-1)
	switch {
	case !f.IsSaid(), isOne && !located && !done && !(len(k.Extensions) == 0 && filter.BeginsText(p.Text, c.Verb.Lo)), name.Lo < name.Hi && (!item.IsName(p.Text, name, true) || f.Name.Lo < f.Name.Hi), !located && !done && !f.IsLocal(k, noun):
		return false
	}
	if name.Lo >= name.Hi {
		name = f.Name
	}
	if at == "" && filter.SaysDownloaded(p.Text, lo, hi) {
		at = downloads
	} else if at == "" {
		at = everywhere
	}
	if f.Filter.Extensions, f.Filter.Names = k.Extensions, k.Names; !k.Fit(name) {
		return false
	}
	p.addDraft(c, plan.FindAction, operand{object: k.Object, path: at, span: parse.Span{Lo: lo, Hi: hi}, value: f.Filter.String()}, place{})
	goal := &c.Drafts[len(c.Drafts)-1].Goal
	goal.Query = lexicon.WithoutQuotes(p.Cut(name.Lo, name.Hi))
	if goal.Limit = limit; isOne {
		goal.Limit = 1
	}
	return true
}

// filters returns a reader of filters that ends words before a folder.
func (p *actReader) filters() *filter.Reader {
	return filter.New(p.Text, func(i, hi int) int {
		_, end, _ := p.folderWithin(i, hi)
		return end
	})
}

// OpenBare reads a folder of the user or the name of a file without a verb: "downloads", «мои
// документы», "budget.xlsx".
func (p *Reader) OpenBare(lo, hi int) parse.Clause {
	at := parse.Span{Lo: lo, Hi: hi}
	m, ok := p.Longest(lo, hi, lexicon.OwnFolder)
	object, target := parse.FolderType, m.Value
	if !ok || m.Len != hi-lo {
		if hi != lo+1 || p.Tokens[lo].Shape != lexicon.FileShape && p.Hint(lo).Object != parse.FileType || filter.IsArchive(p.Tokens[lo].Value) {
			return parse.Clause{Lang: lexicon.AnyLang}
		}
		object, target, m.Lang = parse.FileType, p.Tokens[lo].Value, lexicon.AnyLang
	}
	return parse.Clause{Frame: parse.ActFrame, Outcome: parse.Understood, Verb: at, VerbKind: lexicon.FileAction, Lang: m.Lang, Body: lo, Drafts: []parse.Draft{{
		Goal:  plan.Goal{GoalType: plan.FileOperation, Action: plan.OpenAction, ObjectType: object, Target: target},
		Spans: []parse.SlotSpan{{Slot: "goal_type", Span: at}, {Slot: "target", Span: at}},
	}}}
}

// FindWithoutVerb reads a text that only describes files to find: "the newest pdf in downloads".
// It must say more than their kind and folder.
func (p *Reader) FindWithoutVerb(lo, hi int) parse.Clause {
	c := parse.Clause{Frame: parse.ActFrame, Verb: parse.Span{Lo: lo, Hi: lo}, VerbKind: lexicon.FileAction, Lang: lexicon.AnyLang, Body: lo}
	if m, ok := p.Longest(lo, hi, lexicon.FileFilter, lexicon.FileKind, lexicon.Files); ok {
		c.Lang = m.Lang
	}
	if !(&actReader{p}).findFiltered(&c, lo, hi) {
		return parse.Clause{Lang: lexicon.AnyLang}
	}
	return c
}

// folderBefore reads a folder in front of what is to be found there: "in documents files about
// taxes".
func (p *actReader) folderBefore(lo, hi int) (at string, i int, located bool) {
	if own, ok := p.Longest(lo, hi, lexicon.OwnFolder); ok { // "my documents for anything that says dentist"
		if f, ok := p.Longest(lo+own.Len, hi, lexicon.For); ok && lo+own.Len+f.Len < hi {
			return own.Value, lo + own.Len + f.Len, true
		}
	}
	if path, end, ok := p.folderWithin(lo, hi); ok && end < hi {
		f, _ := p.Longest(end, hi, lexicon.For)
		return path, end + f.Len, true
	}
	return "", lo, false
}

// maxFolderWords is the longest description of a folder that other words follow, in words.
const maxFolderWords = 6

// folderWithin reads the longest description of a folder that begins at token i.
func (p *actReader) folderWithin(i, hi int) (path string, end int, ok bool) {
	for end = hi; end > i; end-- {
		if end < hi && end > i+maxFolderWords {
			end = i + maxFolderWords
		}
		if path, ok = p.folderAt(i, end); ok {
			return path, end, true
		}
	}
	return "", i, false
}
