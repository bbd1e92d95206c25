package lexicon

import (
	"slices"

	"errand/planner/catalogue"
)

// Offers are the texts of a language file for offering goals. A form holds words and
// slots: {site}, {media} (a site that plays things) and {app} are names of the
// catalogue, {query}, {name} and {file} are free text. A slot may name a case, as in
// {site.prepositional}; the default is the accusative.
type Offers struct {
	Goals []string `toml:"goals"` // forms, the most usual first

	// What fills a slot before the user has typed anything.
	Query string `toml:"query"`
	Name  string `toml:"name"`
	File  string `toml:"file"`

	First []string `toml:"first"` // ids of sites and apps to offer first
	Media []string `toml:"media"` // sites that play things, to offer
	Watch []string `toml:"watch"` // more of them, which are not offered

	// Forms for texts that are similar to a goal.
	Search       string   `toml:"search"`
	On           string   `toml:"on"` // {query} is the whole text
	Open         []string `toml:"open"`
	CreateFile   string   `toml:"create_file"`
	CreateFolder string   `toml:"create_folder"`
	Contrary     []string `toml:"contrary"` // words for the opposite of opening
}

// Cases are the names of cases in forms.
var Cases = map[string]catalogue.Case{
	"genitive": catalogue.Genitive, "dative": catalogue.Dative, "accusative": catalogue.Accusative,
	"instrumental": catalogue.Instrumental, "prepositional": catalogue.Prepositional,
}

// PlaysMedia reports whether a site plays music or videos: one of the first choices of a language, or
// one that the language files name as such.
func (v *Vocabulary) PlaysMedia(id string) bool {
	for i := range v.Packs {
		if slices.Contains(v.Packs[i].Offers.Media, id) || slices.Contains(v.Packs[i].Offers.Watch, id) {
			return true
		}
	}
	return false
}
