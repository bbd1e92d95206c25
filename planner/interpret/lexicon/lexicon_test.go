package lexicon

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/build/tier"
	"errand/planner/catalogue"
)

func TestTemplates(t *testing.T) {
	tests := []struct {
		name, template string
		want           []string // sorted
		err            string
	}{
		{"word", "open", []string{"open"}, ""},
		{"words", " open  up ", []string{"open up"}, ""},
		{"optional before", "[the] file", []string{"file", "the file"}, ""},
		{"optional after", "open [it]", []string{"open", "open it"}, ""},
		{"optional alone", "[it]", []string{"it"}, ""},
		{"either", "(make|create) it", []string{"create it", "make it"}, ""},
		{"either or none", "(a |b |)c", []string{"a c", "b c", "c"}, ""},
		{"nested", "a [b [c]] d", []string{"a b c d", "a b d", "a d"}, ""},
		{"optionals in a row", "[a] [b] c", []string{"a b c", "a c", "b c", "c"}, ""},
		{"brackets in a row", "(a|b)[c]", []string{"a", "ac", "b", "bc"}, ""},
		{"within a word", "when(|ever)", []string{"when", "whenever"}, ""},
		{"the middle of a word", "un[der]do it", []string{"underdo it", "undo it"}, ""},
		{"top level", "a|b c", []string{"a", "b c"}, ""},
		{"one phrase twice", "(a|a) [b] (b|c)", []string{"a b", "a b b", "a b c", "a c"}, ""},
		{"many phrases", strings.Repeat("(a|b) ", 12) + "c", nil, ""},
		{"not closed", "(a", nil, `missing ")"`},
		{"not opened", "a)", nil, `unmatched ")"`},
		{"too many forms of a word", strings.Repeat("(a|b)", 20), nil, "more than 4096 forms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuilder()
			err := b.expandTemplate(tt.template, b.entry(Open, 0, ""))
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Fatalf("weave(%q): %v, want %q", tt.template, err, tt.err)
			}
			if err != nil {
				return
			}
			if tt.want == nil {
				tt.want = slices.Compact(slices.Sorted(slices.Values(expand(t, tt.template))))
			}
			if diff := cmp.Diff(tt.want, b.lexicon().phrases()); diff != "" {
				t.Errorf("phrases of %q (-want +got):\n%s", tt.template, diff)
			}
		})
	}
}

// packs reads the language files.
func packs(t testing.TB) []Pack {
	all, err := Packs()
	must.Succeed(t, err)
	return all
}

// TestWovenLikeListed holds the automaton against a lexicon that lists every
// phrase of every template and alias: both find the same in every phrase, in
// phrases that follow one another, and in the texts of the corpora.
func TestWovenLikeListed(t *testing.T) {
	cat := catalogue.Default()
	v, err := Default(cat)
	must.Succeed(t, err)
	want := listedVocabulary(t, cat, packs(t))
	all := want.phrases()
	if woven := v.phrases(); !slices.Equal(all, woven) {
		t.Errorf("phrases (-listed +woven):\n%s", cmp.Diff(all, woven))
	}
	var texts []string
	for i, n := 0, len(all); i < n; i += tier.Size(100, 1) {
		texts = append(texts, all[i], all[i]+" "+all[(i*7919)%n])
	}
	texts = append(texts, corpusTexts(t)...)
	for _, text := range texts {
		toks := Tokenize(text)
		listed, woven := want.find(toks), v.Find(toks)
		if !slices.EqualFunc(listed, woven, slices.Equal) {
			diff := cmp.Diff(listed, woven, cmp.AllowUnexported(Match{}, Entry{}))
			t.Fatalf("find in %q (-listed +woven):\n%s", text, diff)
		}
	}
	t.Logf("%d phrases of %d words in %d states and %d edges; %d texts", len(all), len(v.names), len(v.states), len(v.edges), len(texts))
}

// TestTyposLikeListed does the same with the words that can be corrected.
func TestTyposLikeListed(t *testing.T) {
	cat := catalogue.Default()
	v, err := Default(cat)
	must.Succeed(t, err)
	got := map[string][]Entry{}
	for _, listed := range v.typos {
		first := v.letter(listed)
		if !slices.Contains(v.startingWith(first), listed) {
			t.Errorf("%s does not start with %c", v.names[listed], first)
		}
		word := v.names[listed]
		for _, m := range v.matches(nil, v.wholePhrases(listed, nil), 1) {
			if HasKind(correctable, m.Kind) {
				got[word] = append(got[word], m.Entry)
			}
		}
	}
	want := map[string][]Entry{}
	for word, n := range listedVocabulary(t, cat, packs(t)).root.next {
		for _, e := range n.entries {
			if HasKind(correctable, e.Kind) && len([]rune(word)) >= 4 {
				want[word] = append(want[word], e.Entry)
			}
		}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Entry{})); diff != "" {
		t.Errorf("typos (-listed +woven):\n%s", diff)
	}
}

// phrases lists what the automaton accepts, sorted.
func (l *lexicon) phrases() []string {
	out := map[string]bool{}
	var walk func(edges []edge, said string)
	walk = func(edges []edge, said string) {
		for _, e := range edges {
			phrase := strings.TrimPrefix(said+" "+l.names[e.word], " ")
			if l.states[e.to].accept != none {
				out[phrase] = true
			}
			walk(l.edges[l.states[e.to].edges:l.states[e.to+1].edges], phrase)
		}
	}
	walk(l.edges[:l.first[len(l.first)-1]], "")
	return slices.Sorted(maps.Keys(out))
}

// listed is the plain way to find phrases: a trie of all of them.
type listed struct{ root listedNode }

type listedNode struct {
	next    map[string]*listedNode
	entries []Match
}

func listedVocabulary(t *testing.T, c *catalogue.Catalogue, all []Pack) *listed {
	l := &listed{}
	for _, s := range c.Sites() {
		for _, a := range s.Aliases {
			l.addAlias(a, Entry{Site, AnyLang, s.ID})
		}
	}
	for _, a := range c.Apps() {
		for _, alias := range a.Aliases {
			l.addAlias(alias, Entry{App, AnyLang, a.ID})
		}
	}
	for n, p := range all {
		add := func(e Entry, templates []string) {
			for _, template := range templates {
				for _, phrase := range expand(t, Fold(template)) {
					l.add(strings.Fields(phrase), e)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(p.Phrases)) {
			add(Entry{kindNames()[name], uint8(n), ""}, p.Phrases[name])
		}
		for i, values := range []map[string][]string{p.PageActions, p.PageControls, p.Ordinals, p.Repeats, p.Keys, p.FileActions, p.FileKinds, p.OneFileKinds, p.FileFilters, p.Units, p.FolderNames, p.OwnFolders, p.OwnSites, p.Counts, p.Places, p.Extensions, p.Spoken, p.Suffixes, p.Letters, p.Money, p.TravelModes, p.OtherGoals, p.SmallTalk, p.FollowUps, p.SettingNouns, p.SettingMatter, p.Languages, p.ActGerunds} {
			k := []Kind{PageAction, PageControl, Ordinal, Repeat, KeyName, FileAction, FileKind, OneFileKind, FileFilter, Unit, FolderName, OwnFolder, OwnSite, Count, Place, Extension, Spoken, Suffix, Letter, Money, TravelMode, OtherGoal, SmallTalk, FollowUp, SettingNoun, SettingMatter, Language, ActGerund}[i]
			for _, value := range slices.Sorted(maps.Keys(values)) {
				add(Entry{k, uint8(n), value}, values[value])
			}
		}
		for _, key := range slices.Sorted(maps.Keys(p.Controls)) {
			whole, before, after := splitControls(p.Controls[key])
			add(Entry{Control, uint8(n), key}, whole)
			add(Entry{ControlOpen, uint8(n), key}, before)
			add(Entry{ControlClose, uint8(n), key}, after)
		}
		for _, key := range slices.Sorted(maps.Keys(p.Reworded)) {
			for i, templates := range splitReworded(p.Reworded[key]) {
				add(Entry{Reworded + Kind(i), uint8(n), key}, templates)
			}
		}
		for _, topic := range slices.Sorted(maps.Keys(p.Topics)) {
			words := p.Topics[topic]
			for i, templates := range [][]string{words.Nouns, words.Of, words.Verbs, words.Open, words.Close} {
				add(Entry{[]Kind{TopicNoun, TopicOf, TopicVerb, TopicOpen, TopicClose}[i], uint8(n), topic}, templates)
			}
		}
		for _, target := range slices.Sorted(maps.Keys(p.System)) {
			add(Entry{SystemKey, uint8(n), target}, p.System[target].Keys)
			add(Entry{SystemExtra, uint8(n), target}, p.System[target].Extra)
		}
	}
	return l
}

func (l *listed) addAlias(alias string, e Entry) {
	var words []string
	for _, t := range Tokenize(alias) {
		words = append(words, foldToken(alias, t))
	}
	l.add(words, e)
	for _, word := range joinSpellings(alias) {
		l.add([]string{word}, e)
	}
}

func (l *listed) add(words []string, e Entry) {
	if len(words) == 0 {
		return
	}
	n := &l.root
	for _, w := range words {
		if n.next == nil {
			n.next = map[string]*listedNode{}
		}
		if n.next[w] == nil {
			n.next[w] = &listedNode{}
		}
		n = n.next[w]
	}
	var lang uint32
	if e.Lang != AnyLang {
		lang = 1 << e.Lang
	}
	if i := slices.IndexFunc(n.entries, func(old Match) bool { return old.Kind == e.Kind && old.Value == e.Value }); i >= 0 {
		n.entries[i].langs |= lang
		return
	}
	n.entries = append(n.entries, Match{Entry: e, langs: lang})
}

func (l *listed) find(toks []Token) [][]Match {
	out := make([][]Match, len(toks))
	for i := range toks {
		out[i] = []Match{}
		n := &l.root
		for j := i; j < len(toks); j++ {
			if n = n.next[toks[j].Fold]; n == nil {
				break
			}
			for _, e := range n.entries {
				out[i] = append(out[i], Match{e.Entry, j - i + 1, e.langs})
			}
		}
	}
	return out
}

func (l *listed) phrases() []string {
	var out []string
	var walk func(n *listedNode, said string)
	walk = func(n *listedNode, said string) {
		if len(n.entries) > 0 {
			out = append(out, said)
		}
		for w, next := range n.next {
			walk(next, strings.TrimPrefix(said+" "+w, " "))
		}
	}
	walk(&l.root, "")
	slices.Sort(out)
	return out
}

// expand lists the phrases of a template that is well formed.
func expand(t *testing.T, template string) []string {
	t.Helper()
	out, rest := expandChoice(template)
	if rest != "" {
		t.Fatalf("template %q: %q is left", template, rest)
	}
	for i := range out {
		out[i] = strings.Join(strings.Fields(out[i]), " ")
	}
	return out
}

func expandChoice(s string) (out []string, rest string) {
	for {
		var some []string
		some, s = expandSequence(s)
		out = append(out, some...)
		if !strings.HasPrefix(s, "|") {
			return out, s
		}
		s = s[1:]
	}
}

func expandSequence(s string) (out []string, rest string) {
	out = []string{""}
	for s != "" && !strings.ContainsAny(s[:1], "|)]") {
		var options []string
		if open := s[0]; open == '(' || open == '[' {
			options, s = expandChoice(s[1:])
			if s = s[1:]; open == '[' {
				options = append([]string{""}, options...)
			}
		} else {
			n := strings.IndexAny(s+"|", "|()[]")
			options, s = []string{s[:n]}, s[n:]
		}
		var next []string
		for _, head := range out {
			for _, o := range options {
				next = append(next, head+o)
			}
		}
		out = next
	}
	return out, s
}

// corpusTexts are the texts of the interpreter's test data.
func corpusTexts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	var out []string
	for _, file := range files {
		for line := range strings.Lines(string(must.ReadFile(t, file))) {
			var u struct{ Text string }
			if text, _, short := strings.Cut(line, " => "); short && !strings.HasPrefix(line, "#") {
				out = append(out, text)
			} else if json.Unmarshal([]byte(line), &u) == nil {
				out = append(out, u.Text)
			}
		}
	}
	return out
}
