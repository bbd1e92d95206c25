package interpret

import "strings"

// lexicon finds phrases in a row of tokens: a trie whose edges are folded
// words. It is immutable once built.
type lexicon struct {
	root  node
	plain map[string]bool
	fuzzy typos
}

type node struct {
	next    map[string]*node
	entries []entry
}

type entry struct {
	kind  kind
	lang  uint8
	value string
}

// match is an entry found at a token, n tokens long.
type match struct {
	entry
	n int
}

func newLexicon() *lexicon { return &lexicon{plain: map[string]bool{}} }

func (l *lexicon) add(words []string, e entry) {
	if len(words) == 0 {
		return
	}
	n := &l.root
	for _, w := range words {
		if n.next == nil {
			n.next = map[string]*node{}
		}
		child := n.next[w]
		if child == nil {
			child = &node{}
			n.next[w] = child
		}
		n = child
	}
	for _, old := range n.entries {
		if old.kind == e.kind && old.value == e.value {
			return
		}
	}
	n.entries = append(n.entries, e)
	if len(words) == 1 {
		l.fuzzy.add(words[0], e)
	}
}

// addAlias adds a catalogue alias under the words that a text would be cut
// into.
func (l *lexicon) addAlias(alias string, k kind, id string) {
	var words []string
	for _, t := range tokenize(alias) {
		words = append(words, foldedToken(alias, t))
	}
	l.add(words, entry{k, anyLang, id})
}

const anyLang = 0xff

func foldedToken(text string, t token) string {
	if t.shape == mark || t.shape == quoted {
		return fold(text[t.start:t.end])
	}
	if t.fold == "\x00" {
		return strings.ToLower(t.value)
	}
	return t.fold
}

// single finds a phrase of one word.
func (l *lexicon) single(w string, k kind) (match, bool) {
	if n := l.root.next[w]; n != nil {
		for _, e := range n.entries {
			if e.kind == k {
				return match{e, 1}, true
			}
		}
	}
	return match{}, false
}

// find lists every phrase that starts at each token.
func (l *lexicon) find(toks []token) [][]match {
	out := make([][]match, len(toks))
	store := make([]match, 0, 4*len(toks))
	for i := range toks {
		from := len(store)
		n := &l.root
		for j := i; j < len(toks); j++ {
			if n = n.next[toks[j].fold]; n == nil {
				break
			}
			for _, e := range n.entries {
				store = append(store, match{e, j - i + 1})
			}
		}
		out[i] = store[from:len(store):len(store)]
	}
	return out
}
