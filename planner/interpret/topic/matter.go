package topic

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
)

// matterOnly are the topics whose nouns a site of their own doesn't need.
var matterOnly = []string{define, maps, price}

// readOf reads a topic whose matter follows the words m at token at: "define entropy", "the
// exchange rate of the euro".
func (p *Reader) readOf(m lexicon.Match, verb parse.Span, at, end int) parse.Clause {
	noun, matter := parse.Span{Lo: at, Hi: at + m.Len}, parse.Span{Lo: p.SkipPauses(at+m.Len, end), Hi: end}
	t := web.Topic{Verb: verb, Noun: noun, Rest: matter}
	if slices.Contains(matterOnly, m.Value) {
		t.SiteQuery = matter
	}
	if m.Value == currency {
		from := matter.Lo
		if m.Kind == lexicon.TopicVerb {
			t.Noun.Lo = noun.Hi // "convert" isn't part of the query
		}
		n := p.exchange(from, end)
		if n == 0 && m.Kind == lexicon.TopicOf {
			n = p.amount(from, end)
		}
		if n == 0 || p.Skip(from+n, end, lexicon.TopicWhen) < end {
			return parse.Clause{Lang: lexicon.AnyLang}
		}
		return p.search(m.Entry, t)
	}
	_, known := p.Longest(matter.Lo, matter.Hi, lexicon.Definite, lexicon.BulkAll)
	if !p.canBeAbout(m.Entry, matter) || m.Value == translate && m.Len == 1 && known { // "translate the selected text"
		return parse.Clause{Lang: lexicon.AnyLang}
	}
	c := p.search(m.Entry, t)
	if m.Value == directions {
		p.openRoute(&c, parse.Span{Lo: at, Hi: matter.Lo})
	}
	if m.Value == define && c.Outcome == parse.Understood {
		matter.Hi = c.Drafts[0].Slot("query").Hi
		if rest, ok := p.findManner(matter); ok {
			c.Outcome, c.Ask = parse.Asks, p.AskUnclear(rest)
		}
	}
	return c
}

// readAround reads a topic whose matter stands inside its words: "what does entropy mean".
func (p *Reader) readAround(m lexicon.Match, at int, matter parse.Span, end int) parse.Clause {
	if !p.canBeAbout(m.Entry, matter) {
		return parse.Clause{Lang: lexicon.AnyLang}
	}
	t := web.Topic{Noun: parse.Span{Lo: at, Hi: matter.Lo}, Rest: parse.Span{Lo: matter.Lo, Hi: end}}
	if m.Value != define {
		t.SiteQuery = matter
	}
	return p.search(m.Entry, t)
}

// canBeAbout reports whether a topic can be about words.
func (p *Reader) canBeAbout(topic lexicon.Entry, m parse.Span) bool {
	switch topic.Value {
	case translate:
		if topic.Kind == lexicon.TopicOf { // all that follows is the text: «как по-английски до свидания»
			m.Lo = min(p.Skip(m.Lo, m.Hi, lexicon.NoStart), m.Hi-1)
		}
		return p.isForeign(m) && !p.isPartOfMachine(m)
	case directions:
		return p.isMatter(m) && !p.Web.IsEntity(m.Lo, m.Hi) // "how do i get to youtube"
	case price:
		return p.isMatter(m) && !p.isPartOfMachine(m) && p.exchange(m.Lo, m.Hi) == 0
	}
	return p.isMatter(m) && !(topic.Value == define && p.isSentence(m))
}

// maxForeign is the largest number of tokens that are translated.
const maxForeign = 24

// isForeign reports whether words can be translated as they are: a sentence may speak of the
// user's things ("my name is ann"), but "my letter" and "this page" are things whose text is not
// in the words.
func (p *Reader) isForeign(m parse.Span) bool {
	switch {
	case p.IsQuoted(m.Lo, m.Hi):
		return true
	case m.Lo >= m.Hi || m.Hi-m.Lo > maxForeign:
		return false
	}
	says := false
	for i := m.Lo; i < m.Hi; i++ {
		switch p.Tokens[i].Shape {
		case lexicon.FileShape, lexicon.PathShape, lexicon.LinkShape:
			return false
		}
		_, verb := p.Longest(i, m.Hi, lexicon.Finite)
		says = says || verb
	}
	known := p.Skip(m.Lo, m.Hi, lexicon.Definite)
	for _, i := range []int{m.Lo, known} {
		if _, other := p.Longest(i, m.Hi, notMatter...); other && !says {
			return false
		}
	}
	return says || known < m.Hi
}

// isPartOfMachine reports whether words are about this computer and not about something for sale:
// "the memory in use", "left".
func (p *Reader) isPartOfMachine(m parse.Span) bool {
	if p.Skip(m.Lo, m.Hi, lexicon.SystemExtra, lexicon.SystemWord) == m.Hi {
		return true
	}
	at := p.Skip(m.Lo, m.Hi, lexicon.Definite)
	_, part := p.Longest(at, m.Hi, lexicon.SystemKey)
	return at > m.Lo && part
}

// readNoun reads a topic that may stand by itself: "the weather", "the weather like in paris
// tomorrow", "news about cats".
func (p *Reader) readNoun(m lexicon.Match, verb parse.Span, at, end int) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	noun := parse.Span{Lo: at, Hi: at + m.Len}
	rest := p.Skip(noun.Hi, end, lexicon.TopicFill)
	i := p.Skip(p.SkipMarks(rest, end), end, lexicon.TopicWhen)
	if folder, ok := p.inFolder(i, end); ok {
		whole := parse.Span{Lo: at, Hi: end}
		return parse.Clause{Frame: parse.SearchFrame, Outcome: parse.Asks, Ask: p.Web.AskOwnPlace(m.Lang, whole, folder), Verb: verb, VerbKind: lexicon.Search, Lang: m.Lang, Body: at}
	}
	if i < end && !p.Hint(at).Certain {
		where, ok := p.Longest(i, end, lexicon.TopicAt)
		if !ok {
			return none
		}
		if u, ok := p.Web.UnsearchableAt(i+where.Len, end); ok && u.Hi == end {
			return parse.Clause{Frame: parse.SearchFrame, Outcome: parse.Asks, Ask: p.Web.AskHost(u, parse.Span{Lo: at, Hi: end}), Verb: verb, VerbKind: lexicon.Search, Lang: m.Lang, Body: at}
		}
		if s, ok := p.Web.SiteAt(i+where.Len, end, false); ok && i+where.Len+s.Len == end && s.ID != p.Platform {
			return none // "the headlines on bbc" are on its page
		}
		if !p.isMatter(parse.Span{Lo: i + where.Len, Hi: end}) {
			return none
		}
	}
	return p.search(m.Entry, web.Topic{Verb: verb, Noun: noun, Rest: parse.Span{Lo: rest, Hi: end}})
}

// inFolder reports whether [i,hi) is a place of files, and which known folder it is, if any:
// "in downloads", "in the folder work".
func (p *Reader) inFolder(i, hi int) (folder string, ok bool) {
	if m, ok := p.Longest(i, hi, lexicon.Place); ok && m.Len == hi-i && m.Len > 1 {
		return m.Value, true
	}
	in, ok := p.Longest(i, hi, lexicon.In, lexicon.Inside, lexicon.Source)
	at := p.Skip(i+in.Len, hi, lexicon.Determiner)
	_, noun := p.Longest(at, hi, lexicon.Folder)
	_, end := p.FindEnding(at+1, hi, lexicon.Folder)
	return "", ok && (noun || end)
}

// notMatter are the kinds of phrases that no matter of a topic begins with: they refer to
// something else, or belong to another command.
var notMatter = []lexicon.Kind{
	lexicon.Pronoun, lexicon.Back, lexicon.Nothing, lexicon.NoStart, lexicon.Mine, lexicon.Private, lexicon.Place, lexicon.OwnFolder, lexicon.File, lexicon.Files, lexicon.Folder, lexicon.Folders,
	lexicon.ThisPage, lexicon.TheFile, lexicon.Local, lexicon.Referent, lexicon.TopicAt,
}

// isMatter reports whether words can be what a topic is about: not empty, not too many, no
// file and no address.
func (p *Reader) isMatter(m parse.Span) bool {
	if m.Lo >= m.Hi || m.Hi-m.Lo > maxMatter {
		return false
	}
	known := p.Skip(m.Lo, m.Hi, lexicon.Definite)
	if known == m.Hi {
		return false // "it"
	}
	for _, i := range []int{m.Lo, known} {
		if _, other := p.Longest(i, m.Hi, notMatter...); other {
			return false
		}
	}
	for i := m.Lo; i < m.Hi; i++ {
		if _, own := p.Longest(i, m.Hi, lexicon.Mine, lexicon.Place); own {
			return false // "sales in my spreadsheet"
		}
		switch p.Tokens[i].Shape {
		case lexicon.FileShape, lexicon.PathShape, lexicon.LinkShape:
			return p.endsOnSite(parse.Span{Lo: m.Lo, Hi: i}, m.Hi)
		}
	}
	return true
}

// isSentence reports whether the matter is a quoted sentence, which has no definition: what does
// "open youtube" mean.
func (p *Reader) isSentence(m parse.Span) bool {
	return p.Tokens[m.Lo].Shape == lexicon.QuotedShape && strings.ContainsRune(p.Tokens[m.Lo].Value, ' ')
}

// endsOnSite reports whether "on <site>" ends [before.Hi,end): the search looks at its address.
func (p *Reader) endsOnSite(before parse.Span, end int) bool {
	_, on := p.FindEnding(before.Lo, before.Hi, lexicon.On)
	return on && before.Hi+1 == end && p.Tokens[before.Hi].Shape == lexicon.LinkShape
}

// findManner finds words after the word to define that say how or for whom, or that are about
// something else: "success for me in one word".
func (p *Reader) findManner(matter parse.Span) (parse.Span, bool) {
	for i := matter.Lo + 1; i < matter.Hi; i++ {
		if _, ok := p.Longest(i, matter.Hi, lexicon.For, lexicon.TopicAt, lexicon.And, lexicon.If, lexicon.When, lexicon.Be, lexicon.Finite); ok {
			return parse.Span{Lo: i, Hi: matter.Hi}, true
		}
	}
	return parse.Span{}, false
}

// exchange is the number of tokens of "100 dollars in euros" at token i.
func (p *Reader) exchange(i, hi int) int {
	n := p.amount(i, hi)
	if n == 0 {
		return 0
	}
	to, ok := p.Longest(i+n, hi, lexicon.TopicTo)
	into := p.amount(i+n+to.Len, hi)
	if !ok || into == 0 {
		return 0
	}
	return n + to.Len + into
}

// amount is the number of tokens of a currency at token i, with a number before it.
func (p *Reader) amount(i, hi int) int {
	from := i
	if m, ok := p.Longest(i, hi, lexicon.Count, lexicon.Article); ok {
		i += m.Len
	} else if i < hi && strings.Trim(p.Fold(i), "0123456789.,") == "" && p.Tokens[i].Shape != lexicon.MarkShape {
		i++
	}
	m, ok := p.Longest(i, hi, lexicon.Money)
	if !ok {
		return 0
	}
	return i + m.Len - from
}
