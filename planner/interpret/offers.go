package interpret

import (
	"slices"
	"strings"

	"errand/planner/catalogue"
)

// offers is how a language says whole goals, for a person who has said none
// yet. A form holds plain words and slots: {site}, {media} (a site that plays
// things) and {app} are what the catalogue knows, {query}, {name} and {file} a
// person's own words. A slot may ask for a case, as in {site.prepositional};
// without one it is the accusative.
type offers struct {
	Goals []string `toml:"goals"` // forms, the most usual first

	// What stands in a slot before the person has said anything.
	Query string `toml:"query"`
	Name  string `toml:"name"`
	File  string `toml:"file"`

	First []string `toml:"first"` // ids of sites and apps offered before all others
	Media []string `toml:"media"` // sites that play things

	// Forms near to a text that is no goal.
	Search       string   `toml:"search"`
	On           string   `toml:"on"` // {query} is the whole text
	Open         []string `toml:"open"`
	CreateFile   string   `toml:"create_file"`
	CreateFolder string   `toml:"create_folder"`
	Contrary     []string `toml:"contrary"` // words that want the contrary of opening
}

// cases are the names by which a form asks for one.
var cases = map[string]catalogue.Case{
	"genitive": catalogue.Genitive, "dative": catalogue.Dative, "accusative": catalogue.Accusative,
	"instrumental": catalogue.Instrumental, "prepositional": catalogue.Prepositional,
}

// part is a word of a form, or a slot.
type part struct {
	word string
	slot string // site, media, app, query, name, file; empty: a word
	in   catalogue.Case
}

// form is an offered goal, in parts.
type form []part

func newForm(said string) form {
	var out form
	for w := range strings.FieldsSeq(said) {
		inside, isSlot := strings.CutPrefix(w, "{")
		if !isSlot {
			out = append(out, part{word: w})
			continue
		}
		slot, in, _ := strings.Cut(strings.TrimSuffix(inside, "}"), ".")
		p := part{slot: slot, in: catalogue.Accusative}
		if in != "" {
			p.in = cases[in]
		}
		out = append(out, p)
	}
	return out
}

// closed reports whether only a name of the catalogue can stand in the slot.
func (p part) closed() bool { return p.slot == "site" || p.slot == "media" || p.slot == "app" }

// speech is what is needed to say goals. It is immutable.
type speech struct {
	languages []language
}

type language struct {
	pack  *pack
	goals []form
	names []catalogue.Name // all of them, the first ones first
	first []catalogue.Name
	media []catalogue.Name
}

func newSpeech(names []catalogue.Name, packs []pack) *speech {
	s := &speech{languages: make([]language, len(packs))}
	for n := range packs {
		l := &s.languages[n]
		l.pack = &packs[n]
		for _, said := range l.pack.Offers.Goals {
			l.goals = append(l.goals, newForm(said))
		}
		l.first = named(names, l.pack.Offers.First)
		l.media = named(names, l.pack.Offers.Media)
		l.names = slices.Clone(l.first)
		for _, name := range names {
			if len(name.Plain) > 0 && !slices.Contains(l.pack.Offers.First, name.ID) {
				l.names = append(l.names, name)
			}
		}
	}
	return s
}

// named finds entries in the order of their ids: sites and apps.
func named(names []catalogue.Name, ids []string) []catalogue.Name {
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

// usual are the names offered for a slot of which no letter is typed.
func (l *language) usual(p part, f form) []catalogue.Name {
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

// sample is what stands in an open slot of which nothing is said.
func (l *language) sample(slot string) string {
	switch slot {
	case "query":
		return l.pack.Offers.Query
	case "name":
		return l.pack.Offers.Name
	}
	return l.pack.Offers.File
}

// own is how this language's speakers call an entry where they have said
// nothing of it: in their own script, if it has such a name.
func (l *language) own(n catalogue.Name) string {
	for _, alias := range n.Plain {
		if isCyrillic(alias) == l.pack.Cyrillic {
			return alias
		}
	}
	return n.Plain[0]
}

// fits reports whether an entry can stand in a slot of a form: a search needs
// a site that can be searched.
func (f form) fits(p part, n catalogue.Name) bool {
	searches := slices.ContainsFunc(f, func(p part) bool { return p.slot == "query" })
	return (p.slot == "app") == n.App && (!searches || n.Search)
}

func isCyrillic(s string) bool { return strings.ContainsFunc(s, cyrillic) }

func cyrillic(r rune) bool { return 'а' <= r && r <= 'я' || r == 'ё' }
