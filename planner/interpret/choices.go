package interpret

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"errand/planner/plan"
)

// leaveOut is the answer that gives up what was unclear.
const leaveOut = "leave_out"

func offered(q question, value string) bool {
	return slices.ContainsFunc(q.choices, func(c plan.Choice) bool { return c.Value == value })
}

// maxSimilar is how many names are offered for an unknown one.
const maxSimilar = 3

// similar offers the sites and apps whose names are most like what is not
// known: few letters differ, or it begins like them.
func similar(words *vocabulary, unknown string) []plan.Choice {
	type candidate struct {
		distance int
		name     string
		entity
	}
	var found []candidate
	said := []rune(fold(strings.ReplaceAll(unknown, " ", "")))
	for _, n := range words.nearby(said) {
		_, site := words.catalogue.Site(n.value)
		found = append(found, candidate{n.distance, n.word, entity{id: n.value, site: site}})
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.name, b.name))
	})
	out := []plan.Choice{}
	for _, c := range found {
		label := words.entityName(c.entity.id)
		if len(out) < maxSimilar && !slices.ContainsFunc(out, func(o plan.Choice) bool { return o.Label == label }) {
			out = append(out, plan.Choice{Label: label, Value: c.name})
		}
	}
	return out
}

func (p *commandReader) yesOrNo(lang uint8) []plan.Choice {
	return []plan.Choice{{Label: p.words.message(lang, "yes"), Value: "yes"}, {Label: p.words.message(lang, "no"), Value: "no"}}
}

// partial asks about words that are unclear.
func (p *Text) partial(at span) question {
	return question{key: "ask_partial", arg: p.cut(at.lo, at.hi), at: at, optional: true}
}

// verbFor asks what to do with the thing at token i.
func (p *commandReader) verbFor(e entity, i int) question {
	lang := p.words.packOf(p.language)
	q := question{key: "ask_verb", arg: p.words.entityName(e.id), at: span{i, i + e.n}, thing: e}
	q.choices = []plan.Choice{{Label: p.words.message(lang, "open_it"), Value: "open"}}
	if e.site && p.words.catalogue.Searchable(e.id) {
		q.choices = append(q.choices, plan.Choice{Label: p.words.message(lang, "search_it"), Value: "search"})
	}
	return q
}

// doing are the meanings of an answer to what to do with a site or app: a verb
// alone, what to search it for, or another command.
func (i *Interpreter) doing(p *Text, q question, value string, instead *Text) []*Text {
	before := span{q.at.lo, q.at.lo}
	if offered(q, value) {
		verb := kOpen
		if value == "search" {
			verb = kSearchIn
		}
		return []*Text{p.put(before, value, entry{verb, anyLang, ""})}
	}
	said := p.parse(value)
	if said.covers(0, len(said.toks), kOpen, kStart, kSearch, kSearchIn, kShow) {
		return []*Text{p.splice(before, value, false), instead}
	}
	if r := i.Read(value); q.thing.site && r.Status == OK && len(r.Goals.Goals) == 1 && r.Goals.Goals[0].GoalType == plan.BrowserSearch && r.Goals.Goals[0].Platform == "" {
		on := instead.put(span{q.whole.lo + len(said.toks), q.whole.lo + len(said.toks)}, "on", entry{kOn, anyLang, ""})
		at := q.whole.lo + len(said.toks) + 1
		return []*Text{on.put(span{at, at}, q.thing.id, entry{kSite, anyLang, q.thing.id}), instead}
	}
	return []*Text{instead}
}

// sides are the two wishes of which one can hold, in the words that were said.
func sides(p *Text, c *clash) []plan.Choice {
	lang := p.words.packOf(p.language)
	words := func(d draft) string {
		all := d.words()
		return p.cut(all.lo, all.hi)
	}
	if !c.forbidden {
		return []plan.Choice{{Label: words(c.one), Value: c.one.goal.Action}, {Label: words(c.other), Value: c.other.goal.Action}}
	}
	return []plan.Choice{
		{Label: words(c.one), Value: "do"},
		{Label: fmt.Sprintf(p.words.message(lang, "rather_not"), words(c.other)), Value: "dont"},
	}
}

// lost is the side that an answer gives up.
func (c *clash) lost(value string) (draft, bool) {
	switch {
	case c.forbidden && value == "do", !c.forbidden && value == c.one.goal.Action:
		return c.other, true
	case c.forbidden && value == "dont", !c.forbidden && value == c.other.goal.Action:
		return c.one, true
	}
	return draft{}, false
}

// kept drops what an answer gave up.
func kept(p *Text, drafts []draft) []draft {
	return slices.DeleteFunc(drafts, func(d draft) bool { return slices.Contains(p.told(d.first()).lost, d.goal) })
}

// words are the tokens from the first to the last that caused a draft.
func (d draft) words() span {
	all := span{d.first(), 0}
	for _, s := range d.spans {
		if s.lo < s.hi {
			all.lo, all.hi = min(all.lo, s.lo), max(all.hi, s.hi)
		}
	}
	return all
}

// first is the first token of what a draft is about: its last slot, which no
// other draft of the same goal shares.
func (d draft) first() int {
	if len(d.spans) == 0 {
		return 0
	}
	return d.spans[len(d.spans)-1].lo
}

// creates reports whether a text is a command to create something.
func (i *Interpreter) creates(text string) bool {
	r := i.Read(text)
	return r.Status == OK && !slices.ContainsFunc(r.Goals.Goals, func(g plan.Goal) bool { return g.Action != "create" })
}

// typeSaid is the type that an answer names: "folder", "a file", «папка».
func typeSaid(p *Text, text string) string {
	p = p.parse(text)
	lo := p.skip(0, len(p.toks), kDet)
	switch {
	case p.covers(lo, len(p.toks), kFolder):
		return folderType
	case p.covers(lo, len(p.toks), kFile):
		return fileType
	}
	return ""
}
