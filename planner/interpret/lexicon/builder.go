package lexicon

import (
	"maps"
	"slices"
	"strings"
)

// builder makes a [lexicon].
type builder struct {
	entries   []Entry
	canonical []int32
	firsts    map[Entry]int32 // kind and value → the first entry with them
	words     map[string]int32
	names     []string // by word
	accepts   []int32  // by state
	ends      []int32  // by entry: the state in which its phrases end
	edges     []builderEdge
	spare     [][]phrasePath // buffers for the next template
}

// builderEdge is an edge with the state that it leaves.
type builderEdge struct {
	from int32
	edge
}

func newBuilder() *builder {
	return &builder{ // the built-in words just fit into these sizes
		firsts: map[Entry]int32{},
		words:  make(map[string]int32, 6000), names: make([]string, 1, 6000), // word 0
		accepts: append(make([]int32, 0, 4000), none), // start
		edges:   make([]builderEdge, 0, 15000),
	}
}

// entry adds an entry and returns its number. Of equal entries the first wins.
func (b *builder) entry(k Kind, lang uint8, value string) int32 {
	n := int32(len(b.entries))
	b.entries = append(b.entries, Entry{k, lang, value})
	key := Entry{Kind: k, Value: value}
	if _, known := b.firsts[key]; !known {
		b.firsts[key] = n
	}
	b.canonical = append(b.canonical, b.firsts[key])
	b.ends = append(b.ends, b.state(n))
	return n
}

func (b *builder) state(accept int32) int32 {
	b.accepts = append(b.accepts, accept)
	return int32(len(b.accepts)) - 1
}

func (b *builder) edge(from int32, word string, to int32) {
	id, known := b.words[word]
	if !known {
		id = int32(len(b.names))
		b.words[word] = id
		b.names = append(b.names, word)
	}
	b.edges = append(b.edges, builderEdge{from, edge{id, to}})
}

// end makes a strand the end of a phrase of entry e. It ignores an empty strand.
func (b *builder) end(s phrasePath, e int32) {
	switch {
	case s.word != "":
		b.edge(s.state, s.word, b.ends[e])
	case s.state != start:
		b.accepts[s.state] = e
	}
}

func (b *builder) aliases(all []string, e int32) {
	for _, a := range all {
		b.alias(a, e)
		for _, word := range joinSpellings(a) {
			b.end(phrasePath{start, word}, e)
		}
	}
}

// joinSpellings lists how a name of several words is written as one: «гугл-карты»
// and, in Russian, «яндекс.карты».
func joinSpellings(alias string) []string {
	if !isSimple(alias) || !strings.Contains(alias, " ") {
		return nil
	}
	out := []string{strings.ReplaceAll(alias, " ", "-")}
	if !IsASCII(alias) {
		out = append(out, strings.ReplaceAll(alias, " ", "."))
	}
	return out
}

// alias adds an alias of the catalogue for entry e, cut into the same words as a
// text.
func (b *builder) alias(alias string, e int32) {
	var at phrasePath
	next := func(word string) {
		if at.word != "" {
			to := b.state(none)
			b.edge(at.state, at.word, to)
			at.state = to
		}
		at.word = word
	}
	if isSimple(alias) {
		for word := range strings.SplitSeq(alias, " ") {
			next(word)
		}
	} else {
		for _, t := range Tokenize(alias) {
			next(foldToken(alias, t))
		}
	}
	b.end(at, e)
}

// isSimple reports whether an alias is folded words with single spaces between them.
// Most are, and need no tokenizing.
func isSimple(alias string) bool {
	gap := true
	for _, r := range alias {
		switch {
		case 'a' <= r && r <= 'z', 'а' <= r && r <= 'я', '0' <= r && r <= '9':
			gap = false
		case r == ' ' && !gap:
			gap = true
		default:
			return false
		}
	}
	return !gap
}

func foldToken(text string, t Token) string {
	if t.Shape == MarkShape || t.Shape == QuotedShape {
		return Fold(text[t.Start:t.End])
	}
	if t.Fold == "\x00" {
		return strings.ToLower(t.Value)
	}
	return t.Fold
}

// lexicon sorts the edges: those out of start by word, the others by the state that
// they leave.
func (b *builder) lexicon() *lexicon {
	l := &lexicon{
		entries: b.entries, canonical: b.canonical, names: b.names, sorted: slices.SortedFunc(maps.Values(b.words), func(x, y int32) int { return strings.Compare(b.names[x], b.names[y]) }),
		states: make([]state, len(b.accepts)+1), first: make([]int32, len(b.names)+1),
		edges: make([]edge, len(b.edges)),
	}
	// A counting sort. Each place first has the number of its edges, then their end. The
	// edges are placed from the last to the first, which moves each place to its
	// beginning.
	place := func(e builderEdge) *int32 {
		if e.from == start {
			return &l.first[e.word]
		}
		return &l.states[e.from].edges
	}
	for _, e := range b.edges {
		*place(e)++
	}
	var sum int32
	for i := range l.first {
		sum += l.first[i]
		l.first[i] = sum
	}
	for i := range l.states {
		sum += l.states[i].edges
		l.states[i].edges = sum
	}
	for _, e := range slices.Backward(b.edges) {
		p := place(e)
		*p--
		l.edges[*p] = e.edge
	}
	for i, e := range b.accepts {
		l.states[i].accept = e
	}
	l.typos = l.listCorrectable()
	return l
}
