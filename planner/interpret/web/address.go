package web

import (
	"net/url"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// Navigate adds a visit to an address.
func (p *Reader) Navigate(c *parse.Clause, typed string, at parse.Span) {
	u, reason := lexicon.ParseAddress(typed)
	if u == nil {
		c.Outcome, c.Reason = parse.Unknown, reason
		return
	}
	d := parse.Draft{Spans: []parse.SlotSpan{{Slot: "goal_type", Span: c.Verb, Fuzzy: false}, {Slot: "target", Span: at, Fuzzy: false}}}
	d.Goal = plan.Goal{GoalType: plan.BrowserNavigate}
	if s, ok := p.Words.Catalogue.SiteOf(u.Hostname()); ok {
		d.Goal.Platform = s.ID
		if home, err := url.Parse(s.Home); err == nil && u.Host == "www."+home.Host {
			u.Host = home.Host // so that both spellings are one goal
		}
	}
	d.Goal.Target = u.String()
	c.Drafts = append(c.Drafts, d)
}

// SpokenAddress reads "example dot com slash docs". Every dot and slash is
// said in words; single letters are spelled and run together.
func (p *Reader) SpokenAddress(lo, hi int) (string, bool) {
	var b strings.Builder
	dots, wordAt := 0, lo
	if s, ok := p.Longest(lo, hi, lexicon.Site); ok && s.Len < hi-lo {
		if p.spokenDomain(lo+s.Len, hi) == 0 {
			return "", false
		}
		site, _ := p.Words.Catalogue.Site(s.Value)
		home, err := url.Parse(site.Home)
		if err != nil {
			return "", false
		}
		if typed := strings.ReplaceAll(p.Cut(lo, lo+s.Len), " ", ""); lexicon.IsASCII(typed) {
			b.WriteString(strings.ToLower(typed))
		} else { // a name said in another script: the site's own host
			b.WriteString(home.Hostname())
			lo += p.spokenDomain(lo+s.Len, hi)
			dots++
		}
		lo += s.Len
		wordAt = lo
	}
	expectWord := lo == wordAt && b.Len() == 0
	for i := lo; i < hi; {
		m, ok := p.Longest(i, hi, lexicon.Spoken)
		switch {
		case ok && !expectWord:
			b.WriteString(m.Value)
			if m.Value == "." {
				dots++
			}
			i, expectWord = i+m.Len, true
		case (p.Tokens[i].Shape == lexicon.WordShape || p.Tokens[i].Shape == lexicon.LinkShape) && expectWord:
			w := p.Source[p.Tokens[i].Start:p.Tokens[i].End]
			if m, ok := p.Longest(i, hi, lexicon.Suffix); ok && dots > 0 {
				w = m.Value
			}
			b.WriteString(w)
			for len(w) == 1 && i+1 < hi && p.Tokens[i+1].Shape == lexicon.WordShape && p.Tokens[i+1].End-p.Tokens[i+1].Start == 1 {
				i++ // "w w w dot"
				b.WriteString(p.Fold(i))
			}
			dots += strings.Count(w, ".")
			i, expectWord = i+1, false
		default:
			return "", false
		}
	}
	typed := b.String()
	return typed, dots > 0 && !expectWord && lexicon.IsDomain(typed)
}
