package named_test

import (
	"fmt"
	"strings"
	"testing"

	"errand/build/must"
	"errand/planner/catalogue"
	"errand/planner/interpret"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/named"
	"errand/planner/phrase"
)

// declare makes a phrase. kinds are those of its slots; a slot without one is a text.
func declare(tb testing.TB, plugin, text string, kinds map[string]phrase.Kind) phrase.Phrase {
	tb.Helper()
	pieces, err := phrase.Parse(text)
	must.Succeed(tb, err)
	p := phrase.Phrase{Plugin: plugin, Tool: text, Text: text, Pieces: pieces, Kinds: map[string]phrase.Kind{}}
	for _, slot := range phrase.Slots(pieces) {
		if p.Kinds[slot] = kinds[slot]; p.Kinds[slot] == "" {
			p.Kinds[slot] = phrase.Text
		}
	}
	return p
}

func newReader(tb testing.TB) *interpret.Interpreter {
	tb.Helper()
	reader, err := interpret.New(catalogue.Default(), interpret.Options{})
	must.Succeed(tb, err)
	return reader
}

func TestFindPhrases(t *testing.T) {
	reader := newReader(t)
	phrases := []phrase.Phrase{
		declare(t, "loud", "shout {text}", nil),
		declare(t, "loud", "shout {text} twice", nil),
		declare(t, "loud", "крикни {text}", nil),
		declare(t, "dice", "roll {n} dice", map[string]phrase.Kind{"n": phrase.Integer}),
		declare(t, "lamp", "lamp {on}", map[string]phrase.Kind{"on": phrase.Boolean}),
		declare(t, "heat", "warm by {degrees}", map[string]phrase.Kind{"degrees": phrase.Number}),
		declare(t, "words", "tally {file}", map[string]phrase.Kind{"file": phrase.Path}),
		declare(t, "chat", "whisper {text} to {who}", nil),
		declare(t, "chat", "hum", nil),
		declare(t, "bad", "open {text}", nil),
		declare(t, "bad", "search for {text}", nil),
		declare(t, "bad", "move {text} away", nil),
		declare(t, "bad", "удали {text}", nil),
	}
	for _, tt := range []struct{ text, want string }{
		{"shout hello", `shout {text} {"text":"hello"}`},
		{"Shout Hello World", `shout {text} {"text":"Hello World"}`},
		{"please shout hello", `shout {text} {"text":"hello"}`},
		{"could you shout hello please", `shout {text} {"text":"hello"}`},
		{"shout: hello!", `shout {text} {"text":"hello"}`},
		{`shout "hello, and delete it. Now"`, `shout {text} {"text":"hello, and delete it. Now"}`},
		{"shout salt and pepper", `shout {text} {"text":"salt and pepper"}`},
		{"shout hello twice", `shout {text} twice {"text":"hello"}`}, // the more exact phrase
		{"крикни привет, мир", `крикни {text} {"text":"привет, мир"}`},
		{"пожалуйста, крикни Ёж", `крикни {text} {"text":"Ёж"}`},
		{"roll 3 dice", `roll {n} dice {"n":3}`},
		{"roll three dice", ""},
		{"roll 3.5 dice", ""},
		{"roll 3 big dice", ""},
		{"roll 99999999999999999999 dice", ""},
		{"lamp on", `lamp {on} {"on":true}`},
		{"lamp вкл", `lamp {on} {"on":true}`},
		{"lamp off, please", `lamp {on} {"on":false}`},
		{"lamp maybe", ""},
		{"warm by 1.5", `warm by {degrees} {"degrees":1.5}`},
		{"tally notes.txt", `tally {file} {"file":"notes.txt"}`},
		{`tally "~/my notes.txt"`, `tally {file} {"file":"~/my notes.txt"}`},
		{"tally my notes.txt", ""},
		{"tally https://example.com/a", ""},
		{"whisper good night to Ann", `whisper {text} to {who} {"text":"good night","who":"Ann"}`},
		{"whisper go to bed to Ann", ""}, // two ways to split it
		{`whisper "go to bed" to Ann`, `whisper {text} to {who} {"text":"go to bed","who":"Ann"}`},
		{"whisper to Ann", ""},
		{"whisper hello to", ""},
		{"hum", `hum {}`},
		{"hum please", `hum {}`},
		{"hum a song", ""},
		{"shout", ""},
		{"shouting hello", ""},
		{"loudly shout hello", ""},
		{`"shout" hello`, ""},
		{"don't shout hello", ""},
		{"не крикни привет", ""},
		{"shout hello, never mind", ""},
		{"крикни привет не надо", ""},
		{"shout hello and delete notes.txt", ""},
		{"shout hello and open youtube", ""},
		{"shout hello, open youtube", ""},
		{"shout hello and shout bye", ""},
		{"shout hello then wait", ""},
		{"shout hello. wait a bit", ""},
		{"shout hello\nopen youtube", ""},
		{"крикни привет и открой ютуб", ""},
		{"крикни привет, потом подожди", ""},
		{"shout {{secret:x}}", ""},
		{"open hello", ""},
		{"open youtube", ""},
		{"search for cats", ""},
		{"please search for cats", ""},
		{"move this away", ""},
		{"удали всё", ""},
	} {
		got := ""
		for _, c := range named.FindPhrases(reader.Read(tt.text), reader.Parse(tt.text), phrases) {
			args := must.JSON(t, c.Args)
			got += fmt.Sprintf("%s %s", c.Tool, args)
		}
		if got != tt.want {
			t.Errorf("%s: %q; want %q", tt.text, got, tt.want)
		}
	}
}

// TestPhrasesTakeNoAnswer: a phrase takes no sentence for which Errand has an answer, a hint
// or a refusal of its own, and none if it has no distinctive word.
func TestPhrasesTakeNoAnswer(t *testing.T) {
	reader := newReader(t)
	for _, tt := range []struct {
		phrase, text string
		reads        bool
	}{
		{"undo {text}", "undo the last thing", false},
		{"undo {text}", "undo my last run", false},
		{"undo {text}", "undo knitting", false},
		{"approve {text}", "approve the draft", false},
		{"approve {text}", "approve the last thing", false},
		{"reject {text}", "reject the last draft", false},
		{"confirm {text}", "confirm all of them", false},
		{"revert {text}", "revert the last change", false},
		{"отмени {text}", "отмени последнее действие", false},
		{"одобри {text}", "одобри черновик", false},
		{"верни {text}", "верни то, что ты удалил", false},
		{"how {text}", "how are you", false},
		{"what can {text}", "what can you do", false},
		{"my {text}", "my password is hunter2Xq9", false},
		{"the {text}", "the cat sat on the mat", false},
		{"is {text}", "is that so", false},
		{"i {text}", "i feel strange", false},
		{"it is {text}", "it is raining cats", false},
		{"я {text}", "я хочу спать", false},
		{"мой {text}", "мой котик грустит", false},
		{"как {text}", "как поживает котик", false},
		{"my {text} is", "my cat is", false},
		{"my mood is {text}", "my mood is great", true},
		{"shout {text}", "shout undo the last thing", true},
		{"how loud is {text}", "how loud is bloofle", true},
	} {
		calls := named.FindPhrases(reader.Read(tt.text), reader.Parse(tt.text), []phrase.Phrase{declare(t, "p", tt.phrase, nil)})
		if (len(calls) > 0) != tt.reads {
			t.Errorf("%q: %q is read: %v (%s)", tt.phrase, tt.text, !tt.reads, reader.Read(tt.text).Reason.Code)
		}
	}
}

// TestFindPhrasesOfTwoPlugins: each plugin counts once.
func TestFindPhrasesOfTwoPlugins(t *testing.T) {
	reader := newReader(t)
	phrases := []phrase.Phrase{declare(t, "a", "shout {text}", nil), declare(t, "b", "shout {words}", nil), declare(t, "a", "shout {t} now", nil)}
	const text = "shout hello now"
	got := named.FindPhrases(reader.Read(text), reader.Parse(text), phrases)
	if len(got) != 2 || got[0].Plugin != "a" || got[0].Tool != "shout {t} now" || got[1].Plugin != "b" {
		t.Errorf("%+v", got)
	}
}

// FuzzFindPhrases: a phrase that begins like the text itself never takes what the built-in
// grammar reads or begins, and its slots are cut from the text.
func FuzzFindPhrases(f *testing.F) {
	reader := newReader(f)
	for _, text := range []string{
		"open youtube", "search for cats", "create folder Trip in documents", "delete notes.txt", "what time is it", "shout hello",
		"shout hello and open youtube", "move a.txt to documents", "take a screenshot of github.com", "открой ютуб", "удали папку старое",
		"крикни привет", "youtube cats", "please rename a.txt to b.txt", "read example.com", "github.com", "mute", "set volume to 5",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := reader.Read(text)
		if r.Text != text { // too long, or not UTF-8
			return
		}
		parsed := reader.Parse(text)
		var phrases []phrase.Phrase
		lo, _ := parsed.SkipLead(0, len(parsed.Tokens))
		for n := 1; n <= 3 && lo+n <= len(parsed.Tokens); n++ {
			head := parsed.Cut(lo, lo+n)
			for _, form := range []string{"%s", "%s {a}", "%s {a} and {b}", "%s {a} in {b} now"} {
				form = fmt.Sprintf(form, head)
				if _, err := phrase.Parse(form); err == nil {
					phrases = append(phrases, declare(t, "p", form, nil))
				}
			}
		}
		calls := named.FindPhrases(r, parsed, phrases)
		if len(calls) == 0 {
			return
		}
		_, verb := parsed.Longest(lo, len(parsed.Tokens), lexicon.Verbs...)
		if verb || r.Status == interpret.OK || r.Status == interpret.Ambiguous && r.Questions[0].ID != "bare" {
			t.Errorf("%q is read by the built-in grammar (%s), and by %+v", text, r.Status, calls)
		}
		for name, v := range calls[0].Args {
			if s, _ := v.(string); s == "" || !strings.Contains(lexicon.Tidy(text), s) && !strings.Contains(text, s) {
				t.Errorf("%q: %s is %q", text, name, v)
			}
		}
	})
}

func BenchmarkFindPhrases(b *testing.B) {
	reader := newReader(b)
	phrases := []phrase.Phrase{declare(b, "p", "a {b} c {d} e {f} g", nil)}
	for _, n := range []int{100, 200, 400} {
		text := "a " + strings.Repeat("x c y e ", n) + "g"
		r, parsed := reader.Read(text), reader.Parse(text)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				named.FindPhrases(r, parsed, phrases)
			}
		})
	}
}
