package interpret

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed lang/*.toml
var langFiles embed.FS

// pack is one language file. Every list holds templates, see [expandTemplate].
type pack struct {
	Language   string                 `toml:"language"`
	Cyrillic   bool                   `toml:"cyrillic"`   // the script that decides where no phrase does
	Phrases    map[string][]string    `toml:"phrases"`    // by kind
	Places     map[string][]string    `toml:"places"`     // known folder → phrases
	Extensions map[string][]string    `toml:"extensions"` // ".txt" → adjectives of a file
	Spoken     map[string][]string    `toml:"spoken"`     // "." → how it is said
	Suffixes   map[string][]string    `toml:"suffixes"`   // "com" → how it is said in another script
	Letters    map[string][]string    `toml:"letters"`    // "t" → how it is spelled aloud
	System     map[string]systemWords `toml:"system"`     // target → words
	Plain      []string               `toml:"plain"`      // ordinary words: never a typo of an alias
	Messages   map[string]string      `toml:"messages"`
}

// systemWords are the words by which a system query is known: a question is
// one if it holds a key and nothing but keys, extra words and the common
// system words of the language.
type systemWords struct {
	Keys  []string `toml:"keys"`
	Extra []string `toml:"extra"`
}

// packs reads the embedded language files in the order of their names.
func packs() ([]pack, error) {
	entries, err := langFiles.ReadDir("lang")
	if err != nil {
		return nil, err
	}
	var out []pack
	for _, e := range entries {
		b, err := langFiles.ReadFile("lang/" + e.Name())
		if err != nil {
			return nil, err
		}
		var p pack
		if err := toml.Unmarshal(b, &p); err != nil {
			return nil, fmt.Errorf("read %s: %w", e.Name(), err)
		}
		if p.Language == "" || len(p.Phrases) == 0 {
			return nil, fmt.Errorf("read %s: language or phrases missing", e.Name())
		}
		out = append(out, p)
	}
	return out, nil
}

// addPack puts a language's phrases into the lexicon.
func (l *lexicon) addPack(p pack, lang uint8) error {
	add := func(k kind, value string, templates []string) error {
		for _, t := range templates {
			phrases, err := expandTemplate(fold(t)) // folded once rather than in every form
			if err != nil {
				return fmt.Errorf("language %q: %w", p.Language, err)
			}
			for _, ph := range phrases {
				l.add(strings.Fields(ph), entry{k, lang, value})
			}
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.Phrases)) {
		k, ok := kindNames[name]
		if !ok {
			return fmt.Errorf("language %q: phrases: unknown kind %q", p.Language, name)
		}
		if err := add(k, "", p.Phrases[name]); err != nil {
			return err
		}
	}
	for _, group := range []struct {
		k      kind
		values map[string][]string
	}{{kPlace, p.Places}, {kExtension, p.Extensions}, {kSpoken, p.Spoken}, {kSuffix, p.Suffixes}, {kLetter, p.Letters}} {
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
	for _, w := range p.Plain {
		for _, f := range strings.Fields(fold(w)) {
			l.plain[f] = true
		}
	}
	return nil
}
