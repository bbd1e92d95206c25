// Package topic reads questions that a search answers: the weather, the news, the meaning of a
// word, an exchange rate, a translation, a place on a map. Their words are the tables [topics] and [money] of
// the language files.
package topic

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
)

// Reader reads questions about a topic.
type Reader struct {
	*parse.Text
	Web *web.Reader
}

// Topics whose matter has a form of its own.
const (
	define   = "define"
	currency = "currency"
	maps     = "maps"
)

// maxMatter is the largest number of tokens that say what a topic is about.
const maxMatter = 8

// Read reads [lo,hi) as a question about a topic. first says that nothing but politeness stands
// before it: only there a topic needs no verb ("weather in paris").
func (p *Reader) Read(lo, hi int, first bool) parse.Clause {
	end := p.TrimTail(lo, hi, false)
	if c := p.readTopic(parse.Span{Lo: lo, Hi: lo}, lo, end, first); c.Outcome != parse.Unknown {
		return c
	}
	for n := end - lo; n > 0; { // the longest lead need not be the right one: "what is the"
		lead, ok := p.Longest(lo, lo+n, lexicon.TopicLead)
		if !ok {
			break
		}
		verb := parse.Span{Lo: lo, Hi: lo + lead.Len}
		if c := p.readTopic(verb, verb.Hi, end, true); c.Outcome != parse.Unknown {
			return c
		}
		n = lead.Len - 1
	}
	return parse.Clause{Lang: lexicon.AnyLang}
}

// readTopic reads [at,end), which follows the lead verb. free says that no verb is needed.
func (p *Reader) readTopic(verb parse.Span, at, end int, free bool) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	if at >= end {
		return none
	}
	if m, ok := p.Longest(at, end, lexicon.TopicVerb); ok {
		if c := p.readOf(m, parse.Span{Lo: at, Hi: at + m.Len}, at, end); c.Outcome != parse.Unknown {
			return c
		}
	}
	if m, ok := p.Longest(at, end, lexicon.TopicOpen); ok {
		if last, ok := p.FindEnding(at+m.Len+1, end, lexicon.TopicClose); ok && last.Value == m.Value {
			return p.readAround(m, at, parse.Span{Lo: at + m.Len, Hi: end - last.Len}, end)
		}
	}
	if !free {
		return none
	}
	_, points := p.Longest(at, end, lexicon.Pronoun) // "those headlines" are on the page
	if m, ok := p.Longest(at, end, lexicon.Article); ok && !points && at+m.Len < end {
		at += m.Len // "the" isn't part of the query
	}
	if n := p.exchange(at, end); n > 0 && at+n == end {
		return p.search(lexicon.Entry{Value: currency, Lang: lexicon.AnyLang}, web.Topic{Verb: verb, Noun: parse.Span{Lo: at, Hi: at}, Rest: parse.Span{Lo: at, Hi: end}})
	}
	if m, ok := p.Longest(at, end, lexicon.TopicOf); ok {
		if c := p.readOf(m, verb, at, end); c.Outcome != parse.Unknown {
			return c
		}
	}
	if m, ok := p.Longest(at, end, lexicon.TopicNoun); ok && (verb.Lo < verb.Hi || at+m.Len < end) {
		return p.readNoun(m, verb, at, end)
	}
	return none
}

// search makes the search of a topic.
func (p *Reader) search(topic lexicon.Entry, t web.Topic) parse.Clause {
	t.Lang, t.Site = topic.Lang, p.Sites[topic.Value]
	if t.Verb.Lo >= t.Verb.Hi {
		t.Verb = t.Noun
	}
	return p.Web.SearchTopic(t)
}
