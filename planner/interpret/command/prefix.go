package command

import (
	"slices"
	"strings"

	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
)

// readBrowserPrefix asks about "in firefox open reddit".
func (p *Reader) readBrowserPrefix(lo, hi int) parse.Clause {
	in, ok := p.Longest(lo, hi, lexicon.InApp)
	e, named := p.Longest(lo+in.Len, hi, lexicon.App)
	end := lo + in.Len + e.Len
	if !ok || !named || p.Web.InBrowser(lo, end) == 0 {
		return parse.Clause{}
	}
	at := p.SkipPauses(end, hi)
	if v, verb := p.Longest(at, hi, lexicon.Verbs...); !verb || lexicon.IsGerund(v.Kind) {
		return parse.Clause{}
	}
	c := p.Command(at, hi, false)
	if c.Outcome == parse.Understood {
		c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: end})
	}
	return c
}

// readPlacePrefix reads commands that name the place first: "on youtube search for
// cats", "using bing find tides", "in chrome open reddit".
func (p *Reader) readPlacePrefix(lo, hi int) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	m, ok := p.Longest(lo, hi, lexicon.AsPlace)
	if ok && lo+m.Len < hi {
		at, ing := p.SkipLead(lo+m.Len, hi)
		if v, is := p.Longest(at, hi, lexicon.Verbs...); is && !lexicon.IsGerund(v.Kind) {
			return p.Command(at, hi, ing)
		}
	}
	if c := p.readBrowserPrefix(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	if c := p.readFolderPrefix(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	if m, ok := p.Longest(lo, hi, lexicon.Field); ok {
		if v, ok := p.Longest(lo+m.Len, hi, lexicon.TypeIn, lexicon.WriteIn, lexicon.Search); ok {
			at := lo + m.Len
			v.Kind = lexicon.TypeIn
			return p.Web.Search(v, parse.Span{Lo: at, Hi: at + v.Len}, at+v.Len, hi)
		}
	}
	m, ok = p.Longest(lo, hi, lexicon.On, lexicon.Use)
	if !ok {
		return none
	}
	s, ok := p.Web.SiteAt(lo+m.Len, hi, true)
	if !ok {
		return p.readHostPrefix(lo+m.Len, hi)
	}
	at, _ := p.SkipLead(p.SkipPauses(lo+m.Len+s.Len, hi), hi)
	at = p.Skip(at, hi, lexicon.To)
	v, ok := p.Longest(at, hi, lexicon.Search, lexicon.SearchIn, lexicon.SearchOn, lexicon.Play, lexicon.TypeIn)
	if !ok {
		return none
	}
	if v.Kind == lexicon.SearchOn || v.Kind == lexicon.Play || v.Kind == lexicon.TypeIn {
		v.Kind = lexicon.Search
	}
	c := p.Web.Search(v, parse.Span{Lo: at, Hi: at + v.Len}, at+v.Len, hi)
	if c.Outcome == parse.Asks && len(c.Drafts) == 0 && c.Ask.Code != "question.query" || c.Outcome == parse.Unknown {
		return c
	}
	c.SiteFirst = true
	setSite(&c, s, lo+m.Len)
	return c
}

// readHostPrefix asks about a search that first names a place which can't be searched: "on
// bloofle.com search for cats".
func (p *Reader) readHostPrefix(lo, hi int) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	u, ok := p.Web.UnsearchableAt(lo, hi)
	if !ok {
		return none
	}
	at, _ := p.SkipLead(p.SkipPauses(u.Hi, hi), hi)
	at = p.Skip(at, hi, lexicon.To)
	v, ok := p.Longest(at, hi, lexicon.Search, lexicon.SearchIn)
	if !ok {
		return none
	}
	c := p.Web.Search(v, parse.Span{Lo: at, Hi: at + v.Len}, at+v.Len, hi)
	if c.Outcome != parse.Understood || c.NamesSite || len(c.Drafts) != 1 {
		return c
	}
	for _, s := range c.Drafts[0].Spans {
		if s.Slot == "query" && s.Lo < s.Hi && !p.Hint(s.Lo).Certain {
			c.Outcome, c.Ask = parse.Asks, p.Web.AskHost(u, s.Span)
		}
	}
	return c
}

// setSite gives a search the site at token i.
func setSite(c *parse.Clause, s web.Site, i int) {
	c.NamesSite = true
	for n := range c.Drafts {
		if d := &c.Drafts[n]; d.Goal.Platform == "" {
			d.Goal.Platform = s.ID
			d.Spans = append(d.Spans, parse.SlotSpan{Slot: "platform", Span: parse.Span{Lo: i, Hi: i + s.Len}, Fuzzy: s.Fuzzy})
		}
	}
}

// readFolderPrefix reads "on my desktop create …", "inside it create …", "in the
// src folder create …".
func (p *Reader) readFolderPrefix(lo, hi int) parse.Clause {
	var it item.Item
	at := p.Files.PlaceAt(&it, lo, hi)
	if at == lo {
		m, ok := p.Longest(lo, hi, lexicon.In, lexicon.Inside, lexicon.From)
		if !ok || lo+m.Len >= hi {
			return parse.Clause{}
		}
		for at = lo + m.Len + 1; at < min(hi, lo+parse.MaxPhrase); at++ {
			if _, verb := p.Longest(at, hi, lexicon.FileVerbs...); verb {
				break
			}
		}
		end := at
		for end > lo+m.Len && p.Tokens[end-1].Shape == lexicon.MarkShape {
			end--
		}
		if it.Folder, ok = p.Files.Container(p.Skip(lo+m.Len, end, lexicon.Determiner), end, false); !ok {
			return parse.Clause{}
		}
	}
	at, _ = p.SkipLead(at, hi)
	v, ok := p.Longest(at, hi, lexicon.FileVerbs...)
	if !ok {
		return parse.Clause{}
	}
	c := p.Files.Read(v, parse.Span{Lo: at, Hi: at + v.Len}, at+v.Len, hi)
	if c.Outcome == parse.Understood && item.AskPlace(p.Files.Text, &c, it) {
		return c
	}
	for i := range c.Drafts {
		d := &c.Drafts[i]
		if d.HasLocation() || strings.ContainsAny(d.Goal.Target, `/\`) { // it lies in two places
			c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: at})
			return c
		}
		d.Location, d.PlaceFirst = it.Location, true
	}
	return c
}

// startsWithNegator reports whether [lo,hi) begins with a negator.
func (p *Reader) startsWithNegator(lo, hi int) bool {
	_, ok := p.Longest(lo, hi, lexicon.Not)
	return ok
}

// readShorthand reads "<site> <query>" and "<site>: <query>". It does not read a
// name that is an ordinary word, nor a sentence about the site.
func (p *Reader) readShorthand(lo, hi int) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	m, ok := p.Longest(lo, hi, lexicon.Site)
	if !ok {
		if e, ok := p.Web.EntityAt(lo, hi, false); ok && lo+e.Len >= p.TrimTail(lo, hi, true) {
			none.Outcome, none.Ask = parse.Asks, p.askVerb(e, lo)
		}
		return none
	}
	end := p.TrimTail(lo, hi, true)
	if lo+m.Len >= end {
		e, _ := p.Web.EntityAt(lo, hi, false)
		none.Outcome, none.Ask = parse.Asks, p.askVerb(e, lo)
		return none
	}
	if _, be := p.Longest(lo+m.Len, hi, lexicon.Be, lexicon.And, lexicon.Or, lexicon.SiteNoun, lexicon.On); be || m.Len == 1 && p.Words.IsPlain(p.Fold(lo)) || !p.Words.Catalogue.Searchable(m.Value) {
		return none
	}
	if _, question := p.Longest(lo, hi, lexicon.Finite); question {
		return none // "can i use salt" asks something else
	}
	i := p.SkipPauses(lo+m.Len, hi)
	if i == lo+m.Len && p.isAboutSite(i, end) {
		e, _ := p.Web.EntityAt(lo, hi, false)
		none.Outcome, none.Ask = parse.Asks, p.askVerb(e, lo)
		return none
	}
	if verb, ok := p.Longest(i, end, slices.Concat(lexicon.Verbs, []lexicon.Kind{lexicon.OtherThing, lexicon.OtherAction})...); ok && i+verb.Len == end || p.startsWithNegator(i, end) {
		return none // "youtube close" wants something else of it
	}
	if v, ok := p.Longest(i, hi, lexicon.Search, lexicon.SearchIn); ok && i+v.Len < hi {
		i += v.Len
	} else if f, ok := p.Longest(i, hi, lexicon.For); ok {
		i += f.Len
	}
	v := lexicon.Match{Entry: lexicon.Entry{Kind: lexicon.Search, Lang: lexicon.AnyLang, Value: ""}, Len: m.Len}
	c := p.Web.Search(v, parse.Span{Lo: lo, Hi: lo + m.Len}, i, hi)
	if c.Outcome != parse.Understood || c.NamesSite {
		return none
	}
	c.NamesSite, c.SiteFirst = true, true
	c.Drafts[0].Goal.Platform = m.Value
	c.Drafts[0].Spans = append(c.Drafts[0].Spans, parse.SlotSpan{Slot: "platform", Span: parse.Span{Lo: lo, Hi: lo + m.Len}, Fuzzy: false})
	return c
}

// isAboutSite reports whether the words [lo,hi) after a site's name may say something about
// the site rather than what to search for on it: "amazon card is stolen", "facebook stock
// price".
func (p *Reader) isAboutSite(lo, hi int) bool {
	if _, question := p.Longest(lo, hi, lexicon.Interrogative, lexicon.For, lexicon.Search, lexicon.SearchIn); question {
		return false
	}
	if _, matter := p.Longest(p.Skip(lo, hi, lexicon.Determiner, lexicon.Quality), hi, lexicon.SiteMatter, lexicon.Private, lexicon.NoStart); matter {
		return true
	}
	for i := lo + 1; i < hi; i++ {
		if _, says := p.Longest(i, hi, lexicon.Finite, lexicon.Mine, lexicon.Not); says {
			return true
		}
	}
	return false
}
