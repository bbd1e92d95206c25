package suggest

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"errand/build/must"
	"errand/build/tier"
	"errand/planner/catalogue"
	"errand/planner/interpret"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/refusal"
	"errand/planner/plan"
)

func TestComplete(t *testing.T) {
	tests := []struct {
		prefix, lang string
		want         string // the first ones
	}{
		{"", "en", "open youtube | open google chrome | search cats on youtube"},
		{"", "ru", "открой ютуб | открой хром | найди смешные видео на ютубе"},
		{"", "xx", "open youtube"},
		{"o", "ru", "open youtube"},
		{"open y", "", "open youtube | open yandex browser | open youtube and search cats"},
		{"Open YouT", "", "Open YouTube"},
		{"  open   spot", "", "open   spotify"},
		{"search cats", "", "search cats on youtube | search cats | search cats on google"},
		{"search cats on y", "", "search cats on youtube | search cats on yahoo"},
		{"search cats on hacker n", "", "search cats on hacker news | search cats on hacker n"},
		{"search m", "", "search mastodon for cats"},
		{"watch cats ", "", "watch cats on youtube | watch cats on spotify"},
		{"open youtube and se", "", "open youtube and search cats"},
		{"open github and op", "", "open github and open youtube"},
		{"could you please open hab", "", "could you please open habr"},
		{"fire up spo", "", "fire up spotify"}, // no form has the verb
		{"create folder Ann", "", "create folder Ann in documents | create folder Ann"},
		{"wh", "", "what time is it"},
		{"de", "", "delete file notes.txt in documents"},

		{"открой ют", "", "открой ютуб | открой ютуб и найди смешные видео | открой ютуб музыку"},
		{"найди котов на ют", "", "найди котов на ютубе | найди котов на ютуб музыке"},
		{"зайди на гос", "", "зайди на госуслуги"},
		{"заскочи на ют", "", "заскочи на ютуб"}, // where to, not where
		{"пожалуйста открой гугл ка", "", "пожалуйста открой гугл календарь"},
		{"сколько", "", "сколько осталось заряда"},

		{"search wikipedia for a", "", "search wikipedia for a"},
		{"search youtube for cats on ", "", ""}, // where is said already
		{"найди в википедии алана на ", "", ""},
		{"search https://ann:secret@example.com o", "", ""},
		{"search ann:secret@example.com o", "", ""},

		{"don't open y", "", ""},
		{"rename ", "", ""},
		{"how tall is e", "", ""},
		{"qwertz", "", ""},
		{"open \xff", "", ""},
		{strings.Repeat("open ", 800), "", ""},
		{"search " + strings.Repeat("cats ", 30) + "on y", "", "search " + strings.Repeat("cats ", 30) + "on youtube"},
	}
	in := New(newInterpreterFor(t))
	for _, tt := range tests {
		got := strings.Join(in.Complete(tt.prefix, tt.lang, 8), " | ")
		if !strings.HasPrefix(got+" | ", tt.want+" | ") && (tt.want != "" || got != "") {
			t.Errorf("Complete(%.40q, %q):\n got %s\nwant %s", tt.prefix, tt.lang, got, tt.want)
		}
	}
}

func TestNearest(t *testing.T) {
	tests := []struct{ text, want string }{
		{"share folder photos with ann", ""},
		{"please play some jazz!", ""}, // a question asks for the site
		{"play it again sam!", "play it again sam on youtube | play it again sam on spotify | play it again sam on soundcloud"},
		{"how tall is everest", "search how tall is everest"},
		{"send a message to bob on telegram", "open telegram"},
		{"переименуй файл а в б", ""},
		{"включи джаз", ""},
		{"какая высота эвереста?", "найди какая высота эвереста"},
		{"напиши маме в телеграм", "открой телеграм"},

		{"first aid for burns", "search first aid for burns"},
		{"computer science degree", "search computer science degree"},
		{"сначала было слово", ""}, // a search would lose the first word
		{"hey, how tall is everest", "search how tall is everest"},
		{"скачай the lord of the rings", ""},
		{"сравни file report.docx и final.docx", ""},
		{"summarize песня", "search summarize песня"},
		{"summarize https://ann:secret@example.com/x", ""},
		{"отправь https://ann:secret@example.com/x маме", ""},
		{"summarize ann@example.com", "search summarize ann@example.com"},
		{"read my mail", ""},
		{"take a screenshot of notepad", "open notepad"},
		{"скачай вк", "открой вк"},

		{"call mom", ""}, // no search does what the text asks for
		{"what's on my screen", ""},
		{"print report.pdf", ""},
		{"copy that", ""},
		{"Play something on Zvooq", ""}, // another site is named
		{"play a.mp4", ""},
		{"can i use any fuel in my car", ""},
		{"clear history", ""},
		{"can i use butter instead of oil", `search "can i use butter instead of oil"`},
		{"install vlc", ""}, // it is not to be opened
		{"format my hard drive", ""},
		{"поставь будильник на 6 утра", ""},
		{"где лежит мой диплом", ""}, // DeepL is called so, too
		{"which files in downloads are bigger than 1 gb", ""},
		{"do i need a visa for japan", "search do i need a visa for japan"}, // no word is cut off
		{"hey, tell me about quantum computing please", "search quantum computing"},
		{"покажи фотки корги", "найди фотки корги"},
		{"мне бы билеты на поезд", "найди билеты на поезд"},
		{"make a spreadsheet file budget", "create file budget"},
		{"put todo.txt into the folder Work", ""}, // it exists

		{"don't play jazz", ""},
		{"close spotify", ""}, // wants the contrary
		{"закрой телеграм", ""},
		{"rename a, no wait, cancel that", ""},
		{"open javascript:alert(1)", ""},
		{"rm -rf /", ""},
		{"delete everything", ""}, // asks
		{"open youtube", ""},      // is understood
		{"every monday at 9 open github", ""},
		{"каждый день открывай хабр", ""},
		{"in 5 minutes open youtube", ""},
		{"12 * 7", ""},
		{"", ""},
		{"\xff", ""},
		{"how tall is " + strings.Repeat("e", 300), ""},
	}
	in := New(newInterpreterFor(t))
	for _, tt := range tests {
		if got := strings.Join(in.Nearest(tt.text, 5), " | "); got != tt.want {
			t.Errorf("Nearest(%.40q):\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// TestOffersAreUnderstood takes texts of the test data, cut off after each word
// and within it: what is offered goes on from what is typed, is
// understood, and is the same when asked again; what is near to a text deletes
// nothing and is offered to none that is understood, asks or forbids.
func TestOffersAreUnderstood(t *testing.T) {
	// All beginnings take a minute, all texts 5 seconds.
	everyBeginning, everyText := tier.Size(800, 50), tier.Size(24, 1)
	in, again := New(newInterpreterFor(t)), New(newInterpreterFor(t))
	texts := suggestTexts(t)
	seen, offered, near := map[string]bool{}, 0, 0
	for n, text := range texts {
		for _, cut := range cuts(text) {
			if prefix := text[:cut]; !seen[prefix] && n%everyBeginning == 0 {
				seen[prefix] = true
				offered += checkCompletions(t, in, again, prefix)
			}
		}
		if n%everyText == 0 {
			near += checkNearest(t, in, again, text)
		}
	}
	t.Logf("%d goals offered for %d beginnings, %d near to %d texts", offered, len(seen), near, len(texts))
	if offered < len(seen)/4 || near < 100/everyText {
		t.Errorf("too few to say anything")
	}
}

// cuts are the places, in bytes, after the second letter of each word of a text
// and after each space, up to the fifth.
func cuts(text string) []int {
	var out []int
	letters := 0
	for i, r := range text {
		switch {
		case unicode.IsSpace(r):
			letters = 0
			out = append(out, i+utf8.RuneLen(r))
		case letters == 1:
			letters = 2
			out = append(out, i+utf8.RuneLen(r))
		default:
			letters++
		}
		if len(out) == 10 {
			break
		}
	}
	return out
}

func checkCompletions(t *testing.T, in, again *Suggester, prefix string) int {
	t.Helper()
	got := in.Complete(prefix, "en", 5)
	if len(got) > 5 {
		t.Errorf("Complete(%q): %d goals, want 5 at most", prefix, len(got))
	}
	for n, goal := range got {
		if !strings.HasPrefix(goal, strings.TrimLeftFunc(prefix, unicode.IsSpace)) {
			t.Errorf("Complete(%q): %q does not begin so", prefix, goal)
		}
		if r := again.in.Read(goal); r.Status != interpret.OK {
			t.Errorf("Complete(%q): %q is %s: %s", prefix, goal, r.Status, r.Reason)
		}
		if slices.Contains(got[:n], goal) {
			t.Errorf("Complete(%q): %q twice", prefix, goal)
		}
	}
	if second := again.Complete(prefix, "en", 5); !slices.Equal(got, second) {
		t.Errorf("Complete(%q): %q, and then %q", prefix, got, second)
	}
	return len(got)
}

func checkNearest(t *testing.T, in, again *Suggester, text string) int {
	t.Helper()
	got := in.Nearest(text, 5)
	r := again.in.Read(text)
	if len(got) > 0 && (r.Status != interpret.Unsupported || r.Reason.Code == "reason.forbidden") {
		t.Errorf("Nearest(%q): %q, though it is %s: %s", text, got, r.Status, r.Reason)
	}
	for _, goal := range got {
		checkOffer(t, again, text, goal)
		r := again.in.Read(goal)
		deletes := slices.ContainsFunc(r.Goals.Goals, func(g plan.Goal) bool { return g.Action == "delete" })
		if r.Status != interpret.OK || deletes || len(r.Goals.Goals) != 1 {
			t.Errorf("Nearest(%q): %q is %s with goals %v", text, goal, r.Status, r.Goals.Goals)
		}
	}
	if second := again.Nearest(text, 5); !slices.Equal(got, second) {
		t.Errorf("Nearest(%q): %q, and then %q", text, got, second)
	}
	return len(got)
}

// checkOffer checks that an offered goal neither repeats the text nor cuts words off. A search is
// offered only in place of what a search may answer.
func checkOffer(t *testing.T, in *Suggester, text, goal string) {
	t.Helper()
	if lexicon.Fold(strings.TrimSpace(text)) == lexicon.Fold(goal) {
		t.Errorf("Nearest(%q) repeats it", text)
	}
	goals := in.in.Read(goal).Goals.Goals
	if len(goals) != 1 || goals[0].GoalType != plan.BrowserSearch || goals[0].Platform != "google" {
		return
	}
	refusal, _ := in.in.Refusal(text)
	if !slices.Contains(searchReasons, refusal.Reason) {
		t.Errorf("Nearest(%q) = %q, though it is refused with %s", text, goal, refusal.Reason)
	}
	_, after, found := strings.Cut(text, goals[0].Query)
	p := in.in.Parse(after)
	for i := 0; found && i < len(p.Tokens); i++ {
		m, polite := p.Longest(i, len(p.Tokens), lexicon.Tail, lexicon.Wake)
		if mark := p.Tokens[i].Shape; !polite && mark != lexicon.MarkShape && mark != lexicon.SymbolShape {
			t.Errorf("Nearest(%q) = %q cuts %q off", text, goal, after)
			return
		}
		i += max(m.Len, 1) - 1
	}
	if !found {
		t.Errorf("Nearest(%q) = %q searches for other words", text, goal)
	}
}

// TestRefusedOffers checks the offers for all sentences of refusals.txt: those that ask for an act
// get no search.
func TestRefusedOffers(t *testing.T) {
	in, again := New(newInterpreterFor(t)), New(newInterpreterFor(t))
	searches := 0
	for line := range strings.Lines(string(must.ReadFile(t, "../testdata/refusals.txt"))) {
		text, reason, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		checkNearest(t, in, again, text)
		found := slices.ContainsFunc(in.Nearest(text, 5), func(goal string) bool {
			return strings.HasPrefix(goal, "search ") || strings.HasPrefix(goal, "найди ")
		})
		if found != (reason == refusal.WebQuestion) {
			t.Errorf("Nearest(%q) = %q, refused with %s", text, in.Nearest(text, 5), reason)
		}
		if found {
			searches++
		}
	}
	if searches < 10 {
		t.Errorf("%d searches offered", searches)
	}
}

// TestEveryFormIsUnderstood holds the language files to what they offer: every
// form with every usual name in its slots, and the forms with names of all
// sites and apps by all that they are called, in the case of the slot.
func TestEveryFormIsUnderstood(t *testing.T) {
	in := newInterpreterFor(t)
	for _, l := range New(in).speech().languages {
		o := l.pack.Offers
		if o.Query == "" || o.Name == "" || o.File == "" || o.Search == "" || o.On == "" || len(o.Open) == 0 || o.CreateFile == "" || o.CreateFolder == "" || len(o.Contrary) == 0 {
			t.Errorf("%s: something to offer is missing: %+v", l.pack.Language, o)
		}
		if len(l.first) != len(o.First) || len(l.media) < len(o.Media) {
			t.Errorf("%s: first or media names an entry that the catalogue has not", l.pack.Language)
		}
		for n, said := range o.Goals {
			checkSlots(t, said)
			c := newCompleter(&l, nil)
			c.form = l.goals[n]
			c.emit("", l.goals[n], continuation{})
			if len(c.continuations) == 0 {
				t.Errorf("%s: %q: nothing fits in", l.pack.Language, said)
			}
			for _, s := range c.continuations {
				if r := in.Read(s.rest); r.Status != interpret.OK {
					t.Errorf("%s: %q: %q is %s: %s", l.pack.Language, said, s.rest, r.Status, r.Reason)
				}
			}
		}
	}
}

func checkSlots(t *testing.T, said string) {
	t.Helper()
	for w := range strings.FieldsSeq(said) {
		if !strings.HasPrefix(w, "{") {
			continue
		}
		slot, in, hasCase := strings.Cut(strings.Trim(w, "{}"), ".")
		if !slices.Contains([]string{"site", "media", "app", "query", "name", "file"}, slot) {
			t.Errorf("%q: unknown slot %q", said, slot)
		}
		if _, known := lexicon.Cases[in]; hasCase && !known {
			t.Errorf("%q: unknown case %q", said, in)
		}
	}
}

// TestEveryNameIsUnderstoodInItsCase says every alias of every site as Russian
// and English say it: "зайди на озон", "найди … на озоне".
func TestEveryNameIsUnderstoodInItsCase(t *testing.T) {
	in := newInterpreterFor(t)
	for _, name := range catalogue.Default().Names() {
		for _, alias := range name.Plain {
			for _, tt := range []struct {
				said string
				in   catalogue.Case
				goal plan.GoalType
			}{
				{"открой ", catalogue.Accusative, ""},
				{"зайди на ", catalogue.Accusative, plan.BrowserNavigate},
				{"найди рецепты на ", catalogue.Prepositional, plan.BrowserSearch},
				{"найди рецепты по ", catalogue.Dative, plan.BrowserSearch},
			} {
				if tt.goal != "" && (name.App || !name.Search) {
					continue
				}
				text := tt.said + catalogue.Decline(alias, tt.in)
				r := in.Read(text)
				ok := slices.ContainsFunc(r.Goals.Goals, func(g plan.Goal) bool {
					return (g.Platform == name.ID || g.Target == name.ID) && (tt.goal == "" || g.GoalType == tt.goal || g.GoalType == plan.AppLaunch)
				})
				if r.Status != interpret.OK || !ok {
					t.Errorf("%q is %s: %v %s, want %s", text, r.Status, r.Goals.Goals, r.Reason, name.ID)
				}
			}
		}
	}
}

func BenchmarkComplete(b *testing.B) {
	in := New(newInterpreterFor(b))
	for _, prefix := range []string{"o", "search cats on y", "fire up sp", "how tall is e", "открой ют"} {
		in.Complete(prefix, "", 10)
		b.Run(prefix, func(b *testing.B) {
			for b.Loop() {
				in.Complete(prefix, "", 10)
			}
		})
	}
}

func BenchmarkNearest(b *testing.B) {
	in := New(newInterpreterFor(b))
	in.Nearest("rename file a to b", 5)
	for b.Loop() {
		in.Nearest("rename file a to b", 5)
	}
}

// FuzzOffers: the laws of TestOffersAreUnderstood hold for any text at all.
func FuzzOffers(f *testing.F) {
	for _, text := range []string{
		"", "o", "open youtube and se", "rename file a to b", "play some jazz", "найди котов на ют", "«открой» ю", "open \"a b", "ß ﬁ İ ʼ",
		"search cats on  y", "don't o", "\xff", "open\u00a0y", "ОТКРОЙ ЁТУБ",
	} {
		f.Add(text)
	}
	in := New(newInterpreterFor(f))
	f.Fuzz(func(t *testing.T, text string) {
		checkCompletions(t, in, in, text)
		checkNearest(t, in, in, text)
	})
}

// suggestTexts are the texts of the interpreter's test data.
func suggestTexts(t *testing.T) []string {
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

func newInterpreterFor(tb testing.TB) *interpret.Interpreter {
	tb.Helper()
	in, err := interpret.New(catalogue.Default(), interpret.Options{})
	must.Succeed(tb, err)
	return in
}
