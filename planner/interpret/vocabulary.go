package interpret

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"errand/planner/catalogue"
)

// vocabulary is every word that an interpreter knows. It is immutable.
type vocabulary struct {
	*lexicon
	catalogue *catalogue.Catalogue
	packs     []pack
	plain     map[string]bool // ordinary words: never a typo of an alias
	typos     func() typos    // at the first word that is not known
}

// newVocabulary reads the names in the catalogue, then the language files. The
// same phrase may have several entries: those of the catalogue come first.
func newVocabulary(c *catalogue.Catalogue) (*vocabulary, error) {
	all, err := packs()
	if err != nil {
		return nil, err
	}
	return vocabularyOf(c, all)
}

func vocabularyOf(c *catalogue.Catalogue, all []pack) (*vocabulary, error) {
	v := &vocabulary{catalogue: c, packs: all, plain: map[string]bool{}}
	b := newBuilder()
	for _, s := range c.Sites() {
		b.aliases(s.Aliases, b.entry(kSite, anyLang, s.ID))
	}
	for _, a := range c.Apps() {
		b.aliases(a.Aliases, b.entry(kApp, anyLang, a.ID))
	}
	for n, p := range all {
		if err := b.pack(p, uint8(n)); err != nil {
			return nil, fmt.Errorf("language %q: %w", p.Language, err)
		}
		for _, w := range p.Plain {
			for word := range strings.FieldsSeq(fold(w)) {
				v.plain[word] = true
			}
		}
	}
	v.lexicon = b.lexicon()
	v.typos = sync.OnceValue(v.lexicon.typos)
	return v, nil
}

// pack adds a language's phrases.
func (b *builder) pack(p pack, lang uint8) error {
	add := func(k kind, value string, templates []string) error {
		e := b.entry(k, lang, value)
		for _, t := range templates {
			if err := b.weave(fold(t), e); err != nil {
				return err
			}
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.Phrases)) {
		k, ok := kindNames[name]
		if !ok {
			return fmt.Errorf("phrases: unknown kind %q", name)
		}
		if err := add(k, "", p.Phrases[name]); err != nil {
			return err
		}
	}
	for _, group := range []struct {
		k      kind
		values map[string][]string
	}{{kOwnSite, p.OwnSites}, {kCount, p.Counts}, {kPlace, p.Places}, {kExtension, p.Extensions}, {kSpoken, p.Spoken}, {kSuffix, p.Suffixes}, {kLetter, p.Letters}} {
		for _, v := range slices.Sorted(maps.Keys(group.values)) {
			if err := add(group.k, v, group.values[v]); err != nil {
				return err
			}
		}
	}
	for _, target := range slices.Sorted(maps.Keys(p.System)) {
		if err := add(kSysKey, target, p.System[target].Keys); err != nil {
			return err
		}
		if err := add(kSysExtra, target, p.System[target].Extra); err != nil {
			return err
		}
	}
	return nil
}

func (v *vocabulary) siteName(id string) string {
	s, _ := v.catalogue.Site(id)
	return s.Name
}

func (v *vocabulary) entityName(id string) string {
	if a, ok := v.catalogue.App(id); ok {
		return a.Name
	}
	return v.siteName(id)
}

// packOf is the number of a language's pack; that of an unknown one is 0.
func (v *vocabulary) packOf(language string) uint8 {
	for n, p := range v.packs {
		if p.Language == language {
			return uint8(n)
		}
	}
	return 0
}

// message words key in a language; an unknown language falls back to the first.
func (v *vocabulary) message(lang uint8, key string) string {
	if int(lang) >= len(v.packs) {
		lang = 0
	}
	if m, ok := v.packs[lang].Messages[key]; ok {
		return m
	}
	return v.packs[0].Messages[key]
}
