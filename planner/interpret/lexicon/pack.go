package lexicon

import (
	"embed"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"errand/planner/plan"
)

//go:embed lang/*.toml
var langFiles embed.FS

// Pack is one language file.
type Pack struct {
	Language   string            `toml:"language"`
	Script     string            `toml:"script"`     // Unicode name of the script, which decides if no phrase does; empty: Latin
	NameFirst  bool              `toml:"name_first"` // a name may precede its noun: "the drafts folder"
	Infinitive []string          `toml:"infinitive"` // endings of infinitives that are also commands; a question with one is not a command
	Diminutive []string          `toml:"diminutive"` // endings of pet names: "ютубчик"
	Endings    []string          `toml:"endings"`    // of nouns and adjectives in their cases; names of files are compared without them
	Offers     Offers            `toml:"offers"`     // goals to offer
	Answers    map[string]string `toml:"answers"`    // what a choice says in place of words
	Recipe     RecipeWords       `toml:"recipe"`
	Templates
}

// RecipeWords are the words of a command that names a recipe: "run my recipe called morning".
type RecipeWords struct {
	Run         []string `toml:"run"`         // verbs of running a recipe
	Determiners []string `toml:"determiners"` // words before its name: "my"
	Nouns       []string `toml:"nouns"`       // "recipe"
	Markers     []string `toml:"markers"`     // words between the noun and the name: "called"
	Joints      []string `toml:"joints"`      // words after which something else follows: "and"
}

// Templates are the phrases of a language. Every list holds templates, see [phraseExpander].
type Templates struct {
	Phrases       map[string][]string    `toml:"phrases"`         // by kind
	PageActions   map[string][]string    `toml:"page_actions"`    // page action → verbs before a page
	PageControls  map[string][]string    `toml:"page_controls"`   // see [PageControl] → whole commands
	Ordinals      map[string][]string    `toml:"ordinals"`        // "2" or "last" → its ordinals
	Repeats       map[string][]string    `toml:"repeats"`         // "2" → how often: "twice"
	Keys          map[string][]string    `toml:"keys"`            // "Enter" → names of the key
	FileActions   map[string][]string    `toml:"file_actions"`    // file action → verbs before a file or folder
	FileKinds     map[string][]string    `toml:"file_kinds"`      // ".jpg,.png" → words for files of that kind
	OneFileKinds  map[string][]string    `toml:"one_file_kinds"`  // the same for one file
	FileFilters   map[string][]string    `toml:"file_filters"`    // "after:today" → phrases, see [FileFilter]
	Units         map[string][]string    `toml:"units"`           // "d" → words for a unit of time or size
	OwnFolders    map[string][]string    `toml:"own_folders"`     // known folder → its names without a preposition
	FolderNames   map[string][]string    `toml:"folder_names"`    // known folder → its names before a slash
	Places        map[string][]string    `toml:"places"`          // known folder → phrases
	OwnSites      map[string][]string    `toml:"own_sites"`       // site → verbs of searching that name it
	Counts        map[string][]string    `toml:"counts"`          // "5" → its words
	Extensions    map[string][]string    `toml:"extensions"`      // ".txt" → adjectives of a file
	Spoken        map[string][]string    `toml:"spoken"`          // "." → its words
	Suffixes      map[string][]string    `toml:"suffixes"`        // "com" → its words in another script
	Letters       map[string][]string    `toml:"letters"`         // "t" → its words when spelled
	System        map[string]systemWords `toml:"system"`          // target → words
	Topics        map[string]topicWords  `toml:"topics"`          // topic → words
	OtherGoals    map[string][]string    `toml:"other_goals"`     // what goals can't express, by the refusal; see [OtherGoal]
	SmallTalk     map[string][]string    `toml:"small_talk"`      // the answer → remarks and questions that want one
	Controls      map[string][]string    `toml:"controls"`        // "set volume +10" → commands, see [SplitControl]
	FollowUps     map[string][]string    `toml:"follow_ups"`      // part in a goal about earlier ones → phrases, see [FollowUp]
	SettingNouns  map[string][]string    `toml:"setting_nouns"`   // key of a setting → its names
	SettingMatter map[string][]string    `toml:"setting_matters"` // key of a setting → what it is for
	Languages     map[string][]string    `toml:"languages"`       // "ru" → names of the language
	Money         map[string][]string    `toml:"money"`           // "usd" → names of the currency
	TravelModes   map[string][]string    `toml:"travel_modes"`    // "walking" → phrases
	Reworded      map[string][]string    `toml:"reworded"`        // a command, with {} or {text} for the words at … → other words for it
	ActGerunds    map[string][]string    `toml:"act_gerunds"`     // verb of a file action → its gerunds
	Plain         []string               `toml:"plain"`           // ordinary words, which are never typos of an alias
}

// systemWords are the words of a system query. A question is one if it has a key and
// only keys, extra words and the common system words of the language.
type systemWords struct {
	Keys  []string `toml:"keys"`
	Extra []string `toml:"extra"`
}

// topicWords are the words of a topic, see [TopicNoun] and the kinds after it.
type topicWords struct {
	Nouns []string `toml:"nouns"`
	Of    []string `toml:"of"`
	Verbs []string `toml:"verbs"`
	Open  []string `toml:"open"`
	Close []string `toml:"close"`
}

// Alphabet has the letters of the language's script.
func (p *Pack) Alphabet() *unicode.RangeTable {
	if letters := unicode.Scripts[p.Script]; letters != nil {
		return letters
	}
	return unicode.Latin
}

// HasScript reports whether a name is written in the language's script. A Latin name
// has letters of no other script.
func (p *Pack) HasScript(name string) bool {
	letters := p.Alphabet()
	if letters == unicode.Latin {
		return !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) })
	}
	return strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(letters, r) })
}

// firstLanguage is used if no language is known.
const firstLanguage = "en"

// checksum is that of the embedded language files. It does not copy them, because each
// start computes it.
func checksum() uint32 {
	sum := crc32.NewIEEE()
	block := make([]byte, 8<<10)
	for _, in := range []struct {
		files  embed.FS
		folder string
	}{{langFiles, "lang"}, {spellingFiles, "spelling"}} {
		entries, _ := in.files.ReadDir(in.folder)
		for _, e := range entries {
			f, err := in.files.Open(in.folder + "/" + e.Name())
			if err != nil {
				panic(err) // the files are part of the program
			}
			_, _ = io.CopyBuffer(sum, f, block)
		}
	}
	return sum.Sum32()
}

// Packs reads the embedded language files in the order of their names, the
// first language first.
func Packs() ([]Pack, error) {
	entries, err := langFiles.ReadDir("lang")
	if err != nil {
		return nil, err
	}
	var out []Pack
	for _, e := range entries {
		b, err := langFiles.ReadFile("lang/" + e.Name())
		if err != nil {
			return nil, err
		}
		var p Pack
		if err := toml.Unmarshal(b, &p); err != nil {
			return nil, fmt.Errorf("read %s: %w", e.Name(), err)
		}
		if p.Language == "" || len(p.Phrases) == 0 {
			return nil, fmt.Errorf("read %s: language or phrases missing", e.Name())
		}
		if p.Script != "" && unicode.Scripts[p.Script] == nil {
			return nil, fmt.Errorf("read %s: there is no script %q", e.Name(), p.Script)
		}
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b Pack) int {
		switch {
		case a.Language == b.Language:
			return 0
		case a.Language == firstLanguage:
			return -1
		case b.Language == firstLanguage:
			return 1
		}
		return 0
	})
	return out, nil
}

// PageActions lists the actions on a page that a goal can have, as
// "<action>_<object_type>": those of [plan.PageActions], then those that only the
// language files name.
var PageActions = sync.OnceValue(func() []string {
	all := plan.PageActions()
	packs, err := Packs()
	if err != nil {
		panic(err) // the files are part of the program
	}
	for _, key := range slices.Sorted(maps.Keys(packs[0].PageActions)) {
		if !slices.Contains(all, key) {
			all = append(all, key)
		}
	}
	return all
})
