package followup

import (
	"slices"
	"strconv"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
)

// FollowUp is what a text may want of earlier goals.
type FollowUp struct {
	Kind       Wish
	References []Reference // the words that mean earlier things, in their order
	Query      string      // [Instead]: in place of the query or the target of the last goal
	IsPlace    bool        // [Instead]: a preposition stands before Query, so that it is only a part of a question
	IsTime     bool        // [Instead]: Query is when: "tomorrow"
	IsThere    bool        // [Instead]: "there too" follows Query
	Site       string      // [There], and [Instead] if the words name one
	IsBare     bool        // [Refer]: there are no other words: "the third video"
}

// NamesPlace reports whether the words name a place in a list: "the first one".
func (f FollowUp) NamesPlace() bool {
	return slices.ContainsFunc(f.References, func(r Reference) bool { return r.Nth != 0 || r.IsCompared })
}

// NamesThing reports whether words mean an earlier thing: "that file". Words that leave it out do not.
func (f FollowUp) NamesThing() bool {
	return f.Kind == Refer && slices.ContainsFunc(f.References, func(r Reference) bool { return r.Start < r.End })
}

// Wish is the kind of a [FollowUp].
type Wish string

// The kinds of follow-ups.
const (
	None    Wish = ""
	Refer   Wish = "refer"    // "open it"
	Again   Wish = "again"    // "do it again"
	Instead Wish = "instead"  // "the same for amd"
	There   Wish = "there"    // "and on youtube?"
	Undo    Wish = "undo"     // "undo that"
	LastRun Wish = "last_run" // "show the last run"
	Forget  Wish = "forget"   // "clear the context"
	Cancel  Wish = "cancel"   // "cancel it", after a timer was set
	Left    Wish = "left"     // "how long is left", after a timer was set
	Longer  Wish = "longer"   // "add 5 more minutes", after a timer was set
	Into    Wish = "into"     // "move a.txt there"
)

// Reference are words that mean an earlier thing.
type Reference struct {
	Span
	Noun string // the part of the noun in the language files: "file", "link", "one", …; empty: a pronoun or nothing
	Nth  int    // its place in the last list; 0: no list is meant, -1: the last one
	// IsCompared: it is the one of a list that a comparison of all would find: "the cheapest one".
	IsCompared bool
	Order      string // of files, by which the one is the first: "newest" for "the newest one"
	IsMany     bool   // it means several things: "them"
	IsBoth     bool   // and exactly two: "both"
	IsFeminine bool   // its gender is that of a folder and not of a file: «её»
}

// Words are the words of a reference in a text; empty if the text leaves it out.
func (r Reference) Words(text string) string { return text[r.Start:r.End] }

// ofList is the place of the last thing in a list.
const ofList = -1

// maxWords is how many words can stand in place of a query.
const maxWords = 12

// Find finds the follow-up in a text that means nothing by itself. It takes time linear in the
// text.
func Find(t *parse.Text) FollowUp {
	lo, hi := t.SkipMarks(0, len(t.Tokens)), len(t.Tokens)
	if lo >= hi {
		return FollowUp{}
	}
	for _, wish := range []Wish{Undo, LastRun, Forget, Again, Cancel, Left} {
		if isWhole(t, lo, hi, wish) {
			return FollowUp{Kind: wish}
		}
	}
	lead, _ := t.SkipLead(lo, hi)
	for at := lo; at <= lead; at++ { // "what about" also begins other goals politely
		if f := findOther(t, at, hi, at == lead); f.Kind != None {
			return f
		}
	}
	if _, ok := longest(t, lead, hi, string(Longer)); ok && countsSomething(t, lead, hi) {
		return FollowUp{Kind: Longer}
	}
	if refs := references(t, lo, hi); len(refs) > 0 {
		if end := t.TrimTail(lo, hi, true); lead >= end || refs[0].Start <= t.Tokens[lead].Start && refs[0].End >= t.Tokens[end-1].End {
			if refs[0].Nth != 0 && refs[0].isListed() {
				return FollowUp{Kind: Refer, References: refs[:1], IsBare: true} // "the third video" is opened
			}
			return FollowUp{} // "the first one" says nothing to do with it
		}
		return FollowUp{Kind: Refer, References: refs}
	}
	if f := findInto(t, lo, hi); f.Kind != None {
		return f
	}
	return findObject(t, lo, hi)
}

// countsSomething reports whether words have a number and name no file: "add 5 more minutes", but not "add 5
// to a.txt".
func countsSomething(t *parse.Text, lo, hi int) (counts bool) {
	for i := lo; i < hi; i++ {
		switch k := t.Tokens[i]; {
		case k.Shape == lexicon.FileShape || k.Shape == lexicon.PathShape || k.Shape == lexicon.QuotedShape:
			return false
		case lexicon.IsDigit(t.Source[k.Start]):
			counts = true
		}
		_, number := t.Longest(i, hi, lexicon.Number, lexicon.Count)
		counts = counts || number
	}
	return counts
}

// isWhole reports whether a phrase is the whole text but for politeness.
func isWhole(t *parse.Text, lo, hi int, part Wish) bool {
	lead, _ := t.SkipLead(lo, hi)
	for at := lo; at <= lead; at++ {
		for _, end := range []int{hi, t.TrimTail(at, hi, false), t.TrimTail(at, hi, true)} {
			if m, ok := longest(t, at, end, string(part)); ok && at+m == end {
				return true
			}
		}
	}
	return false
}

// longest is the length of the longest phrase of parts at token i.
func longest(t *parse.Text, i, hi int, parts ...string) (length int, found bool) {
	length, _, found = longestPart(t, i, hi, parts...)
	return length, found
}

func longestPart(t *parse.Text, i, hi int, parts ...string) (length int, part string, found bool) {
	if i >= hi {
		return 0, "", false
	}
	for _, m := range t.Matches[i] {
		if m.Kind != lexicon.FollowUp || m.Len <= length || i+m.Len > hi {
			continue
		}
		for _, p := range parts {
			if m.Value == p {
				length, part, found = m.Len, p, true
			}
		}
	}
	return length, part, found
}

// findOther reads the last goal with other words or on another site: "again for amd", "and on
// youtube".
func findOther(t *parse.Text, lo, hi int, isFirst bool) FollowUp {
	said := t.TrimTail(lo, hi, false)
	hi = t.TrimTail(lo, hi, true)
	if n, ok := longest(t, lo, hi, string(There)); ok {
		w := &web.Reader{Text: t}
		if s, ok := w.SiteAt(lo+n, hi, false); ok && lo+n+s.Len == hi {
			return FollowUp{Kind: There, Site: s.ID}
		}
	}
	n, ok := longest(t, lo, hi, string(Instead))
	if too, ends := t.FindEnding(lo+1, said, lexicon.FollowUp); !ok && isFirst && ends && too.Value == "too" { // "manual.pdf too"
		ok, hi = true, min(hi, said-too.Len)
	}
	if !ok || lo+n >= hi || hi-lo-n > maxWords {
		return FollowUp{}
	}
	at := lo + n
	if _, other := t.Longest(at, hi, notQuery...); other || len(references(t, at, hi)) > 0 {
		return FollowUp{}
	}
	f := FollowUp{Kind: Instead}
	if t.Skip(at, hi, lexicon.TopicWhen) == hi {
		f.IsTime, f.Query = true, t.Cut(at, hi)
		return f
	}
	if m, ok := t.FindEnding(at+1, hi, lexicon.InIt); ok {
		f.IsThere, hi = true, hi-m.Len
	}
	if m, ok := t.Longest(at, hi, lexicon.On, lexicon.In, lexicon.For, lexicon.To, lexicon.TopicAt); ok && at+m.Len < hi { // "and in london?"
		f.IsPlace, at = true, at+m.Len
	}
	if from, site, ok := trailingSite(t, at, hi); ok {
		hi, f.Site = from, site
	}
	f.Query = t.Cut(at, hi)
	return f
}

// notQuery are the kinds of phrases that a query in a follow-up does not begin with: they make it a
// goal of its own.
var notQuery = append([]lexicon.Kind{
	lexicon.FileAction, lexicon.PageAction, lexicon.Screenshot, lexicon.ReadOut, lexicon.Save, lexicon.Download, lexicon.Pronoun, lexicon.Nothing, lexicon.Not, lexicon.Then,
	lexicon.OtherAction, lexicon.Cancel,
}, lexicon.Verbs...)

// trailingSite finds a site that can be searched at the end of a query: "amd on bing".
func trailingSite(t *parse.Text, lo, hi int) (from int, site string, found bool) {
	w := &web.Reader{Text: t}
	for i := lo + 1; i < hi; i++ {
		on, ok := t.Longest(i, hi, lexicon.On)
		if !ok {
			continue
		}
		if s, ok := w.SiteAt(i+on.Len, hi, false); ok && i+on.Len+s.Len == hi && t.Words.Catalogue.Searchable(s.ID) {
			return i, s.ID, true
		}
	}
	return 0, "", false
}

// link is the part of the nouns for what a page lists: "link", "video". result is the part of those for
// what a page or a list of files has: "result".
const (
	link   = "link"
	result = "result"
)

// nouns are the parts that say what kind of thing is meant.
var nouns = []string{"one", "file", "folder", "page", link, result, "app"}

// places are the parts that say which of a list is meant.
var places = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "last"}

// references lists the words that mean earlier things.
func references(t *parse.Text, lo, hi int) []Reference {
	var out []Reference
	for i := lo; i < hi; i++ {
		if t.IsQuoted(i, i+1) {
			continue
		}
		n, r := referenceAt(t, i, hi)
		if n == 0 || !endsThere(t, i+n, hi) {
			continue
		}
		r.Span = Span{t.Tokens[i].Start, t.Tokens[i+n-1].End}
		out = append(out, r)
		i += n - 1
	}
	return out
}

// referenceAt reads the longest reference at token i. Its length is 0 if there is none.
func referenceAt(t *parse.Text, i, hi int) (length int, r Reference) {
	length, _ = longest(t, i, hi, "it")
	feminine, _ := longest(t, i, hi, "she")
	r.IsFeminine = feminine > 0 && feminine == length
	if n, part, ok := longestPart(t, i, hi, "them", "both"); ok && n > length {
		return n, Reference{IsMany: true, IsBoth: part == "both"}
	}
	det, _ := longest(t, i, hi, "this")
	at := i + det
	n, part, ok := longestPart(t, at, hi, places...)
	if !ok && at < hi && parse.NthAt(t, at) > 0 {
		n, part, ok = 1, strconv.Itoa(parse.NthAt(t, at)), true
	}
	if n, ok := longest(t, at, hi, "order"); ok {
		if noun, kind, named := longestPart(t, at+n, hi, "one", "file"); named || t.TrimTail(at, hi, true) == at+n {
			m, _ := t.Longest(at, at+n, lexicon.FileFilter)
			return det + n + noun, Reference{Noun: kind, IsCompared: true, Order: strings.TrimPrefix(m.Value, "order:")}
		}
	}
	if n, best := longest(t, at, hi, "best"); best {
		if noun, kind, ok := longestPart(t, at+n, hi, "one", link, result); ok || t.TrimTail(at, hi, true) == at+n {
			return det + n + noun, Reference{Noun: kind, IsCompared: true}
		}
	}
	if ok {
		noun, kind, _ := longestPart(t, at+n, hi, nouns...)
		if det+n+noun > length {
			r.Nth = ofList
			if place, err := strconv.Atoi(part); err == nil {
				r.Nth = place
			}
			r.Noun, r.IsFeminine = kind, false
			return det + n + noun, r
		}
	}
	if n, part, ok := longestPart(t, at, hi, nouns...); ok && det > 0 && det+n > length && part != "one" {
		r.Noun, r.IsFeminine = part, false
		return det + n, r
	}
	return length, r
}

// endsThere reports whether a reference can end before token i. Before a word of no phrase it
// can't: "this thesis".
func endsThere(t *parse.Text, i, hi int) bool {
	return i >= hi || t.Tokens[i].Shape != lexicon.WordShape || len(t.Matches[i]) > 0
}

// findObject finds the place of an object that a command leaves out: «переименуй в x».
func findObject(t *parse.Text, lo, hi int) FollowUp {
	at, _ := t.SkipLead(lo, hi)
	verb, ok := t.Longest(at, hi, append([]lexicon.Kind{lexicon.FileAction, lexicon.PageAction, lexicon.Save, lexicon.Convert, lexicon.Put}, lexicon.Verbs...)...)
	if !ok || at+verb.Len >= t.TrimTail(at, hi, true) {
		return FollowUp{}
	}
	if _, goes := t.Longest(at+verb.Len, hi, lexicon.Destination, lexicon.AsName, lexicon.Place, lexicon.AsPDF, lexicon.AsScreenshot, lexicon.To, lexicon.In); !goes {
		return FollowUp{}
	}
	end := t.Tokens[at+verb.Len-1].End
	return FollowUp{Kind: Refer, References: []Reference{{Span: Span{end, end}}}}
}
