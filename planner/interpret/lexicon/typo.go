package lexicon

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"errand/planner/message"
)

// correctable kinds; everything else is matched exactly.
var correctable = slices.Concat([]Kind{Site, App, Search, SearchIn, Open, Start, Create, Delete, Folder, File}, correctedWords)

// correctedWords are the kinds of words whose spelling [Vocabulary.CorrectWord] corrects.
var correctedWords = []Kind{Search, Open, Create, FileAction, Folder, File, Folders, Files, NameMarker, OwnFolder, Place, TopicNoun, TopicVerb}

// CorrectedVerbs are the kinds of verbs whose spelling is corrected.
var CorrectedVerbs = []Kind{Search, SearchIn, Open, Start, Create, Delete}

// listCorrectable lists the phrases of one word that can be corrected, as numbers of
// words by their first letter.
func (l *lexicon) listCorrectable() (ids []int32) {
	for id, w := range l.names {
		if utf8.RuneCountInString(w) >= 4 && l.hasKind(int32(id), correctable) {
			ids = append(ids, int32(id))
		}
	}
	slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(l.letter(a), l.letter(b)) })
	return ids
}

// startingWith returns the words of listCorrectable that begin with a letter.
func (l *lexicon) startingWith(letter rune) []int32 {
	from, _ := slices.BinarySearchFunc(l.typos, letter, func(id int32, letter rune) int { return cmp.Compare(l.letter(id), letter) })
	to := from
	for to < len(l.typos) && l.letter(l.typos[to]) == letter {
		to++
	}
	return l.typos[from:to]
}

// letter is the first letter of a word.
func (l *lexicon) letter(word int32) rune {
	first, _ := utf8.DecodeRuneInString(l.names[word])
	return first
}

// hasKind reports whether a word is a phrase of one of kinds.
func (l *lexicon) hasKind(word int32, kinds []Kind) bool {
	return slices.ContainsFunc(l.startEdges(word), func(e edge) bool {
		n := l.states[e.to].accept
		return n != none && HasKind(kinds, l.entries[n].Kind)
	})
}

// CorrectTypo returns the entry of one of kinds whose word is most similar to w, if
// it is similar enough and no other entry is as similar.
//
// One edit (insertion, deletion, substitution or swap of neighbours) is allowed from
// five letters on, and two from eight on, unless strict. In a word of four letters
// only a swap, a doubled letter or a missing vowel is allowed. The first letters
// must agree, except for a swap of the first two. A word of a dictionary is never a typo.
// An alias that is itself an ordinary word ("paint") is only corrected to if letters
// are swapped or it is long.
func (v *Vocabulary) CorrectTypo(w string, strict bool, kinds ...Kind) (Entry, bool) {
	found, _, ok := v.correct(w, strict, kinds)
	return found, ok
}

// CorrectWord corrects a misspelled word of commands about files or topics by the rules of
// [Vocabulary.CorrectTypo], with one edit at most.
func (v *Vocabulary) CorrectWord(w string) (string, bool) {
	_, name, ok := v.correct(w, true, correctedWords)
	return name, ok
}

// correct returns the entry that is most similar to w, and its word. Entries of one word count as
// one if they are of correctedWords.
func (v *Vocabulary) correct(w string, strict bool, kinds []Kind) (found Entry, word string, ok bool) {
	n := utf8.RuneCountInString(w)
	if n < 4 || n > 24 || v.isOrdinary(w) {
		return Entry{}, "", false
	}
	r := []rune(w)
	limit := 1
	if n >= 8 && !strict {
		limit = 2
	}
	best, unique := limit+1, true
	var buffer [32]rune
	for _, first := range []rune{r[0], r[1]} {
		for _, id := range v.startingWith(first) {
			name := v.names[id]
			if d := utf8.RuneCountInString(name) - n; d > limit || d < -limit || !v.hasKind(id, kinds) {
				continue
			}
			k := appendRunes(buffer[:0], name)
			if first != r[0] && (k[1] != r[0] || first == k[1]) {
				continue
			}
			swap := isSwap(r, k) || isDoubledLetter(r, k) || n == 4 && !v.IsPlain(name) && isMissingVowel(r, k)
			if !swap && (n < 5 || len(k) < 5 || first != r[0] || v.IsPlain(name) && len(k) < 7) {
				continue
			}
			d := 1
			if !swap {
				d = message.Distance(r, k)
			}
			if d > best || d > limit {
				continue
			}
			for _, m := range v.matches(nil, v.wholePhrases(id, nil), 1) {
				switch {
				case !HasKind(kinds, m.Kind) || !HasKind(correctable, m.Kind):
				case d < best:
					best, unique, found, word = d, true, m.Entry, name
				case name == word && len(kinds) == len(correctedWords): // "show" lists and opens
				case m.Value != found.Value || m.Kind != found.Kind && !HasKind([]Kind{Site, App}, m.Kind): // an app that is a site too is one thing
					unique = false
				}
			}
		}
		if r[0] == r[1] {
			break
		}
	}
	return found, word, best <= limit && best > 0 && unique
}

// SimilarName is a name of a site or app that resembles a word.
type SimilarName struct {
	Word, Value string
	Distance    int
}

// SimilarNames lists the names of one word that differ from w in at most a third of
// its letters, or start with it. They are offered to the user, never used without a
// question.
func (v *Vocabulary) SimilarNames(w []rune) []SimilarName {
	if len(w) < 3 || len(w) > 24 {
		return nil
	}
	var out []SimilarName
	var buffer [32]rune
	for id, name := range v.names {
		k := appendRunes(buffer[:0], name)
		if d := len(k) - len(w); len(k) < 3 || len(k) > 24 || d < -len(w)/3 || !v.hasKind(int32(id), []Kind{Site, App}) {
			continue
		}
		d := 1 // it begins the name
		if !slices.Equal(w, k[:min(len(w), len(k))]) {
			if d = message.Distance(w, k); d > len(w)/3 {
				continue
			}
		}
		for _, m := range v.matches(nil, v.wholePhrases(int32(id), nil), 1) {
			if m.Kind == Site || m.Kind == App {
				out = append(out, SimilarName{name, m.Value, d})
			}
		}
	}
	return out
}

func appendRunes(to []rune, s string) []rune {
	for _, r := range s {
		to = append(to, r)
	}
	return to
}

// HasKind reports whether k is one of kinds.
func HasKind(kinds []Kind, k Kind) bool {
	return slices.Contains(kinds, k)
}

// isSwap reports whether two neighbouring letters changed places.
func isSwap(a, b []rune) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if i+1 >= len(a) || a[i] != b[i+1] || a[i+1] != b[i] {
		return false
	}
	return string(a[i+2:]) == string(b[i+2:])
}

// isDoubledLetter reports whether a is b with one letter doubled.
func isDoubledLetter(a, b []rune) bool {
	if len(a) != len(b)+1 {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	return i > 0 && a[i] == a[i-1] && string(a[i+1:]) == string(b[i:])
}

// vowels are letters that people leave out in haste.
const vowels = "aeiouyаеиоуыэюя"

// isMissingVowel reports whether a is b without one vowel within it: «ютбе».
func isMissingVowel(a, b []rune) bool {
	if len(b) != len(a)+1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i > 0 && i < len(a) && strings.ContainsRune(vowels, b[i]) && string(a[i:]) == string(b[i+1:])
}
