package lexicon

import (
	"embed"
	"slices"
	"strings"
)

// The files in spelling decide what the correction of spelling may do. names.txt lists the
// words that it may correct to. The other files list the words of dictionaries that resemble
// one of them; such a word is never corrected. make spelling writes the files. A name that is
// not listed, such as one of the user's own sites, is only matched exactly.

//go:embed spelling/*.txt
var spellingFiles embed.FS

// readSpelling reads the files: the names, and the ordinary words, both sorted.
func readSpelling() (names, ordinary []string, err error) {
	entries, err := spellingFiles.ReadDir("spelling")
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		b, err := spellingFiles.ReadFile("spelling/" + e.Name())
		if err != nil {
			return nil, nil, err
		}
		to := &ordinary
		if e.Name() == "names.txt" {
			to = &names
		}
		for line := range strings.Lines(string(b)) {
			if !strings.HasPrefix(line, "#") {
				*to = append(*to, strings.TrimSpace(line))
			}
		}
	}
	slices.Sort(names)
	slices.Sort(ordinary)
	return names, slices.Compact(ordinary), nil
}

// limitCorrections keeps the words to correct to that are in names.
func (l *lexicon) limitCorrections(names []string) {
	l.typos = slices.DeleteFunc(l.typos, func(id int32) bool {
		_, ok := slices.BinarySearch(names, l.names[id])
		return !ok
	})
}

// Names lists the words that the spelling of a word can be corrected to, sorted.
func (v *Vocabulary) Names() []string {
	var out []string
	for _, id := range v.typos {
		out = append(out, v.names[id])
	}
	slices.Sort(out)
	return out
}

// Resembles reports whether a word would be corrected to a name.
func (v *Vocabulary) Resembles(word string) bool {
	if _, ok := v.CorrectWord(word); ok {
		return true
	}
	for _, kinds := range [][]Kind{{Site, App}, CorrectedVerbs} {
		for _, strict := range []bool{false, true} {
			if _, ok := v.CorrectTypo(word, strict, kinds...); ok {
				return true
			}
		}
	}
	return false
}
