// Spelling writes the files that limit the correction of spelling: the words that it may
// correct to, and those words of a dictionary that resemble one of them. It needs the Debian
// packages wamerican and hunspell-ru. Run it with make spelling in the root of the repository
// after you added a site, an app or a verb.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"errand/planner/catalogue"
	"errand/planner/interpret/lexicon"
)

const folder = "planner/interpret/lexicon/spelling/"

func main() {
	if err := run("/usr/share/dict/american-english", "/usr/share/hunspell/ru_RU"); err != nil {
		fmt.Fprintln(os.Stderr, "spelling:", err)
		os.Exit(1)
	}
}

func run(english, russian string) error {
	packs, err := lexicon.Packs()
	if err != nil {
		return err
	}
	v, err := lexicon.NewUnlimited(catalogue.Default(), packs)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(english)
	if err != nil {
		return err
	}
	forms, err := expand(russian)
	if err != nil {
		return err
	}
	if err := write("names.txt", slices.Values(v.Names())); err != nil {
		return err
	}
	if err := write("en.txt", resembling(v, strings.Fields(string(b)))); err != nil {
		return err
	}
	return write("ru.txt", resembling(v, forms))
}

// resembling lists the words that resemble a name, sorted. Names of people and places, and
// English genitives, are left out: "crete" is rather a misspelled verb.
func resembling(v *lexicon.Vocabulary, words []string) func(func(string) bool) {
	found := map[string]bool{}
	for _, w := range words {
		if strings.Contains(w, "'") || w != strings.ToLower(w) {
			continue
		}
		if w = lexicon.Fold(w); v.Resembles(w) {
			found[w] = true
		}
	}
	return slices.Values(slices.Sorted(maps.Keys(found)))
}

// write replaces the words of a file and keeps the comment at its beginning.
func write(name string, words func(func(string) bool)) error {
	old, err := os.ReadFile(folder + name)
	if err != nil {
		return err
	}
	var out strings.Builder
	for line := range strings.Lines(string(old)) {
		if strings.HasPrefix(line, "#") {
			out.WriteString(line)
		}
	}
	for w := range words {
		out.WriteString(w + "\n")
	}
	return os.WriteFile(folder+name, []byte(out.String()), 0o644)
}
