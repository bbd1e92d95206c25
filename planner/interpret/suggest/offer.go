package suggest

import (
	"slices"
	"strings"

	"errand/planner/catalogue"
	"errand/planner/interpret/lexicon"
)

// part is a word of a form, or a slot.
type part struct {
	word string
	slot string // site, media, app, query, name, file; empty: a word
	in   catalogue.Case
}

// form is an offered goal, in parts.
type form []part

func newForm(phrase string) form {
	var out form
	for w := range strings.FieldsSeq(phrase) {
		inside, isSlot := strings.CutPrefix(w, "{")
		if !isSlot {
			out = append(out, part{word: w})
			continue
		}
		slot, in, _ := strings.Cut(strings.TrimSuffix(inside, "}"), ".")
		p := part{slot: slot, in: catalogue.Accusative}
		if in != "" {
			p.in = lexicon.Cases[in]
		}
		out = append(out, p)
	}
	return out
}

// isClosed reports whether only a name of the catalogue fits the slot.
func (p part) isClosed() bool { return p.slot == "site" || p.slot == "media" || p.slot == "app" }

// speech holds the forms and names of all languages. It is immutable.
type speech struct {
	languages []language
}

// language holds the forms and names of one language.
type language struct {
	pack  *lexicon.Pack
	goals []form
	names []catalogue.Name // all of them, the first ones first
	first []catalogue.Name
	media []catalogue.Name
}

func newSpeech(names []catalogue.Name, packs []lexicon.Pack) *speech {
	s := &speech{languages: make([]language, len(packs))}
	for n := range packs {
		l := &s.languages[n]
		l.pack = &packs[n]
		for _, phrase := range l.pack.Offers.Goals {
			l.goals = append(l.goals, newForm(phrase))
		}
		l.first = findNames(names, l.pack.Offers.First)
		l.media = findNames(names, l.pack.Offers.Media)
		l.names = slices.Clone(l.first)
		for _, name := range names {
			if len(name.Plain) > 0 && !slices.Contains(l.pack.Offers.First, name.ID) {
				l.names = append(l.names, name)
			}
		}
	}
	return s
}

// findNames finds entries by id, in the order of the ids.
func findNames(names []catalogue.Name, ids []string) []catalogue.Name {
	var out []catalogue.Name
	for _, id := range ids {
		for _, name := range names {
			if name.ID == id && len(name.Plain) > 0 {
				out = append(out, name)
			}
		}
	}
	return out
}

// usualNames are the names offered for an empty slot.
func (l *language) usualNames(p part, f form) []catalogue.Name {
	from := l.first
	if p.slot == "media" {
		from = l.media
	}
	var out []catalogue.Name
	for _, name := range from {
		if f.fits(p, name) && len(out) < maxUsual {
			out = append(out, name)
		}
	}
	return out
}

// sample is the example text for an open slot.
func (l *language) sample(slot string) string {
	switch slot {
	case "query":
		return l.pack.Offers.Query
	case "name":
		return l.pack.Offers.Name
	}
	return l.pack.Offers.File
}

// ownName is the name of an entry in the script of the language, if it has one.
func (l *language) ownName(n catalogue.Name) string {
	for _, alias := range n.Plain {
		if l.pack.HasScript(alias) {
			return alias
		}
	}
	return n.Plain[0]
}

// fits reports whether an entry fits a slot of a form. A search needs a searchable
// site.
func (f form) fits(p part, n catalogue.Name) bool {
	searches := slices.ContainsFunc(f, func(p part) bool { return p.slot == "query" })
	return (p.slot == "app") == n.App && (!searches || n.Search)
}
