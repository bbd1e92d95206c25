package web

import (
	"cmp"
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// maxSimilar is the number of names offered for an unknown one.
const maxSimilar = 3

// SimilarNames offers the sites and apps with names most similar to an unknown one:
// few letters differ, or the name begins with it.
func SimilarNames(words *lexicon.Vocabulary, unknown string) []plan.Choice {
	type candidate struct {
		distance int
		name     string
		parse.Entity
	}
	var found []candidate
	runes := []rune(lexicon.Fold(strings.ReplaceAll(unknown, " ", "")))
	for _, n := range words.SimilarNames(runes) {
		_, site := words.Catalogue.Site(n.Value)
		found = append(found, candidate{n.Distance, n.Word, parse.Entity{ID: n.Value, Site: site}})
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.name, b.name))
	})
	out := petName(words, unknown)
	for _, c := range found {
		label := message.Verbatim(words.EntityName(c.Entity.ID))
		if len(out) < maxSimilar && !slices.ContainsFunc(out, func(o plan.Choice) bool { return o.Label.Equal(label) }) {
			out = append(out, plan.Choice{Label: label, Value: c.name})
		}
	}
	return out
}

// petName offers the site or app of which a word is the pet name: «ютубчик».
func petName(words *lexicon.Vocabulary, unknown string) []plan.Choice {
	for _, p := range words.Packs {
		for _, ending := range p.Diminutive {
			name, ok := strings.CutSuffix(lexicon.Fold(unknown), ending)
			for _, kind := range []lexicon.Kind{lexicon.Site, lexicon.App} {
				if e, known := words.Single(name, kind); ok && known {
					return []plan.Choice{{Label: message.Verbatim(words.EntityName(e.Value)), Value: name}}
				}
			}
		}
	}
	return []plan.Choice{}
}

// OfferOnSite offers to open the site or app with which an unknown name begins, and to search there
// for the rest: "pinterest kitchen ideas". The rest of "youtube settings" is part of the site.
func OfferOnSite(p *Reader, c *parse.Clause) []plan.Choice {
	lo, hi := c.Ask.At.Lo, c.Ask.At.Hi
	e, ok := p.EntityAt(lo, hi, false)
	if !ok || lo+e.Len >= hi {
		return nil
	}
	var out []plan.Choice
	name, query := p.Words.EntityName(e.ID), lexicon.WithoutQuotes(p.Cut(lo+e.Len, hi))
	if _, matter := p.Longest(lo+e.Len, hi, lexicon.SiteMatter, lexicon.Private); e.Site && !matter && p.Words.Catalogue.Searchable(e.ID) {
		value := p.Words.Answer(c.Lang, "search_site", "{site}", p.Words.SiteName(e.ID), "{query}", query)
		out = append(out, plan.Choice{Label: message.New("question.choice_search_words", "site", p.Words.SiteName(e.ID), "query", query), Value: value})
	}
	return append(out, plan.Choice{Label: message.Verbatim(name), Value: p.Cut(lo, lo+e.Len)})
}

// JoinChoices returns the choices of lists in their order, each label once.
func JoinChoices(lists ...[]plan.Choice) []plan.Choice {
	var out []plan.Choice
	for _, c := range slices.Concat(lists...) {
		if !slices.ContainsFunc(out, func(o plan.Choice) bool { return o.Label.Equal(c.Label) }) {
			out = append(out, c)
		}
	}
	return out
}

// OfferUnknown offers what an unknown name may be: words to search for, or the address of a
// site.
func OfferUnknown(words *lexicon.Vocabulary, lang uint8, name string) []plan.Choice {
	query := lexicon.WithoutQuotes(name)
	out := []plan.Choice{{Label: message.New("question.choice_search_web", "query", query), Value: words.Answer(lang, "search_web", "{query}", query)}}
	if host := strings.ToLower(name) + ".com"; lexicon.IsASCII(name) && lexicon.IsDomain(host) && !strings.Contains(name, ".") {
		out = append(out, plan.Choice{Label: message.New("question.choice_open_address", "address", host), Value: host})
	}
	return out
}
