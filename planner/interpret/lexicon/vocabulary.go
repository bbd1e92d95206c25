package lexicon

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/planner/catalogue"
)

// Vocabulary is every word that an interpreter knows. It is immutable.
type Vocabulary struct {
	*lexicon
	Catalogue *catalogue.Catalogue
	Packs     []Pack     // without their templates
	plain     []string   // ordinary words that may be aliases too, sorted
	wake      [][]string // the user's own wake words, folded
	ordinary  []string   // words of a dictionary that resemble a name, sorted
}

// tables are a vocabulary without its catalogue.
type tables struct {
	from    uint32 // checksum of the language files
	lexicon lexicon
	plain   []string
	words   []string
	packs   []Pack
}

// built is what make tables generates from the language files and the built-in catalogue:
// working it out takes a third of the time of a command. It is nil in a source tree without
// the generated file.
var built *tables

// Tables returns the value of the generated file.
func Tables() (any, error) {
	all, err := Packs()
	if err != nil {
		return nil, err
	}
	v, err := New(catalogue.Default(), all)
	if err != nil {
		return nil, err
	}
	return tables{checksum(), *v.lexicon, v.plain, v.ordinary, v.Packs}, nil
}

// isBuilt reports whether built is that of the embedded language files. It isn't if a file
// changed since make ran.
func isBuilt() bool { return built != nil && built.from == checksum() }

// Default makes a vocabulary of the embedded language files.
func Default(c *catalogue.Catalogue) (*Vocabulary, error) {
	if c.IsBuiltIn() && isBuilt() {
		return &Vocabulary{lexicon: &built.lexicon, Catalogue: c, Packs: built.packs, plain: built.plain, ordinary: built.words}, nil
	}
	all, err := Packs()
	if err != nil {
		return nil, err
	}
	return New(c, all)
}

// New makes a vocabulary of the names of a catalogue and language packs. Names come
// first; one phrase may have several entries.
func New(c *catalogue.Catalogue, all []Pack) (*Vocabulary, error) {
	v, err := NewUnlimited(c, all)
	if err != nil {
		return nil, err
	}
	names, ordinary, err := readSpelling()
	if err != nil {
		return nil, err
	}
	v.ordinary = ordinary
	v.limitCorrections(names)
	return v, nil
}

// NewUnlimited is like New, but the spelling of any word is corrected, even that of an
// ordinary one.
func NewUnlimited(c *catalogue.Catalogue, all []Pack) (*Vocabulary, error) {
	v := &Vocabulary{Catalogue: c, Packs: make([]Pack, len(all))}
	b := newBuilder()
	for _, s := range c.Sites() {
		b.aliases(s.Aliases, b.entry(Site, AnyLang, s.ID))
	}
	for _, a := range c.Apps() {
		b.aliases(a.Aliases, b.entry(App, AnyLang, a.ID))
	}
	for n, p := range all {
		v.Packs[n] = p
		v.Packs[n].Templates = Templates{}
		if err := b.pack(p, uint8(n)); err != nil {
			return nil, fmt.Errorf("language %q: %w", p.Language, err)
		}
		for _, w := range p.Plain {
			v.plain = append(v.plain, strings.Fields(Fold(w))...)
		}
	}
	slices.Sort(v.plain)
	v.plain = slices.Compact(v.plain)
	v.lexicon = b.lexicon()
	return v, nil
}

// IsPlain reports whether w is an ordinary word, which is never a typo of an alias.
func (v *Vocabulary) IsPlain(w string) bool {
	_, plain := slices.BinarySearch(v.plain, w)
	return plain
}

// IsOrdinary reports whether w is a word of a dictionary, or one of the ordinary words of a
// language file.
func (v *Vocabulary) IsOrdinary(w string) bool {
	_, found := slices.BinarySearch(v.ordinary, w)
	return found || v.IsPlain(w)
}

// isOrdinary reports whether w is a word of a dictionary, or a phrase by itself.
func (v *Vocabulary) isOrdinary(w string) bool {
	return v.IsOrdinary(w) || len(v.wholePhrases(v.word(w), nil)) > 0
}

// pack adds a language's phrases.
func (b *builder) pack(p Pack, lang uint8) error {
	add := func(k Kind, value string, templates []string) error {
		e := b.entry(k, lang, value)
		for _, t := range templates {
			if err := b.expandTemplate(Fold(t), e); err != nil {
				return err
			}
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.Phrases)) {
		k, ok := kindNames()[name]
		if !ok {
			return fmt.Errorf("phrases: unknown kind %q", name)
		}
		if err := add(k, "", p.Phrases[name]); err != nil {
			return err
		}
	}
	for _, group := range []struct {
		k      Kind
		values map[string][]string
	}{{PageAction, p.PageActions}, {PageControl, p.PageControls}, {Ordinal, p.Ordinals}, {Repeat, p.Repeats}, {KeyName, p.Keys}, {FileAction, p.FileActions}, {FileKind, p.FileKinds}, {OneFileKind, p.OneFileKinds}, {FileFilter, p.FileFilters}, {Unit, p.Units}, {FolderName, p.FolderNames}, {OwnFolder, p.OwnFolders}, {OwnSite, p.OwnSites}, {Count, p.Counts}, {Place, p.Places}, {Extension, p.Extensions}, {Spoken, p.Spoken}, {Suffix, p.Suffixes}, {Letter, p.Letters}, {Money, p.Money}, {TravelMode, p.TravelModes}, {OtherGoal, p.OtherGoals}, {SmallTalk, p.SmallTalk}, {FollowUp, p.FollowUps}, {SettingNoun, p.SettingNouns}, {SettingMatter, p.SettingMatter}, {Language, p.Languages}, {ActGerund, p.ActGerunds}} {
		for _, v := range slices.Sorted(maps.Keys(group.values)) {
			if err := add(group.k, v, group.values[v]); err != nil {
				return err
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Controls)) {
		whole, before, after := splitControls(p.Controls[key])
		for i, templates := range [][]string{whole, before, after} {
			if err := add(Control+Kind(i), key, templates); err != nil {
				return err
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Reworded)) {
		for i, templates := range splitReworded(p.Reworded[key]) {
			if err := add(Reworded+Kind(i), key, templates); err != nil {
				return err
			}
		}
	}
	for _, topic := range slices.Sorted(maps.Keys(p.Topics)) {
		t := p.Topics[topic]
		for i, templates := range [][]string{t.Nouns, t.Of, t.Verbs, t.Open, t.Close} {
			if err := add(TopicNoun+Kind(i), topic, templates); err != nil {
				return err
			}
		}
	}
	for _, target := range slices.Sorted(maps.Keys(p.System)) {
		if err := add(SystemKey, target, p.System[target].Keys); err != nil {
			return err
		}
		if err := add(SystemExtra, target, p.System[target].Extra); err != nil {
			return err
		}
	}
	return nil
}

// SiteName is the name of a site.
func (v *Vocabulary) SiteName(id string) string {
	s, _ := v.Catalogue.Site(id)
	return s.Name
}

// EntityName is the name of an app or site.
func (v *Vocabulary) EntityName(id string) string {
	if a, ok := v.Catalogue.App(id); ok {
		return a.Name
	}
	return v.SiteName(id)
}

// PackOf is the number of a language's pack, 0 if the language is unknown.
func (v *Vocabulary) PackOf(language string) uint8 {
	for n, p := range v.Packs {
		if p.Language == language {
			return uint8(n)
		}
	}
	return 0
}

// Answer is what an answer says in a language, or in the first language if it has
// none. The pairs are parameters and their values: "{page}", "github.com".
func (v *Vocabulary) Answer(lang uint8, key string, pairs ...string) string {
	if int(lang) >= len(v.Packs) {
		lang = 0
	}
	text, ok := v.Packs[lang].Answers[key]
	if !ok {
		text = v.Packs[0].Answers[key]
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
