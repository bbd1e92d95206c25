package command

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// maxBareWords is the largest number of words that are offered as a search.
const maxBareWords = 3

// continues reports whether the whole text says that it belongs to an earlier goal: "and a.txt", "a.txt too".
func (p *Reader) continues() bool {
	all := len(p.Tokens)
	lead, _ := p.SkipLead(0, all)
	for i := 0; i <= lead; i++ { // "please also a.txt"
		if m, _ := p.Longest(i, all, lexicon.FollowUp); m.Value == "instead" {
			return true
		}
	}
	too, _ := p.FindEnding(1, p.TrimTail(0, all, false), lexicon.FollowUp)
	return too.Value == "too"
}

// isWholeText reports whether [lo,hi) is all of the text but politeness. Bare things mean
// something only there: in a longer text they continue what stands before them.
func (p *Reader) isWholeText(lo, hi int) bool {
	return p.startsText(lo) && !p.continues() && p.TrimTail(lo, hi, true) == p.TrimTail(lo, len(p.Tokens), true)
}

// startsText reports whether only politeness stands before token lo.
func (p *Reader) startsText(lo int) bool {
	from, all := 0, len(p.Tokens)
	for next := 0; next < lo; from = next {
		if next = p.SkipMarks(p.Skip(from, all, lexicon.Lead, lexicon.Wake), all); next == from {
			break
		}
	}
	return from == lo
}

// ReadBareAddress opens a text that is only an address or the name of a site: "github.com",
// "github dot com", "youtube". It does not open a name that is an ordinary word too ("medium"),
// or that begins with another name ("amazon prime").
func (p *Reader) ReadBareAddress(lo, hi int) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	if !p.isWholeText(lo, hi) && !p.listsSites(lo, hi) {
		return none
	}
	end := p.TrimTail(lo, hi, true)
	c := parse.Clause{Frame: parse.OpenFrame, Outcome: parse.Understood, Verb: parse.Span{Lo: lo, Hi: lo}, VerbKind: lexicon.Open, Lang: lexicon.AnyLang, Body: lo}
	if end == lo+1 && p.Tokens[lo].Shape == lexicon.LinkShape {
		p.Web.Navigate(&c, p.Tokens[lo].Value, parse.Span{Lo: lo, Hi: end})
		return c
	}
	if typed, ok := p.Web.SpokenAddress(lo, end); ok {
		p.Web.Navigate(&c, typed, parse.Span{Lo: lo, Hi: end})
		return c
	}
	e, ok := p.bareSite(lo, end)
	if choices := p.Web.Alternatives(lo, end); ok && choices != nil {
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.choice", Choices: choices, At: parse.Span{Lo: lo, Hi: end}}
		return c
	}
	if !ok || lo+e.Len != end {
		return none
	}
	if _, other := p.Longest(lo, lo+e.Len-1, lexicon.Site, lexicon.App); other {
		return none
	}
	p.Web.OpenEntity(&c, e, parse.Span{Lo: lo, Hi: end}, true)
	return c
}

// bareSite finds a site at token i, unless its name is an ordinary word too.
func (p *Reader) bareSite(i, end int) (parse.Entity, bool) {
	e, ok := p.Web.EntityAt(i, end, false)
	return e, ok && e.Site && !(e.Len == 1 && p.Words.IsOrdinary(p.Fold(i)))
}

// listsSites reports whether the text is a list of sites and addresses that begins with
// [lo,hi): "youtube and reddit".
func (p *Reader) listsSites(lo, hi int) bool {
	end := p.TrimTail(lo, len(p.Tokens), true)
	if !p.startsText(lo) || hi >= end {
		return false
	}
	for i := hi; i < end; {
		at := p.Skip(p.SkipMarks(i, end), end, lexicon.And)
		switch e, site := p.bareSite(at, end); {
		case at == i || at == end:
			return false
		case site:
			i = at + e.Len
		case p.Tokens[at].Shape == lexicon.LinkShape:
			i = at + 1
		default:
			return false
		}
	}
	return true
}

// notBare are the kinds of phrases that make words more than the name of a thing: they belong
// to a question, a statement, or a command that Errand doesn't know.
var notBare = []lexicon.Kind{
	lexicon.Interrogative, lexicon.Finite, lexicon.Ask, lexicon.Be, lexicon.Not, lexicon.NotLast, lexicon.Void, lexicon.Cancel, lexicon.Referent, lexicon.Pronoun, lexicon.Private, lexicon.Mine,
	lexicon.OtherAction, lexicon.OtherThing, lexicon.Device, lexicon.FileAction, lexicon.PageAction, lexicon.Place, lexicon.OwnFolder, lexicon.File, lexicon.Folder, lexicon.Files, lexicon.Folders, lexicon.Bulk, lexicon.BulkAll,
	lexicon.Site, lexicon.App, lexicon.SystemKey, lexicon.BrowserPart, lexicon.Nothing, lexicon.If, lexicon.RequestMe, lexicon.Local, lexicon.NoStart, lexicon.Greeting, lexicon.Thanks, lexicon.Help,
	lexicon.Screenshot, lexicon.Repair, lexicon.Determiner, lexicon.Subject, lexicon.Links, lexicon.Results, lexicon.First, lexicon.Lead, lexicon.Step, lexicon.On, lexicon.For, lexicon.To, lexicon.And, lexicon.NotBare,
}

// askBareWords asks what to do with a text that is only the name of something: "nvidia stock",
// "cats". The first choice is a search.
func (p *Reader) askBareWords(lo, hi int) parse.Clause {
	c := parse.Clause{Lang: lexicon.AnyLang}
	end := p.TrimTail(lo, hi, true)
	if lo > 0 || !p.isWholeText(lo, hi) {
		return c
	}
	words := 0
	for i := lo; i < end; i++ {
		if i > lo && i < end-1 && p.joinsNouns(i) {
			words = max(words-1, 0) // "hotels in rome" is one thing
			continue
		}
		if words++; words > maxBareWords {
			return c
		}
		if _, other := p.Longest(i, end, notBare...); other || !lexicon.IsPlainWord(p.Cut(i, i+1)) {
			return c
		}
	}
	if _, verb := p.Longest(lo, end, lexicon.Verbs...); verb || p.IsPolite(lo, end) || p.isOtherGoal(lo, hi) {
		return c
	}
	c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.bare", Words: p.Cut(lo, end), At: parse.Span{Lo: lo, Hi: end}}
	return c
}

// joinsNouns reports whether a preposition stands at token i, or an article after one, which joins
// the words beside it to one thing.
func (p *Reader) joinsNouns(i int) bool {
	_, joins := p.Longest(i, i+1, lexicon.NoStart)
	if _, article := p.Longest(i, i+1, lexicon.Article); article && i > 0 {
		joins = p.joinsNouns(i - 1)
	}
	_, other := p.Longest(i, i+1, lexicon.And, lexicon.Or, lexicon.But, lexicon.If, lexicon.Not, lexicon.Pronoun)
	return joins && !other
}
