package filename

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/planner/interpret/lexicon"
)

// splitWords returns the folded words of a name. Spaces, underscores, hyphens and other marks part them.
func splitWords(name string) []string {
	return strings.FieldsFunc(lexicon.Fold(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// stemOf is the name of a file without its extension: "notes" of "notes.tar.gz".
func stemOf(name string) string {
	ext := path.Ext(name)
	if ext == "" || lexicon.FileExtension(name) == "" {
		return name
	}
	stem := strings.TrimSuffix(name, ext)
	if strings.EqualFold(path.Ext(stem), ".tar") {
		stem = stem[:len(stem)-len(".tar")]
	}
	return stem
}

// minRoot is the length of the shortest part of a word that endings are cut off, in letters.
const minRoot = 3

// root is a word without its case ending and without the vowel that some cases drop before the
// last consonant: «список» and «списке» have one root.
func root(word string, endings []string) string {
	longest := ""
	for _, e := range endings {
		if len(e) > len(longest) && strings.HasSuffix(word, e) && utf8.RuneCountInString(word)-utf8.RuneCountInString(e) >= minRoot {
			longest = e
		}
	}
	cut := []rune(strings.TrimSuffix(word, longest))
	if n := len(cut); n > minRoot && len(endings) > 0 && strings.ContainsRune("ео", cut[n-2]) {
		cut = append(cut[:n-2], cut[n-1])
	}
	return string(cut)
}

// joinRoots is the key under which names with equal words are found.
func joinRoots(words, endings []string) string {
	roots := make([]string, len(words))
	for i, w := range words {
		roots[i] = root(w, endings)
	}
	return strings.Join(roots, " ")
}

// nearLength is the length from which a word may be a beginning of another, in letters, and
// nearRest the number of letters that may follow it.
const (
	nearLength = 4
	nearRest   = 3
)

// isNear reports whether two roots are of one word: "invoice" and "invoices".
func isNear(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := utf8.RuneCountInString(a)
	return a == b || n >= nearLength && strings.HasPrefix(b, a) && utf8.RuneCountInString(b)-n <= nearRest
}
