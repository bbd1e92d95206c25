package web

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// SearchWords is the answer that searches the default site for the words of the query.
const SearchWords = "words"

// OpenHost is the answer that opens the site which can't be searched.
const OpenHost = "open"

// unsearchable is an address or a site that words name as the place to search, and that
// Errand can't search.
type unsearchable struct {
	parse.Span
	host    string
	address bool // its address is given, not its name, which may be a word of a query
}

// UnsearchableAt finds one at token i: "bloofle.com", "the site bloofle.com", "bloofle dot
// com", or a site of the catalogue without a search.
func (p *Reader) UnsearchableAt(i, hi int) (u unsearchable, ok bool) {
	u.Lo = i
	i = p.SkipDeterminer(i, hi)
	if m, is := p.Longest(i, hi, lexicon.SiteNoun); is {
		i += m.Len
	}
	if i >= hi {
		return u, false
	}
	if _, can := p.SiteAt(i, hi, false); can {
		return u, false
	}
	site, named := p.Longest(i, hi, lexicon.Site)
	switch t := p.Tokens[i]; {
	case named && !p.Words.Catalogue.Searchable(site.Value) && p.spokenDomain(i+site.Len, hi) == 0:
		u.host, i = p.Words.SiteName(site.Value), i+site.Len
	case t.Shape == lexicon.LinkShape:
		address, _ := lexicon.ParseAddress(t.Value)
		if address == nil {
			return u, false
		}
		u.address = true
		_, typed, schemed := strings.Cut(t.Value, "://")
		if !schemed {
			typed = t.Value
		}
		u.host, i = strings.TrimRight(typed, "/"), i+1
	case t.Shape == lexicon.WordShape && p.spokenDomain(i+1, hi) > 0:
		u.address = true
		n := 1 + p.spokenDomain(i+1, hi)
		if u.host, ok = p.SpokenAddress(i, i+n); !ok {
			return u, false
		}
		i += n
	default:
		return u, false
	}
	if m, is := p.Longest(i, hi, lexicon.SiteNoun, lexicon.AppNoun); is {
		i += m.Len
	} else if p.IsPhrase(i, hi, lexicon.SiteEnd) {
		i = hi
	}
	u.Hi = i
	return u, true
}

// AskHost asks what to do with a search of a place that can't be searched. query is what
// the default site would be searched for instead.
func (p *Reader) AskHost(u unsearchable, query parse.Span) parse.Question {
	words := p.Cut(query.Lo, query.Hi)
	return parse.Question{
		Code: "question.site", Words: u.host, At: u.Span, Description: query,
		Choices: []plan.Choice{
			{Label: message.New("question.choice_search_words", "site", p.Words.SiteName(p.Platform), "query", words), Value: SearchWords},
			{Label: message.New("question.choice_open_host", "host", u.host), Value: OpenHost},
		},
	}
}

// namesWeb reports whether the verb itself names the web: "search the web for".
func (s *search) namesWeb() bool {
	for i := s.c.Verb.Lo; i < s.c.Verb.Hi; i++ {
		if _, ok := s.p.Longest(i, s.c.Verb.Hi, lexicon.Web); ok {
			return true
		}
	}
	return false
}

// findHost finds the place that the query names and that can't be searched: "cats on
// bloofle.com", "bloofle.com for cats", "on bloofle.com cats".
func (s *search) findHost() (unsearchable, bool) {
	p := s.p
	_, own := p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.OwnSite)
	and, joined := p.FindEnding(s.q.Lo+1, s.q.Hi, lexicon.And) // "on bloofle.com and on youtube"
	if own || s.namesWeb() || s.c.NamesSite && !joined || s.web || s.c.NeedsPage || s.isQuestion(s.q.Lo) || p.IsQuestionWord(s.q.Lo) {
		return unsearchable{}, false
	}
	hi := s.q.Hi
	on, marked := p.Longest(s.q.Lo, hi, lexicon.On, lexicon.Use)
	if _, ended := p.FindEnding(s.c.Verb.Lo+1, s.c.Verb.Hi, lexicon.On); ended && !marked { // "run a search on bloofle.com for …"
		marked, on = true, lexicon.Match{}
	}
	if u, ok := p.UnsearchableAt(s.q.Lo+on.Len, hi); ok && u.Hi < hi && !s.c.NamesSite {
		if _, isFor := p.Longest(u.Hi, hi, lexicon.For); marked || isFor {
			return u, true
		}
	}
	hi -= and.Len
	for i := hi - 1; i >= s.q.Lo+max(1, s.c.CarrierWords); i-- {
		on, ok := p.Longest(i, hi, lexicon.On, lexicon.Use)
		if !ok {
			continue
		}
		if u, ok := p.UnsearchableAt(i+on.Len, hi); ok && u.address && u.Hi == hi {
			return u, true
		}
	}
	return unsearchable{}, false
}
