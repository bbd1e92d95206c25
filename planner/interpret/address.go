package interpret

import (
	"net/url"
	"strings"

	"errand/planner/plan"
)

// navigate adds a visit to an address.
func (p *webReader) navigate(c *clause, typed string, at span) {
	u, reason := address(typed)
	if u == nil {
		c.outcome, c.reason = unknown, reason
		return
	}
	d := draft{spans: []slotSpan{{"goal_type", c.verb, false}, {"target", at, false}}}
	d.goal = plan.Goal{GoalType: plan.BrowserNavigate}
	if s, ok := p.words.catalogue.SiteOf(u.Hostname()); ok {
		d.goal.Platform = s.ID
		if home, err := url.Parse(s.Home); err == nil && u.Host == "www."+home.Host {
			u.Host = home.Host // so that both spellings are one goal
		}
	}
	d.goal.Target = u.String()
	c.drafts = append(c.drafts, d)
}

// spokenAddress reads "example dot com slash docs". Every dot and slash is
// said in words; single letters are spelled and run together.
func (p *webReader) spokenAddress(lo, hi int) (string, bool) {
	var b strings.Builder
	dots, wordAt := 0, lo
	if s, ok := p.longest(lo, hi, kSite); ok && s.n < hi-lo {
		if p.spokenDomain(lo+s.n, hi) == 0 {
			return "", false
		}
		site, _ := p.words.catalogue.Site(s.value)
		home, err := url.Parse(site.Home)
		if err != nil {
			return "", false
		}
		if typed := strings.ReplaceAll(p.cut(lo, lo+s.n), " ", ""); isASCII(typed) {
			b.WriteString(strings.ToLower(typed))
		} else { // a name said in another script: the site's own host
			b.WriteString(home.Hostname())
			lo += p.spokenDomain(lo+s.n, hi)
			dots++
		}
		lo += s.n
		wordAt = lo
	}
	expectWord := lo == wordAt && b.Len() == 0
	for i := lo; i < hi; {
		m, ok := p.longest(i, hi, kSpoken)
		switch {
		case ok && !expectWord:
			b.WriteString(m.value)
			if m.value == "." {
				dots++
			}
			i, expectWord = i+m.n, true
		case (p.toks[i].shape == word || p.toks[i].shape == link) && expectWord:
			w := p.source[p.toks[i].start:p.toks[i].end]
			if m, ok := p.longest(i, hi, kSuffix); ok && dots > 0 {
				w = m.value
			}
			b.WriteString(w)
			for len(w) == 1 && i+1 < hi && p.toks[i+1].shape == word && p.toks[i+1].end-p.toks[i+1].start == 1 {
				i++ // "w w w dot"
				b.WriteString(p.fold(i))
			}
			dots += strings.Count(w, ".")
			i, expectWord = i+1, false
		default:
			return "", false
		}
	}
	typed := b.String()
	return typed, dots > 0 && !expectWord && isDomain(typed)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
