package interpret

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
	"errand/planner/plan"
)

// extend adds a piece that starts no command to the clause before it.
func (p *parser) extend(c *parse.Clause, pc segment) {
	lo, hi := pc.lo, pc.hi
	switch {
	case pc.unmarked:
		c.NeedsReading = true
	case p.hasAnd(pc) && !c.FreeText && p.IsPhrase(lo, hi, lexicon.Wake): // "turn off the sound and computer"
		c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: hi})
	case p.IsPolite(lo, hi) && !c.FreeText, (c.Frame == parse.FileFrame || c.Frame == parse.ActFrame) && p.IsPhrase(lo, p.TrimTail(lo, hi, true), conditionOf(c)):
		return
	case c.Outcome == parse.Asks && !c.FreeText && c.Body >= p.TrimTail(c.Lo, c.Hi, true):
		c.NeedsReading = true // "open, please, youtube": the object comes after the pause
	case c.Outcome == parse.Asks && c.Frame == parse.FileFrame && c.Plural && (c.Ask.Code == "question.name" || c.Ask.Code == "question.choice") && !c.NeedsReading:
		c.NeedsReading = true // "two folders, north and south"
	case namesBefore(p, c, pc):
		c.NeedsReading = true // "a new folder, call it Receipts"
	case c.Outcome == parse.Asks && c.Ask.Code == "question.folder":
		c.NeedsReading = true // "all pdfs and photos in downloads"
	case c.NeedsPage && p.IsPhrase(lo, p.TrimTail(lo, hi, true), lexicon.Submit):
		c.IsSubmitted = true
		return
	case c.Frame == parse.OpenFrame && c.Outcome == parse.Understood:
		lo, _ = p.SkipLead(lo, hi)
		if end := p.TrimTail(lo, hi, true); lo < end {
			before := len(c.Drafts)
			p.Web.OpenItem(c, lo, end)
			if c.Outcome == parse.Understood && len(c.Drafts) > before {
				c.Hi = hi
				return
			}
			c.Outcome = parse.Asks
			if c.Ask.Code == "question.unknown" && len(web.SimilarNames(p.Words, c.Ask.Words)) > 0 {
				c.Ask.InList = true // «открой ютуб и почту»
			} else {
				c.Ask = p.AskUnclear(parse.Span{Lo: lo, Hi: end})
			}
		}
	case c.Frame == parse.ActFrame || c.HasText || c.Outcome == parse.Unknown && isFileAction(p, c):
		c.NeedsReading = true // "a.txt and b.txt to documents"
	case c.Frame == parse.PageFrame && p.Page.AddPlace(c, pc.joint.Lo, p.TrimTail(lo, hi, true)):
	case c.Frame == parse.PageFrame && p.Page.AddPage(c, lo, hi):
	case c.Frame == parse.FileFrame && putsAway(p, c, pc):
		c.Frame, c.NeedsReading, c.HasList = parse.ActFrame, true, false // «a.txt и b.txt в документы»
	case c.Frame == parse.FileFrame && p.nextItem(c, pc):
		c.Hi, c.HasList = hi, true
		return
	case c.Frame == parse.SystemFrame && c.Outcome == parse.Understood:
		next := p.ReadSystem(lo, hi, false)
		if next.Outcome == parse.Understood {
			c.Drafts = append(c.Drafts, next.Drafts...)
		} else if end := p.TrimTail(lo, hi, true); lo < end {
			c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: end})
		}
	case c.Frame == parse.SearchFrame && (searchAgain(p, c, lo, p.TrimTail(lo, hi, true)) || p.shareVerb(c, pc)):
		c.Hi, c.HasList = hi, true
		return
	case c.FreeText && !c.HasList:
		c.NeedsReading = true
		c.Hi = hi
		if _, _, ok := p.Web.TrailingSite(lo, p.TrimTail(lo, hi, true)); ok {
			p.readAgain(c)
			c.NeedsReading = true
		}
		return
	case c.Frame == parse.SearchFrame && c.Outcome == parse.Understood && p.setLastSite(c, lo, p.TrimTail(lo, hi, true)):
		// "cats, i mean dogs, on youtube"
	case c.HasList || c.Outcome == parse.Understood:
		if end := p.TrimTail(lo, hi, true); lo < end {
			c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: end})
		}
	}
	c.Hi = hi
}

// putsAway reports whether a piece says where a clause that deletes puts things instead.
func putsAway(p *parser, c *parse.Clause, pc segment) bool {
	_, ok := p.Files.PutsAway(c.Verb, pc.lo, pc.hi)
	return ok
}

// namesBefore reports whether a piece names the thing whose name a clause asks for.
func namesBefore(p *parser, c *parse.Clause, pc segment) bool {
	_, named := p.Longest(pc.lo, pc.hi, lexicon.NameMarker)
	return named && c.Outcome == parse.Asks && c.Frame == parse.FileFrame && c.Action() == "create" && c.Ask.Code == "question.name"
}

// conditionOf is the kind of conditions that a command about files has anyway.
func conditionOf(c *parse.Clause) lexicon.Kind {
	if c.Frame == parse.FileFrame && c.Action() == "create" {
		return lexicon.IfMissing
	}
	return lexicon.IfThere
}

// isFileAction reports whether a clause begins with a verb about files, whose object may
// continue after a conjunction: "append cheese and wine to a.txt".
func isFileAction(p *parser, c *parse.Clause) bool {
	at, _ := p.SkipLead(c.Lo, c.Hi)
	_, ok := p.startsFileAction(at, c.Hi)
	return ok
}

// startsFileAction finds a verb about files at token i.
func (p *parser) startsFileAction(i, hi int) (lexicon.Match, bool) {
	if m, ok := p.Longest(i, hi, lexicon.FileAction); ok {
		return m, true
	}
	m, ok := p.Longest(i, hi, lexicon.OtherGoal)
	return m, ok && m.Value == plan.MoveAction // "put"
}

// nextItem reads one more file or folder for the verb of the clause: "… and a file
// b.txt", the next name of a list, "with a file b.txt".
func (p *parser) nextItem(c *parse.Clause, pc segment) bool {
	if c.Outcome != parse.Understood {
		return false
	}
	lo := p.Skip(p.SkipMarks(pc.lo, pc.hi), pc.hi, lexicon.Lead)
	hi := p.TrimTail(lo, pc.hi, true)
	if lo >= hi {
		return true
	}
	if end := p.TrimTail(lo, pc.hi, false); end > hi { // "a and b here"
		if _, here := p.FindEnding(lo+1, end, lexicon.Here); here {
			hi = end
		}
	}
	if p.IsPhrase(pc.joint.Lo, hi, lexicon.Contents) && c.Action() == "delete" && c.Drafts[len(c.Drafts)-1].Goal.ObjectType == parse.FolderType {
		return true // "… and everything in it"
	}
	if p.IsPhrase(pc.joint.Lo, hi, lexicon.Manner, lexicon.Contents) { // "… and so on"
		c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: hi})
		return true
	}
	if action, ok := p.Longest(lo, hi, lexicon.Keep, lexicon.OtherAction, lexicon.OtherThing, lexicon.Not); ok && lo+action.Len < hi && c.Action() == "delete" {
		return false // "… and leave the folder"
	}
	sub := parse.Clause{Frame: parse.FileFrame, Verb: c.Verb, VerbKind: c.VerbKind, Lang: c.Lang, Body: lo, Hi: hi}
	it := p.Files.Item(&sub, lo, hi)
	_, another := p.Longest(lo, hi, lexicon.Another)
	switch {
	case another && !it.Typed && it.Problem == "question.type":
		it.Name.Lo = p.skipAnother(lo, hi)
		p.Files.ShareType(&it, c.Object, c.Action())
	case it.Typed && (it.Problem == "" || c.Action() == "delete" && !p.IsPhrase(lo, hi, lexicon.File, lexicon.Files, lexicon.Folder, lexicon.Folders)):
	case c.Plural && it.Object == "" && it.Problem == "question.type":
		p.Files.ShareType(&it, c.Object, c.Action())
	case it.Object == parse.FileType && it.Problem == "" && p.isFileToken(it.Name) && (c.Plural || p.endsInFileToken(c) || p.Tokens[it.Name.Lo].Shape != lexicon.QuotedShape):
	default:
		return false
	}
	if c.NeedsReading && !c.HasList { // what it took up since is part of the item before
		if *c = p.readToEnd(*c); c.Outcome != parse.Understood {
			return false
		}
	}
	last := len(c.Drafts) - 1
	it.Inside = it.Inside || pc.hasFileAfter || c.Plural && !it.Typed && c.Drafts[last].Inside
	if d := &c.Drafts[last]; it.Inside && it.Place != "" && d.Goal.ObjectType == parse.FolderType && !d.HasLocation() {
		d.Location, it.Place = parse.Location{Place: it.Place}, "" // "a folder a with a file b.txt on the desktop"
	}
	if c.Plural && !it.Typed {
		it.Plural = true
		it.Ext = c.Ext
	}
	p.Files.AddItem(&sub, it)
	if sub.Outcome != parse.Understood {
		c.Outcome, c.Ask, c.Reason = sub.Outcome, sub.Ask, sub.Reason
		if c.Outcome == parse.Unknown {
			c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: hi})
		}
		return true
	}
	c.Drafts = append(c.Drafts, sub.Drafts...)
	if it.Typed {
		c.Object, c.Plural, c.Ext = it.Object, it.Plural, it.Ext
	}
	return true
}

// setLastSite sets the site of the last search to the one that [lo,hi) names: "on
// youtube".
func (p *parser) setLastSite(c *parse.Clause, lo, hi int) bool {
	from, s, ok := p.Web.TrailingSite(lo, hi)
	if !ok || from != lo || s.Fuzzy || c.NamesSite {
		return false
	}
	d := &c.Drafts[len(c.Drafts)-1]
	d.Goal.Platform, c.NamesSite = s.ID, true
	d.Spans = append(d.Spans, parse.SlotSpan{Slot: "platform", Span: parse.Span{Lo: hi - s.Len, Hi: hi}, Fuzzy: false})
	return true
}

func (p *parser) skipAnother(lo, hi int) int {
	lo = p.Skip(lo, hi, lexicon.Another, lexicon.Determiner)
	return p.Skip(lo, hi, lexicon.NameMarker)
}

// isFileToken reports whether a name is a single token that can't be part of a
// longer name: a file name, a path or a quoted span.
func (p *parser) isFileToken(q parse.Span) bool {
	return q.Hi == q.Lo+1 && (p.Tokens[q.Lo].Shape == lexicon.FileShape || p.Tokens[q.Lo].Shape == lexicon.QuotedShape || p.Tokens[q.Lo].Shape == lexicon.PathShape)
}

// endsInFileToken reports whether the last item of the clause is such a name.
func (p *parser) endsInFileToken(c *parse.Clause) bool {
	if len(c.Drafts) == 0 {
		return false
	}
	for _, s := range c.Drafts[len(c.Drafts)-1].Spans {
		if s.Slot == "target" {
			return p.isFileToken(s.Span)
		}
	}
	return false
}

// shareVerb lets one search verb serve two parts that each name their site: "cats on
// youtube and dogs on google", "youtube for cats and google for dogs", "cats on
// youtube and google", "youtube and google for cats".
func (p *parser) shareVerb(c *parse.Clause, pc segment) bool {
	if !c.NamesSite {
		return false
	}
	lo, hi := pc.lo, p.TrimTail(pc.lo, pc.hi, true)
	verb := lexicon.Match{Entry: lexicon.Entry{Kind: lexicon.Search, Lang: c.Lang, Value: ""}, Len: c.Verb.Hi - c.Verb.Lo}
	from := lo
	if on, ok := p.Longest(lo, hi, lexicon.On); ok {
		from += on.Len
	}
	s, isSite := p.Web.SiteAt(from, hi, false)
	_, _, trailing := p.Web.TrailingSite(lo, hi)
	if !isSite && !trailing {
		return false
	}
	if c.NeedsReading && !p.readAgain(c) {
		return false
	}
	switch {
	case isSite && from+s.Len == hi && c.Outcome == parse.Understood && !c.SiteFirst:
		d := c.Drafts[len(c.Drafts)-1]
		d.Goal.Platform = s.ID
		d.Spans = append(append([]parse.SlotSpan(nil), d.Spans...), parse.SlotSpan{Slot: "platform", Span: parse.Span{Lo: from, Hi: hi}, Fuzzy: false})
		c.Drafts = append(c.Drafts, d)
		return true
	case isSite && from+s.Len < hi:
		f, isFor := p.Longest(from+s.Len, hi, lexicon.For)
		if !isFor && !(c.SiteUnmarked && from > lo) { // "on youtube cats and on github wazero"
			return false
		}
		half := p.Web.Search(verb, c.Verb, from+s.Len+f.Len, pc.hi)
		if half.Outcome != parse.Understood || half.NamesSite {
			return false
		}
		half.Drafts[0].Goal.Platform = s.ID
		half.Drafts[0].Spans = append(half.Drafts[0].Spans, parse.SlotSpan{Slot: "platform", Span: parse.Span{Lo: from, Hi: from + s.Len}, Fuzzy: false})
		if c.Outcome == parse.Asks { // "search youtube and google for cats"
			for i := range c.Drafts {
				c.Drafts[i].Goal.Query = half.Drafts[0].Goal.Query
			}
			c.Outcome = parse.Understood
		}
		c.Drafts = append(c.Drafts, half.Drafts...)
		return true
	case c.Outcome == parse.Asks && isSite && from+s.Len == hi:
		d := c.Drafts[0]
		d.Goal.Platform = s.ID
		c.Drafts = append(c.Drafts, d)
		return true
	}
	if !trailing || c.Outcome != parse.Understood {
		return false
	}
	half := p.Web.Search(verb, c.Verb, lo, pc.hi)
	if half.Outcome != parse.Understood || !half.NamesSite {
		return false
	}
	c.Drafts = append(c.Drafts, half.Drafts...)
	return true
}
