package files

import (
	"strings"

	"errand/planner/interpret/files/filter"
	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// ownFolder reads [lo,hi) as a known folder alone: "my downloads".
func (p *actReader) ownFolder(lo, hi int) (string, bool) {
	if m, ok := p.Longest(lo, hi, lexicon.OwnFolder); ok && m.Len == hi-lo {
		return m.Value, true
	}
	return "", false
}

// actList reads "files in downloads", "my documents", "in the folder invoices".
func (p *actReader) actList(c *parse.Clause, lo, hi int) {
	if p.findFiltered(c, lo, hi) { // "show files modified today"
		return
	}
	if listOrdered(p, c, lo, hi) {
		return
	}
	if m, ok := p.FindEnding(lo+1, hi, lexicon.FileFilter); ok && m.Value == "" { // «что в папке a лежит»
		hi -= m.Len
	}
	noun := p.Skip(lo, hi, lexicon.BulkAll, lexicon.Determiner)
	from := p.Skip(noun, hi, lexicon.Bulk, lexicon.Files, lexicon.Folders, lexicon.ContentsNoun)
	counted := from > noun
	if _, folders := p.FindEnding(lo, from, lexicon.Folders); folders && filter.HasOnly(p.Text, lo, from) { // a list has files too
		c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: from})
		return
	}
	of, _ := p.Longest(from, hi, lexicon.Of)
	starts := []int{lo, from, from + of.Len}
	if k, _ := filter.ReadKinds(p.Text, lo, hi); of.Len > 0 && len(k.Extensions) > 0 && k.Rest == from { // "all videos in downloads"
		starts = starts[:1]
	}
	for _, i := range starts {
		if at, ok := p.ownFolder(i, hi); ok {
			p.addList(c, at, i, hi)
			return
		}
	}
	if k, typed := filter.ReadKinds(p.Text, lo, hi); typed && len(k.Extensions) > 0 {
		p.actFind(c, lo, hi) // "show the pdf files in downloads"
		return
	}
	if path, ok := p.folderAt(from, hi); ok {
		p.addList(c, path, from, hi)
		return
	}
	if counted {
		from += of.Len
		if t := p.operands(from, hi, parse.Location{}); len(t) == 1 && t[0].object == parse.FolderType {
			p.addList(c, t[0].path, from, hi)
		}
		return
	}
	if t := p.operands(lo, hi, parse.Location{}); len(t) == 1 && (t[0].object == parse.FolderType || parse.IsFolderPath(p.Text, t[0].span)) {
		p.addList(c, t[0].path, lo, hi)
	}
}

// listOrdered reads a folder to list in an order, which a search has: "my downloads by size".
func listOrdered(p *actReader, c *parse.Clause, lo, hi int) bool {
	for i := lo + 1; i < hi; i++ {
		f := p.filters()
		if f.Read(i, hi) != hi || f.Filter.Order == "" || f.Filter.Extensions != nil {
			continue
		}
		at, ok := p.ownFolder(lo, i)
		if !ok {
			at, ok = p.folderAt(p.Skip(lo, i, lexicon.BulkAll, lexicon.Files), i)
		}
		if ok {
			p.addDraft(c, plan.FindAction, operand{object: parse.FileType, path: at, span: parse.Span{Lo: lo, Hi: hi}, value: f.Filter.String()}, place{})
			return true
		}
	}
	return false
}

// folderAt reads [lo,hi) as "in documents", "in the folder invoices".
func (p *actReader) folderAt(lo, hi int) (string, bool) {
	if m, ok := p.Longest(lo, hi, lexicon.Place, lexicon.Here); ok && m.Len == hi-lo && m.Len > 1 {
		if m.Kind == lexicon.Here {
			return item.WorkingFolder, true
		}
		return m.Value, true
	}
	if p.IsPhrase(lo, hi, lexicon.Here) {
		return item.WorkingFolder, true
	}
	if _, folder := p.FindEnding(lo+1, hi, lexicon.Folder); folder && p.IsPhrase(lo, hi, lexicon.InIt) { // "in this folder"
		return item.WorkingFolder, true
	}
	m, ok := p.Longest(lo, hi, lexicon.In, lexicon.Inside, lexicon.Source)
	if !ok || lo+m.Len >= hi {
		return "", false
	}
	var it item.Item
	from := p.Skip(lo+m.Len, hi, lexicon.Determiner)
	end := p.TrimPlace(&it, from, hi)
	if it.Unknown.Lo < it.Unknown.Hi {
		return "", false
	}
	dir, ok := p.Container(from, end, false)
	if !ok {
		return "", false
	}
	return item.AsFolder(it.Join(dir)), true
}

func (p *actReader) addList(c *parse.Clause, path string, lo, hi int) {
	p.addDraft(c, plan.ListAction, operand{object: parse.FolderType, path: path, span: parse.Span{Lo: lo, Hi: hi}}, place{})
}

// actFind reads "pdf files in downloads", "report.docx", "my invoices in documents".
func (p *actReader) actFind(c *parse.Clause, lo, hi int) {
	if at := p.Skip(lo, hi, lexicon.Determiner, lexicon.Mine, lexicon.File, lexicon.Folder); at == hi-1 && p.Tokens[at].Shape == lexicon.PathShape && p.Hint(at).Object != "" {
		path, span := p.Tokens[at].Value, parse.Span{Lo: at, Hi: hi}
		name := lastName(path)
		p.addDraft(c, plan.FindAction, operand{object: p.Hint(at).Object, path: strings.TrimSuffix(path, name), query: name, span: span}, place{})
		return
	}
	if p.findFiltered(c, lo, hi) {
		return
	}
	at, end, located := "", hi, false
	for i := lo; i < hi; i++ {
		if path, ok := p.folderAt(i, hi); ok {
			at, end, located = path, i, true
			break
		}
	}
	if m, ok := p.Longest(lo, end, lexicon.Place); ok && !located && m.Len > 1 { // "in downloads for report"
		at, lo, located = m.Value, lo+m.Len, true
	} else if m, ok := p.Longest(lo, end, lexicon.OwnFolder); ok && !located && lo+m.Len < end { // "my documents for invoices"
		if f, ok := p.Longest(lo+m.Len, end, lexicon.For); ok {
			at, lo, located = m.Value, lo+m.Len+f.Len, true
		}
	}
	if f, ok := p.Longest(lo, end, lexicon.For); ok && located {
		lo += f.Len
	}
	if text, ok := p.Longest(lo, end, lexicon.TextNoun); ok && located && lo+text.Len < end { // "my documents for the word budget"
		words := parse.Span{Lo: lo + text.Len, Hi: end}
		if item.IsName(p.Text, words, true) {
			value := plan.FileFilter{Text: lexicon.WithoutQuotes(p.Cut(words.Lo, words.Hi))}
			p.addDraft(c, plan.FindAction, operand{object: parse.FileType, path: at, span: words, value: value.String()}, place{})
		}
		return
	}
	_, asks := p.Longest(c.Verb.Lo, c.Body, lexicon.AsksWhere)
	_, mine := p.FindEnding(c.Verb.Lo, c.Body, lexicon.Mine)
	if k, _ := filter.ReadKinds(p.Text, lo, end); (asks || mine) && k.Rest == end && len(k.Names) > 0 && k.Fit(parse.Span{}) && !located { // "where are my screenshots"
		value := plan.FileFilter{Extensions: k.Extensions, Names: k.Names}
		p.addDraft(c, plan.FindAction, operand{object: parse.FileType, path: everywhere, span: parse.Span{Lo: lo, Hi: end}, value: value.String()}, place{})
		return
	}
	if name, ok := ownThing(p.Text, c, lo, end); ok && !located {
		p.addDraft(c, plan.FindAction, operand{object: parse.FileType, path: everywhere, query: p.Cut(name.Lo, name.Hi), span: name}, place{})
		return
	}
	if m, ok := p.FindEnding(lo+1, end, lexicon.FileFilter); ok && m.Value == "" { // "every word document i've got"
		end -= m.Len
	}
	g, typed := filter.ReadKinds(p.Text, lo, end)
	name := parse.Span{Lo: g.Rest, Hi: end}
	switch {
	case !g.Fit(name):
		return
	case name.Lo >= name.Hi && !located && g.Extensions != nil && filter.SaysWhich(p.Text, lo, end, filter.IsFinding(p.Text, c)): // "all pdfs"
	case name.Lo >= name.Hi && located && (g.Extensions != nil || g.Object == parse.FolderType):
	case name.Lo < name.Hi && (item.IsName(p.Text, name, typed) && (located || typed) || item.IsFileToken(p.Text, name) && p.Tokens[name.Lo].Shape == lexicon.FileShape):
		if typed && !located && !g.Named && !item.IsFileToken(p.Text, name) && !(g.Single && (!item.IsIndefinite(p.Text, lo, end) && parse.SkipArticles(p.Text, lo, end) > lo || !p.Words.Packs[c.Lang].NameFirst)) {
			return // "find files of the case", "find file converters": it may be anything
		}
	default:
		return
	}
	span := parse.Span{Lo: lo, Hi: hi}
	if at == "" {
		at = everywhere
	}
	p.addDraft(c, plan.FindAction, operand{object: g.Object, path: at, span: span}, place{})
	goal := &c.Drafts[len(c.Drafts)-1].Goal
	goal.Query, goal.Value = p.Cut(name.Lo, name.Hi), plan.FileFilter{Extensions: g.Extensions, Names: g.Names}.String()
	c.FreeText = goal.Query != ""
}

// ownThing returns the words for a paper of the user whose place a command asks for: "resume" in
// "where did i put my resume".
func ownThing(p *parse.Text, c *parse.Clause, lo, hi int) (parse.Span, bool) {
	at := p.Skip(lo, hi, lexicon.Determiner, lexicon.Mine)
	_, asks := p.Longest(c.Verb.Lo, c.Body, lexicon.AsksWhere)
	_, typed := p.Longest(at, hi, lexicon.File, lexicon.Folder)
	if _, is := p.FindEnding(at, hi, lexicon.OwnWork, lexicon.OwnPaper, lexicon.OwnDocument); !asks || !is || typed {
		return parse.Span{}, false
	}
	name := parse.Span{Lo: at, Hi: hi}
	return name, item.IsName(p, name, false)
}

// everywhere stands for all folders of the user.
const everywhere = "~/"
