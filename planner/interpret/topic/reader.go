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
	define     = "define"
	currency   = "currency"
	directions = "directions"
	maps       = "maps"
	price      = "price"
	translate  = "translate"
)

// maxNoun is the number of words up to which a topic by itself says too little: "weather", but not
// "will it rain tomorrow".
const maxNoun = 2

// maxMatter is the largest number of tokens that say what a topic is about.
const maxMatter = 8

// Read reads [lo,hi) as a question about a topic. first says that nothing but politeness stands
// before it, after that another topic does: only there a topic needs no verb ("weather in paris").
func (p *Reader) Read(lo, hi int, first, after bool) parse.Clause {
	end := p.TrimTail(lo, hi, false)
	for end > lo && p.Tokens[end-1].Shape == lexicon.SymbolShape {
		end-- // an emoji
	}
	if c := p.readThanks(lo, end, hi); c.Outcome != parse.Unknown {
		return c
	}
	if c := p.readTopic(parse.Span{Lo: lo, Hi: lo}, lo, end, first || after, after); c.Outcome != parse.Unknown {
		return c
	}
	for n := end - lo; n > 0; { // the longest lead need not be the right one: "what is the"
		lead, ok := p.Longest(lo, lo+n, lexicon.TopicLead)
		if !ok {
			break
		}
		verb := parse.Span{Lo: lo, Hi: lo + lead.Len}
		if c := p.readThanks(verb.Hi, end, hi); c.Outcome != parse.Unknown {
			return c
		}
		if c := p.readTopic(verb, verb.Hi, end, true, true); c.Outcome != parse.Unknown {
			return c
		}
		n = lead.Len - 1
	}
	return parse.Clause{Lang: lexicon.AnyLang}
}

// readThanks reads the question how to say "thank you" in another language. These words stand at
// its end like politeness: «как по-немецки спасибо».
func (p *Reader) readThanks(lo, end, hi int) parse.Clause {
	m, ok := p.Longest(lo, end, lexicon.TopicOf)
	if !ok || m.Value != translate || lo+m.Len != end {
		return parse.Clause{Lang: lexicon.AnyLang}
	}
	thanks, _ := p.Longest(end, hi, lexicon.Tail)
	return p.readOf(m, parse.Span{Lo: lo, Hi: lo}, lo, end+thanks.Len)
}

// readTopic reads [at,end), which follows the lead verb. free says that no verb is needed, and
// alone that one word is enough.
func (p *Reader) readTopic(verb parse.Span, at, end int, free, alone bool) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	if at >= end {
		return none
	}
	if c := p.readOpen(at, end); c.Outcome != parse.Unknown {
		return c
	}
	if c := p.readEach(lexicon.TopicVerb, at, end, func(m lexicon.Match) parse.Clause {
		return p.readOf(m, parse.Span{Lo: at, Hi: at + m.Len}, at, end)
	}); c.Outcome != parse.Unknown {
		return c
	}
	if !free {
		return none
	}
	_, points := p.Longest(at, end, lexicon.Pronoun) // "those headlines" are on the page
	if m, ok := p.Longest(at, end, lexicon.Article); ok && !points && at+m.Len < end {
		at += m.Len // "the" isn't part of the query
	}
	if n := p.exchange(at, end); n > 0 && p.Skip(at+n, end, lexicon.TopicWhen) == end { // "200 pounds in yen today"
		return p.search(lexicon.Entry{Value: currency, Lang: lexicon.AnyLang}, web.Topic{Verb: verb, Noun: parse.Span{Lo: at, Hi: at}, Rest: parse.Span{Lo: at, Hi: end}})
	}
	if c := p.readEach(lexicon.TopicOf, at, end, func(m lexicon.Match) parse.Clause {
		return p.readOf(m, verb, at, end)
	}); c.Outcome != parse.Unknown {
		return c
	}
	if m, ok := p.Longest(at, end, lexicon.TopicNoun); ok && (alone || m.Len > maxNoun || at+m.Len < end) {
		return p.readNoun(m, verb, at, end)
	}
	return none
}

// readOpen reads a topic whose words stand on both sides of its matter. The longest words before
// it come first.
func (p *Reader) readOpen(at, end int) parse.Clause {
	last := end // before the site: "translate hello to german on bing"
	if from, _, ok := p.Web.TrailingSite(at, end); ok {
		last = from
	}
	return p.readEach(lexicon.TopicOpen, at, end, func(m lexicon.Match) parse.Clause {
		for i := max(at+m.Len+1, last-parse.MaxPhrase); i < end; i++ {
			for _, after := range p.Matches[i] {
				if after.Kind == lexicon.TopicClose && after.Value == m.Value && (i+after.Len == end || i+after.Len == last) {
					return p.readAround(m, at, parse.Span{Lo: at + m.Len, Hi: i}, end)
				}
			}
		}
		return parse.Clause{Lang: lexicon.AnyLang}
	})
}

// readEach tries the phrases of a kind at token at, the longest first. Phrases of several topics
// may begin with the same words.
func (p *Reader) readEach(kind lexicon.Kind, at, end int, read func(lexicon.Match) parse.Clause) parse.Clause {
	longest, _ := p.Longest(at, end, kind)
	for n := longest.Len; n > 0; n-- {
		for _, m := range p.Matches[at] {
			if m.Kind != kind || m.Len != n {
				continue
			}
			if c := read(m); c.Outcome != parse.Unknown {
				return c
			}
		}
	}
	return parse.Clause{Lang: lexicon.AnyLang}
}

// search makes the search of a topic.
func (p *Reader) search(topic lexicon.Entry, t web.Topic) parse.Clause {
	t.Lang, t.Site = topic.Lang, p.Sites[topic.Value]
	if t.Verb.Lo >= t.Verb.Hi {
		t.Verb = t.Noun
	}
	return p.Web.SearchTopic(t)
}
