package lexicon

import (
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
var Cases = map[string]catalogue.Case{
	"genitive": catalogue.Genitive, "dative": catalogue.Dative, "accusative": catalogue.Accusative,
	"instrumental": catalogue.Instrumental, "prepositional": catalogue.Prepositional,
}
