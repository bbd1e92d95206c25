package web

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// Words such as "files" and "passwords" name things of the user. Such a query is never sent to
// a site, unless the words name the site or the web.

// ownSearch finds what is the user's own in a search.
type ownSearch struct{ *search }

// ownThing is the thing of the user that a query looks for.
type ownThing struct {
	noun parse.Span
	kind lexicon.Kind
}

// ask asks where to look for a thing of the user. If the words say what its name may have in
// it, one choice finds files.
func (s ownSearch) ask(t ownThing) parse.Question {
	return AskOwn(s.p, s.verb.Lang, s.q, s.name(t))
}

// AskOwn asks where to look for a thing of the user. One choice finds files with name, unless that is
// empty.
func AskOwn(p *Reader, lang uint8, at, name parse.Span) parse.Question {
	q := parse.Question{Code: "question.local", Words: p.Cut(at.Lo, at.Hi), At: at}
	if name.Lo < name.Hi {
		name := lexicon.WithoutQuotes(p.Cut(name.Lo, name.Hi))
		q.Choices = append(q.Choices, plan.Choice{Label: message.New("question.choice_find_files", "name", name), Value: p.Words.Answer(lang, "find_files", "{query}", name)})
	}
	q.Choices = append(q.Choices, p.webChoice(lang, q.Words))
	return q
}

// webChoice offers to search the web for words.
func (p *Reader) webChoice(lang uint8, words string) plan.Choice {
	words = lexicon.WithoutQuotes(words)
	return plan.Choice{Label: message.New("question.choice_search_web", "query", words), Value: p.Words.Answer(lang, "search_web", "{query}", words)}
}

// AskOwnPlace asks where to look for something that no folder has: "the news in downloads".
// folder is empty if it is not a known one.
func (p *Reader) AskOwnPlace(lang uint8, at parse.Span, folder string) parse.Question {
	q := parse.Question{Code: "question.local", Words: p.Cut(at.Lo, at.Hi), At: at}
	if folder != "" {
		q.Choices = append(q.Choices, plan.Choice{Label: message.New("question.choice_list_folder", "folder", folder), Value: p.Words.Answer(lang, "list_folder", "{folder}", folder)})
	}
	q.Choices = append(q.Choices, p.webChoice(lang, q.Words))
	return q
}

// name is what the name of a file may have in it: "cat" in "files with the word cat". It is
// empty if the words after the noun say something else: "files from last week".
func (s ownSearch) name(t ownThing) parse.Span {
	p, hi := s.p, s.q.Hi
	switch t.kind {
	case lexicon.OwnNoun:
		return parse.Span{}
	case lexicon.OwnWork:
		return t.noun
	case lexicon.FileKind: // "the contract pdf"
		return parse.Span{Lo: parse.SkipArticles(p.Text, s.q.Lo, t.noun.Lo), Hi: t.noun.Lo}
	}
	with, ok := p.Longest(t.noun.Hi, hi, lexicon.NameMarker, lexicon.With, lexicon.For)
	if !ok {
		return parse.Span{}
	}
	at := p.Skip(t.noun.Hi+with.Len, hi, lexicon.TextNoun, lexicon.Determiner, lexicon.Mine)
	if at == t.noun.Hi+with.Len && with.Kind != lexicon.NameMarker && !p.IsQuoted(at, hi) && !p.Words.Packs[s.lang()].NameFirst {
		return parse.Span{} // «файлы с котом»: the word is inflected, and no name has this form
	}
	for i := at; i < hi; i++ {
		if _, other := p.Longest(i, hi, lexicon.On, lexicon.When, lexicon.TopicWhen, lexicon.Vague, lexicon.Mine, lexicon.Pronoun, lexicon.Nothing, lexicon.And, lexicon.Or); other {
			return parse.Span{}
		}
	}
	return parse.Span{Lo: at, Hi: hi}
}

// namesEngine reports whether the words name the site to search, or the web.
func (s *search) namesEngine() bool {
	_, own := s.p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.OwnSite)
	return own || s.c.NamesSite || s.web || s.namesWeb()
}

// find finds the thing of the user that the query looks for: "files with cat", "the password
// for netflix", "photos of my dog", "history for lamps".
func (s ownSearch) find() (ownThing, bool) {
	p, hi := s.p, s.q.Hi
	if s.namesEngine() || s.c.NeedsPage {
		return ownThing{}, false
	}
	_, seek := p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.Seek)
	if question := s.isQuestion(s.q.Lo); question && !seek || question && !s.hasDeed() {
		return ownThing{}, false
	} else if question || s.hasDeed() || s.isOwnTime() || s.namesPlace() {
		return ownThing{parse.Span{Lo: s.q.Lo, Hi: s.q.Lo}, lexicon.OwnNoun}, true
	}
	if _, more := p.Longest(p.Skip(s.q.Lo+1, hi, lexicon.And, lexicon.But), hi, lexicon.If); more && seek && p.Tokens[s.q.Lo].Shape == lexicon.FileShape { // "look for a.txt and if …"
		return ownThing{parse.Span{Lo: s.q.Lo, Hi: s.q.Lo}, lexicon.OwnNoun}, true
	}
	at := p.Skip(s.q.Lo, hi, lexicon.On)
	if m, ok := p.Longest(at, hi, lexicon.OwnPlace); ok && lexicon.HasKind([]lexicon.Kind{lexicon.SearchIn, lexicon.SearchAt}, s.verb.Kind) {
		if _, isFor := p.Longest(at+m.Len, hi, lexicon.For); isFor || at+m.Len == hi {
			return ownThing{parse.Span{Lo: at, Hi: at + m.Len}, lexicon.OwnNoun}, true
		}
	}
	if m, ok := p.Longest(s.q.Lo, hi, lexicon.Nothing, lexicon.BulkAll); ok && seek && s.isNamed(s.q.Lo+m.Len) { // "something named contract"
		return ownThing{parse.Span{Lo: s.q.Lo, Hi: s.q.Lo + m.Len}, lexicon.Files}, true
	}
	at = p.Skip(s.q.Lo, hi, lexicon.BulkAll, lexicon.Determiner, lexicon.Definite, lexicon.Mine, lexicon.Quality)
	if m, ok := p.Longest(at, hi, lexicon.OwnNoun, lexicon.File, lexicon.Folder, lexicon.Files, lexicon.Folders, lexicon.OwnDocument); ok && s.endsNoun(at+m.Len) {
		return ownThing{parse.Span{Lo: at, Hi: at + m.Len}, m.Kind}, true
	}
	if m, ok := p.Longest(at, hi, lexicon.OwnMedia); ok && s.c.CarrierWords == 0 && s.endsNoun(at+m.Len) && (at > s.q.Lo && s.hasMine(s.q.Lo) || s.hasMine(at+m.Len) || s.isFrom(at+m.Len) || s.isOfPaper(at+m.Len) || at+m.Len == hi && s.hasOrder(at) || s.isNamed(at+m.Len)) {
		return ownThing{parse.Span{Lo: at, Hi: at + m.Len}, m.Kind}, true
	}
	_, mine := p.Longest(p.Skip(s.q.Lo, hi, lexicon.BulkAll), hi, lexicon.Mine)
	if thing, ok := s.work(at); ok && (seek || mine) { // "search for my resume"
		return thing, true
	}
	if !p.Words.Packs[s.lang()].NameFirst {
		return ownThing{}, false
	}
	for i := at; i < hi && !s.endsNoun(i); i++ { // "old tax files"
		m, ok := p.Longest(i, hi, lexicon.Files, lexicon.Folders, lexicon.File, lexicon.Folder, lexicon.OwnDocument)
		one := m.Kind == lexicon.File || m.Kind == lexicon.Folder || m.Kind == lexicon.OwnDocument
		ok = ok && !(m.Kind == lexicon.OwnDocument && s.isFree())
		if ok && s.endsNoun(i+m.Len) && (!one || i+m.Len == hi) {
			return ownThing{parse.Span{Lo: i, Hi: i + m.Len}, m.Kind}, true
		}
	}
	return ownThing{}, false
}

// work finds a paper or list of the user at token at, with no more than a number or a time after
// it, or words that end in a format: "the invoice from march", "the contract pdf".
func (s ownSearch) work(at int) (ownThing, bool) {
	p, hi := s.p, s.q.Hi
	if p.isIndefinite(s.q.Lo) {
		return ownThing{}, false
	}
	if m, ok := p.Longest(at, hi, lexicon.OwnWork); ok {
		end := at + m.Len
		for end < hi && strings.Trim(p.Fold(end), "0123456789") == "" {
			end++
		}
		_, when := p.Longest(end, hi, lexicon.Source, lexicon.For, lexicon.TopicWhen, lexicon.FileFilter)
		if end == hi || when && hi-end <= maxTimeWords {
			return ownThing{parse.Span{Lo: at, Hi: end}, lexicon.OwnWork}, true
		}
	}
	m, ok := p.FindEnding(at+1, hi, lexicon.FileKind)
	known, definite := p.Longest(s.q.Lo, hi, lexicon.Definite, lexicon.Mine)
	return ownThing{parse.Span{Lo: hi - m.Len, Hi: hi}, lexicon.FileKind}, ok && definite && known.Len > 0 && strings.Count(m.Value, ",") < 2
}

// maxTimeWords is the longest time after a paper of the user, in words: "from march 2025".
const maxTimeWords = 3

// lang is the number of the language of the words.
func (s ownSearch) lang() uint8 {
	if int(s.verb.Lang) < len(s.p.Words.Packs) {
		return s.verb.Lang
	}
	return s.p.Words.PackOf(s.p.Language)
}

// endsNoun reports whether a noun that ends at token i is what the words are about. Where nouns
// stand before the noun that they describe, another noun doesn't follow: "file converters".
func (s ownSearch) endsNoun(i int) bool {
	p, hi := s.p, s.q.Hi
	if i >= hi || p.Tokens[i].Shape == lexicon.MarkShape || !p.Words.Packs[s.lang()].NameFirst {
		return true
	}
	_, ok := p.Longest(i, hi, lexicon.On, lexicon.For, lexicon.From, lexicon.With, lexicon.Of, lexicon.In, lexicon.NameMarker, lexicon.Vague, lexicon.Content, lexicon.TopicWhen, lexicon.When, lexicon.And, lexicon.Or, lexicon.Finite, lexicon.Subject, lexicon.Quality)
	return ok
}

// hasMine reports whether the words from token lo on speak of the user: "of my dog", "of me".
func (s ownSearch) hasMine(lo int) bool {
	for i := lo; i < s.q.Hi; i++ {
		if _, ok := s.p.Longest(i, s.q.Hi, lexicon.Mine, lexicon.Myself); ok {
			return true
		}
	}
	return false
}

// isNamed reports whether a name follows at token i: "called cat".
func (s ownSearch) isNamed(i int) bool {
	_, ok := s.p.Longest(i, s.q.Hi, lexicon.NameMarker)
	return ok
}

// isFrom reports whether token i says where or when something was made: "from last summer".
func (s ownSearch) isFrom(i int) bool {
	_, ok := s.p.Longest(i, s.q.Hi, lexicon.Source)
	return ok
}

// hasDeed reports whether the words say what the user did with the thing: "i saved".
func (s ownSearch) hasDeed() bool {
	for i := s.q.Lo; i < s.q.Hi; i++ {
		if _, ok := s.p.Longest(i, s.q.Hi, lexicon.OwnDeed); ok {
			return true
		}
	}
	return false
}

// isOwnTime reports whether the words mean what the user did in a time, whatever it was:
// "everything i ordered this month".
func (s ownSearch) isOwnTime() bool {
	at := s.p.Skip(s.p.SkipMarks(s.p.Skip(s.q.Lo, s.q.Hi, lexicon.BulkAll), s.q.Hi), s.q.Hi, lexicon.Relative)
	_, user := s.p.Longest(at, s.q.Hi, lexicon.Myself)
	_, time := s.p.FindEnding(at+1, s.q.Hi, lexicon.TopicWhen, lexicon.FileFilter)
	return at > s.q.Lo && user && time
}

// namesPlace reports whether the words name a known folder after something else: "docs in
// documents older than a year".
func (s ownSearch) namesPlace() bool {
	for i := s.q.Lo + 1; i < s.q.Hi; i++ {
		m, ok := s.p.Longest(i, s.q.Hi, lexicon.Place)
		if _, in := s.p.Longest(i, i+m.Len, lexicon.In, lexicon.Inside, lexicon.Source); ok && in && s.endsNoun(i+m.Len) {
			return true
		}
	}
	return false
}

// hasOrder reports whether the words before token hi choose by size or age: "the biggest picture".
func (s ownSearch) hasOrder(hi int) bool {
	for i := s.q.Lo; i < hi; i++ {
		if m, ok := s.p.Longest(i, hi, lexicon.FileFilter); ok && strings.HasPrefix(m.Value, "order:") && m.Value != "order:newest" {
			return true
		}
	}
	return false
}

// isOfPaper reports whether a paper of the user is named at token i: "of a passport".
func (s ownSearch) isOfPaper(i int) bool {
	i = s.p.Skip(i, s.q.Hi, lexicon.Of, lexicon.Determiner)
	_, ok := s.p.Longest(i, s.q.Hi, lexicon.OwnPaper)
	return ok && s.endsNoun(i+1)
}

// isElsewhere reports whether the query says that something is at a place of the user which is
// not on this computer: "report.pdf on my phone".
func (s ownSearch) isElsewhere() bool {
	m, ok := s.p.FindEnding(s.q.Lo+1, s.q.Hi, lexicon.Elsewhere)
	return ok && !s.namesEngine() && !s.isQuestion(s.q.Lo) && (!s.isFree() || s.hasMine(s.q.Hi-m.Len))
}

// isIndefinite reports whether the word at token i means any thing: "a", but not "the".
func (p *Reader) isIndefinite(i int) bool {
	det, ok := p.Longest(i, len(p.Tokens), lexicon.Determiner)
	known, _ := p.Longest(i, len(p.Tokens), lexicon.Definite)
	return ok && det.Len > known.Len
}
