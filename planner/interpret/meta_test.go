package interpret

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/tier"
	"errand/planner"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// acting are utterances that lead to goals, a sample of them or all: the stock of
// the metamorphic tests, which change the words and know how the goals may change.
func acting(tb testing.TB, in *Interpreter) []string {
	tb.Helper()
	var out []string
	every := tier.Size(3, 1)
	for _, u := range utterances(tb, "testdata/utterances.jsonl") {
		if in.Read(u.Text).Status == OK {
			out = append(out, u.Text)
		}
	}
	for _, name := range corpora {
		for _, u := range shortUtterances(tb, "testdata/"+name+".txt") {
			if strings.Contains(u.want, ":") {
				out = append(out, u.text)
			}
		}
	}
	var sample []string
	for i := 0; i < len(out); i += every {
		sample = append(sample, out[i])
	}
	return sample
}

func same(t *testing.T, in *Interpreter, text, changed string, fold bool) {
	t.Helper()
	before, after := in.Read(text), in.Read(changed)
	want, got := finish(in, before), finish(in, after)
	if fold {
		for _, g := range [][]plan.Goal{want, got} {
			for i := range g {
				for _, s := range []*string{&g[i].Query, &g[i].Target, &g[i].SaveTo, &g[i].Destination, &g[i].Value} {
					*s = strings.ToLower(*s)
				}
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || before.Status != after.Status {
		t.Errorf("%q is not read as %q: %s, %s (-want +got):\n%s", changed, text, after.Status, after.Reason, diff)
	}
}

// TestDressingChangesNothing adds what carries no meaning.
func TestDressingChangesNothing(t *testing.T) {
	in := newInterpreter(t)
	polite := map[bool][]string{
		false: {"please %s", "hey jarvis, %s", "could you please %s"},
		true:  {"пожалуйста, %s", "джарвис, %s", "будь добр, %s"},
	}
	for _, text := range acting(t, in) {
		t.Run(text, func(t *testing.T) {
			russian := in.Read(text).Language == "ru"
			for _, p := range polite[russian] {
				if strings.HasPrefix(p, "could") && !commanding(in, text) {
					continue // "could you please computer name" is no sentence
				}
				same(t, in, text, strings.Replace(p, "%s", text, 1), false)
			}
			same(t, in, text, "  "+text+" ", false)
			same(t, in, text, strings.ReplaceAll(text, " ", "\u00a0"), false)
			same(t, in, text, "\ufeff"+text, false)
			if !strings.ContainsAny(text, "\\<%{") { // what cases differ in there is not a word
				same(t, in, text, strings.ToUpper(text), true)
			}
		})
	}
}

// commanding reports whether a text starts with a verb.
func commanding(in *Interpreter, text string) bool {
	p := &parse.Text{Tokens: lexicon.Tokenize(text)}
	p.Matches = in.Words().Find(p.Tokens)
	_, ok := p.Longest(0, len(p.Tokens), lexicon.Verbs...)
	return ok
}

// TestQueryIsData replaces the free text of a search by words that mean
// something elsewhere: only the query may change.
func TestQueryIsData(t *testing.T) {
	in := newInterpreter(t)
	queries := []string{
		"open", "delete", "search", "create folder", "youtube", "google maps", "spotify", "gmail and youtube", "and", "and then",
		"open source and open data", "cats and dogs and birds", "rock or pop", "not now", "don't stop me now", "please", "what time is it",
		"rm -rf /", "$(reboot)", "`id`", "; rm -rf ~", "a && b || c", "a | b", "x > /etc/passwd", "%2e%2e%2f", "{query}", "../../x",
		"<b>bold</b>", "a&b=c#d", "C++", "it's", "\"", "O'Reilly", "👩‍👩‍👧 emoji", "東京", "привет мир", "открой ютуб", "и", "или",
		"take a screenshot", "first 5 results", "save as pdf", "it in my own browser", "pdf of", "сделай скриншот",
	}
	frames := []struct{ format, platform string }{
		{"search youtube for %s", "youtube"},
		{"search google for %s", "google"},
		{"please search wikipedia for %s", "wikipedia"},
		{"search amazon for \"%s\"", "amazon"},
		{"search for \"%s\" on reddit", "reddit"},
		{"открой ютуб и найди \"%s\"", "youtube"},
		{"найди в гугле «%s»", "google"},
		{"open youtube and search for \"%s\" and open gmail", "youtube"},
	}
	for _, f := range frames {
		for _, q := range queries {
			if strings.Contains(f.format, "\"") && strings.Contains(q, "\"") {
				continue
			}
			if q == "please" && !strings.ContainsAny(f.format, "\"«") {
				q = "say please" // alone it might be politeness after a forgotten query
				continue
			}
			text := strings.Replace(f.format, "%s", q, 1)
			r := in.Read(text)
			goals := finish(in, r)
			if len(goals) == 0 {
				t.Errorf("Read(%q): %s (%s)", text, r.Status, r.Reason)
				continue
			}
			want := plan.Goal{GoalType: plan.BrowserSearch, Platform: f.platform, Query: lexicon.Tidy(q)}
			if diff := cmp.Diff(want, goals[0]); diff != "" || len(goals) != 1+strings.Count(f.format, "open gmail") {
				t.Errorf("Read(%q): %d goals (-want +got):\n%s", text, len(goals), diff)
			}
		}
	}
}

// TestIndependentClausesCommute swaps two commands that have nothing to do
// with each other: the same goals in the other order.
func TestIndependentClausesCommute(t *testing.T) {
	in := newInterpreter(t)
	clauses := []string{
		"open notepad", "create a folder called reports", "delete old.log", "what time is it", "search youtube for cats",
		"open https://example.com/a", "запусти калькулятор", "найди на вики кошек", "создай файл список.txt", "сколько места на диске",
	}
	for _, a := range clauses {
		for _, b := range clauses {
			if a == b {
				continue
			}
			for _, joint := range []string{", ", "; ", ". ", "\n", " and then ", ", затем "} {
				ab, ba := goalsOf(in, a+joint+b), goalsOf(in, b+joint+a)
				want := append(goalsOf(in, a), goalsOf(in, b)...)
				if diff := cmp.Diff(want, ab); diff != "" {
					t.Errorf("%q (-want +got):\n%s", a+joint+b, diff)
				}
				if len(ba) == 2 {
					ba[0], ba[1] = ba[1], ba[0]
				}
				if diff := cmp.Diff(want, ba); diff != "" {
					t.Errorf("%q (-want +got):\n%s", b+joint+a, diff)
				}
			}
		}
	}
}

func goalsOf(in *Interpreter, text string) []plan.Goal { return finish(in, in.Read(text)) }

// TestNegatedCommands puts negators before every command: nothing of it may
// be done.
func TestNegatedCommands(t *testing.T) {
	in := newInterpreter(t)
	negators := map[string][]string{
		"en": {"don't %s", "do not %s", "please don't %s", "never %s", "you must not %s", "don’t ever %s", "i don't want you to %s", "please, never %s", "hey, don't %s"},
		"ru": {"не надо %s", "никогда не %s", "пожалуйста, не %s", "прошу, не %s", "не нужно %s", "ни в коем случае не %s", "слушай, не %s"},
	}
	commands := map[string][]string{
		"en": {
			"open youtube", "search youtube for cats", "delete notes.txt", "create folder x", "launch chrome", "go to example.com", "google cats",
			"take a screenshot of github.com", "save example.com as pdf", "download https://example.com/a.zip", "list the links on example.com", "read example.com", "show the first 5 results for cats on youtube", "open github.com in my own browser",
		},
		"ru": {
			"открывай ютуб", "ищи котов на ютубе", "удаляй файл a.txt", "создавай папку х", "запускай хром", "заходи на example.com",
			"делай скриншот github.com", "сохраняй example.com в pdf", "скачивай https://example.com/a.zip", "показывай ссылки на example.com", "читай example.com",
		},
	}
	for lang, list := range negators {
		for _, n := range list {
			for _, c := range commands[lang] {
				text := strings.Replace(n, "%s", c, 1)
				if r := in.Read(text); r.Status == OK {
					t.Errorf("Read(%q) acts: %+v", text, planner.Merge(r.Goals, in.cat).Goals)
				}
			}
		}
	}
}

// TestPlaceReachesAll says where before the verb, after it and at the end: it is
// the same command, for every way to name several things.
func TestPlaceReachesAll(t *testing.T) {
	in := newInterpreter(t)
	for _, l := range []struct {
		place, dir string
		verbs      []string
		things     []string
	}{
		{"in documents", "~/Documents/", []string{"create", "delete"}, []string{
			"folder a", "folders a and b", "a.txt and b.txt", "a.txt, b.txt and c.txt", "folder Old and folder Older",
			"the file a.txt and the folder b", "files a.txt, b.txt", "folder a and a file called b.txt",
		}},
		{"в загрузках", "~/Downloads/", []string{"создай", "удали"}, []string{
			"папку а", "папки а и б", "a.txt и b.txt", "a.txt, b.txt и c.txt", "папку Старое и папку Новое",
			"файл a.txt и папку б", "файлы a.txt, b.txt",
		}},
	} {
		for _, verb := range l.verbs {
			for _, things := range l.things {
				want := goalsOf(in, verb+" "+things)
				if len(want) == 0 {
					t.Errorf("%q has no goals", verb+" "+things)
				}
				for i := range want {
					want[i].Target = l.dir + want[i].Target
				}
				for _, text := range []string{l.place + " " + verb + " " + things, verb + " " + l.place + " " + things, verb + " " + things + " " + l.place} {
					if diff := cmp.Diff(want, goalsOf(in, text)); diff != "" {
						t.Errorf("%q (-want +got):\n%s", text, diff)
					}
				}
			}
		}
	}
}

// TestEmojiDeletesNothingElse ends every command of the stock with an emoji. It
// may be a part of what is searched or of the name of what is created, but it
// makes no other goals, and what is deleted is the same or asked about.
func TestEmojiDeletesNothingElse(t *testing.T) {
	in := newInterpreter(t)
	deleted := func(goals []plan.Goal) []plan.Goal {
		return slices.DeleteFunc(goals, func(g plan.Goal) bool { return g.Action != "delete" })
	}
	for _, text := range acting(t, in) {
		without, with := goalsOf(in, text), goalsOf(in, text+" 🙂")
		if len(with) == 0 || strings.Contains(text, "create folder a and create folder a") {
			continue
		}
		if len(with) != len(without) {
			t.Errorf("%q has %d goals, not %d", text+" 🙂", len(with), len(without))
		}
		if diff := cmp.Diff(deleted(without), deleted(with)); diff != "" {
			t.Errorf("%q (-without +with):\n%s", text+" 🙂", diff)
		}
	}
}
