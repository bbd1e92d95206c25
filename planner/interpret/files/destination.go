package files

import (
	"strings"

	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// place is where something goes.
type place struct {
	path        string // a folder if it ends in a separator
	span        parse.Span
	isCertain   bool       // it can only be on this computer
	unknown     parse.Span // the words of a place that is not known
	isElsewhere bool       // that place is not on this computer
	isNew       bool       // the folder created just before: "there"
}

// destination reads [i,hi) as "to documents", "into the folder invoices", "to a.txt". "in
// documents" says where a thing is and not where it goes.
func (p *actReader) destination(i, hi int) (place, bool) {
	at := parse.Span{Lo: i, Hi: hi}
	if p.IsPhrase(i, hi, lexicon.InIt) {
		return place{span: at, isNew: true, isCertain: true}, true
	}
	if _, is := p.Longest(i, hi, lexicon.Source, lexicon.Located); is {
		return place{}, false
	}
	if m, ok := p.Longest(i, hi, lexicon.Place, lexicon.Here, lexicon.Elsewhere); ok && m.Len == hi-i && m.Len > 1 {
		switch {
		case m.Kind == lexicon.Here:
			return place{path: item.WorkingFolder, span: at, isCertain: true}, true
		case m.Kind == lexicon.Place:
			return place{path: m.Value, span: at, isCertain: true}, true
		}
		if folder := p.Hint(i).Folder; folder != "" {
			return place{path: item.AsFolder(p.ExpandPlace(folder)), span: at, isCertain: true}, true
		}
		return place{unknown: at, isElsewhere: true, span: at}, true
	}
	m, ok := p.Longest(i, hi, lexicon.Destination)
	if !ok || i+m.Len >= hi {
		return place{}, false
	}
	if folder := p.Hint(i).Folder; folder != "" {
		return place{path: item.AsFolder(p.ExpandPlace(folder)), span: at, isCertain: true}, true
	}
	if own, ok := p.ownFolder(i+m.Len, hi); ok { // "over to my desktop"
		return place{path: own, span: at, isCertain: true}, true
	}
	lo := p.Skip(i+m.Len, hi, lexicon.Determiner, lexicon.Empty)
	var it item.Item
	end := p.TrimPlace(&it, lo, hi)
	if it.Unknown.Lo < it.Unknown.Hi || lo >= end {
		return place{}, false
	}
	if dir, ok := p.Container(lo, end, false); ok && !item.IsFileToken(p.Text, parse.Span{Lo: lo, Hi: end}) {
		if name := parse.WithoutFolder(p.Text, lo, end); it.IsKnown() && !strings.Contains(name, "/") {
			dir = name // "the folder photos on the desktop" is not ~/Pictures
		}
		return place{path: item.AsFolder(it.Join(dir)), span: at, isCertain: true}, true
	}
	if end == lo+1 {
		switch name := p.Cut(lo, end); p.Tokens[lo].Shape {
		case lexicon.PathShape:
			if lexicon.FileExtension(name) == "" {
				name = item.AsFolder(name)
			}
			return place{path: p.ExpandPlace(name), span: at, isCertain: true}, true
		case lexicon.FileShape:
			return place{path: it.Join(p.ExpandPlace(name)), span: at}, true
		}
	}
	if name := (parse.Span{Lo: lo, Hi: end}); item.IsName(p.Text, name, false) && !item.AreFileNames(p.Text, name) {
		if it.IsKnown() {
			return place{path: item.AsFolder(it.Join(p.Cut(lo, end))), span: at, isCertain: true}, true
		}
		return place{unknown: parse.Span{Lo: i, Hi: hi}, span: at}, true
	}
	return place{}, false
}

// copyInto reads "X on the desktop" after "make a copy of" as the place of the copy.
func (p *Reader) copyInto(c *parse.Clause, lo, hi int) bool {
	_, makes := p.Longest(c.Verb.Lo, c.Body, lexicon.Make, lexicon.Create)
	m, ok := p.FindEnding(lo+1, hi, lexicon.Place)
	if !makes || !ok || m.Len < 2 {
		return false
	}
	act := &actReader{p}
	things := act.operands(lo, hi-m.Len, parse.Location{})
	if things == nil {
		return false
	}
	act.actOn(c, plan.CopyAction, things, place{path: m.Value, span: parse.Span{Lo: hi - m.Len, Hi: hi}, isCertain: true})
	return true
}

func folderChoice(name string) plan.Choice {
	return plan.Choice{Label: message.New("question.choice_folder_named", "name", name), Value: name}
}
