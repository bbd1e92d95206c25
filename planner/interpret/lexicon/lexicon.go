// Package lexicon cuts a text into tokens and finds the phrases in it that the
// interpreter knows: those of the language files (lang/*.toml) and the names of
// the catalogue. One automaton over words holds all of them.
//
// Spelling is corrected only where a closed set of words can stand: verbs, sites
// and apps.
package lexicon

import (
	"slices"
	"strings"
)

// lexicon finds phrases in a row of tokens. It is an automaton over words that may
// be in several states at once. It is immutable; a [builder] makes it.
type lexicon struct {
	entries   []Entry  // the earlier one wins between equals
	canonical []int32  // by entry: the first one of its kind and value
	names     []string // the words by their number, from 1; 0 is a word that no phrase has
	sorted    []int32  // the numbers by their words
	states    []state
	edges     []edge  // those out of start by their word, then the others by the state that they leave
	first     []int32 // by word: where its edges out of start begin
	typos     []int32 // the words that can be corrected, by their first letter
}

// Entry is a kind of phrase with a value, in one language or in all (AnyLang).
type Entry struct {
	Kind  Kind
	Lang  uint8
	Value string
}

// AnyLang is the language of names of the catalogue.
const AnyLang = 0xff

// state is a point inside or at the end of phrases. Its edges end where those of the
// next state begin.
type state struct {
	edges  int32
	accept int32 // the entry whose phrase ends here, or none
}

type edge struct{ word, to int32 }

const (
	start = 0 // the state before every phrase
	none  = -1
)

// Match is an entry found at a token, with its length in tokens.
type Match struct {
	Entry
	Len   int
	langs uint32 // a bit for each language that has the phrase; 0: all
}

// SharesLanguage reports whether there is a language that has both phrases.
func (m Match) SharesLanguage(other Match) bool {
	return m.langs == 0 || other.langs == 0 || m.langs&other.langs != 0
}

// IsIn reports whether a language, by its place in the packs, has the phrase.
func (m Match) IsIn(language int) bool { return m.langs == 0 || m.langs&(1<<(language%32)) != 0 }

// Find lists every phrase that starts at each token, shorter ones first.
func (l *lexicon) Find(toks []Token) [][]Match {
	words := make([]int32, len(toks))
	for i := range toks {
		words[i] = l.word(toks[i].Fold)
	}
	out := make([][]Match, len(toks))
	store := make([]Match, 0, 4*len(toks))
	var buffer [3][32]int32
	at, next, found := buffer[0][:0], buffer[1][:0], buffer[2][:0]
	for i := range words {
		from := len(store)
		at, found = at[:0], found[:0]
		for _, e := range l.startEdges(words[i]) {
			at, found = l.enter(e.to, at, found)
		}
		store = l.matches(store, found, 1)
		for j := i + 1; j < len(words) && len(at) > 0 && words[j] != 0; j++ {
			next, found = next[:0], found[:0]
			for _, s := range at {
				for _, e := range l.edges[l.states[s].edges:l.states[s+1].edges] {
					if e.word == words[j] {
						next, found = l.enter(e.to, next, found)
					}
				}
			}
			store = l.matches(store, found, j-i+1)
			at, next = next, at
		}
		out[i] = store[from:len(store):len(store)]
	}
	return out
}

// word is the number of a word, or 0.
func (l *lexicon) word(w string) int32 {
	i, ok := slices.BinarySearchFunc(l.sorted, w, func(n int32, w string) int { return strings.Compare(l.names[n], w) })
	if !ok {
		return 0
	}
	return l.sorted[i]
}

// enter adds a state to the current ones, unless no edge leaves it, and its entry to
// those found, in order.
func (l *lexicon) enter(to int32, at, found []int32) (states, entries []int32) {
	s := l.states[to]
	if s.edges < l.states[to+1].edges && !slices.Contains(at, to) {
		at = append(at, to)
	}
	if s.accept != none {
		if i, ok := slices.BinarySearch(found, s.accept); !ok {
			found = slices.Insert(found, i, s.accept)
		}
	}
	return at, found
}

// matches appends the found entries. Of entries that differ only in language it
// takes the first.
func (l *lexicon) matches(store []Match, found []int32, n int) []Match {
	from := len(store)
	for i, e := range found {
		entry := l.entries[e]
		var lang uint32
		if entry.Lang != AnyLang {
			lang = 1 << (entry.Lang % 32)
		}
		if !slices.ContainsFunc(found[:i], func(f int32) bool { return l.canonical[f] == l.canonical[e] }) {
			store = append(store, Match{entry, n, lang})
			continue
		}
		for j := from; j < len(store); j++ {
			if m := &store[j]; m.Kind == entry.Kind && m.Value == entry.Value {
				m.langs |= lang
			}
		}
	}
	return store
}

// startEdges lists the edges out of start for a word.
func (l *lexicon) startEdges(word int32) []edge { return l.edges[l.first[word]:l.first[word+1]] }

// wholePhrases adds the entries that have a word as a whole phrase.
func (l *lexicon) wholePhrases(word int32, found []int32) []int32 {
	for _, e := range l.startEdges(word) {
		_, found = l.enter(e.to, nil, found)
	}
	return found
}

// Single finds a phrase of one word.
func (l *lexicon) Single(w string, k Kind) (Match, bool) {
	for _, m := range l.matches(nil, l.wholePhrases(l.word(w), nil), 1) {
		if m.Kind == k {
			return m, true
		}
	}
	return Match{}, false
}

// Name is the key of the entry's kind in a language file, with the value.
func (e Entry) Name() string {
	name := valueNames[e.Kind]
	for n, k := range kindNames() {
		if k == e.Kind {
			name = n
		}
	}
	if e.Value != "" {
		return name + ":" + e.Value
	}
	return name
}

var valueNames = map[Kind]string{
	OwnSite: "own_site", Place: "place", Extension: "extension", Spoken: "spoken", Suffix: "suffix", Letter: "letter",
	FileAction: "file_action", FileKind: "file_kind", OneFileKind: "one_file_kind", FolderName: "folder_name", OwnFolder: "own_folder", OtherGoal: "other_goal", SmallTalk: "small_talk", FollowUp: "follow_up", Control: "control", ControlOpen: "control", ControlClose: "control", Reworded: "reworded", RewordedStart: "reworded", RewordedOpen: "reworded", RewordedClose: "reworded", ActGerund: "act_gerund", SystemKey: "system", SystemExtra: "system_extra", Site: "site", App: "app",
}
