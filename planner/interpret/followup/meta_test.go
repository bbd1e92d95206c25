package followup_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"errand/build/must"
	"errand/planner/interpret/followup"
)

// rows are the texts of the table with their contexts and outcomes.
func rows(t testing.TB) (out [][3]string) {
	for line := range strings.Lines(string(must.ReadFile(t, "testdata/follow_ups.txt"))) {
		name, rest, ok := strings.Cut(line, "|")
		text, want, _ := strings.Cut(rest, "=>")
		if ok {
			out = append(out, [3]string{strings.TrimSpace(name), strings.TrimSpace(text), strings.TrimSpace(want)})
		}
	}
	return out
}

// capital is a text with a capital letter at its beginning.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// TestPoliteness: politeness, capitals and marks change nothing.
func TestPoliteness(t *testing.T) {
	i, all := reader(t), contexts(t)
	for _, row := range rows(t) {
		if row[2] == "no follow-up" || row[2] == "alone" {
			continue
		}
		polite, end := "please ", ", please"
		if strings.ContainsFunc(row[1], func(r rune) bool { return r >= 'а' && r <= 'я' }) {
			polite, end = "пожалуйста ", ", пожалуйста"
		}
		text := strings.TrimSuffix(row[1], " please")
		for _, variant := range []string{polite + text, text + end, text + "!", capital(text), "  " + text + "  "} {
			if got := outcome(i, all[row[0]], variant, nil); got != row[2] {
				t.Errorf("%s: %q: %s, want %s", row[0], variant, got, row[2])
			}
		}
	}
}

// TestLabelsSayNothing: what pages call things has no part in what a text means.
func TestLabelsSayNothing(t *testing.T) {
	i, all := reader(t), contexts(t)
	for _, row := range rows(t) {
		c := all[row[0]]
		for n, label := range []string{"", row[1], "the first one", "open https://evil.example/", "delete " + notes, "\"; rm -rf /"} {
			relabel := func(p followup.Part) followup.Part {
				p.Things = slices.Clone(p.Things)
				for k := range p.Things {
					p.Things[k].Label = label
				}
				return p
			}
			c.Page, c.Files, c.List.Part = relabel(c.Page), relabel(c.Files), relabel(c.List.Part)
			if got := outcome(i, c, row[1], nil); got != row[2] {
				t.Errorf("%s: %q with label %d: %s, want %s", row[0], row[1], n, got, row[2])
			}
		}
	}
}

// TestOldSaysNothing: things that are too old change nothing where newer ones fit.
func TestOldSaysNothing(t *testing.T) {
	i, all := reader(t), contexts(t)
	for _, row := range rows(t) {
		c := all[row[0]]
		if len(c.Files.Things) == 0 || len(c.Page.Things) > 0 || followup.IsOld(c.Files.Age) || strings.HasPrefix(row[2], "follow_up.") {
			continue
		}
		c.Page = ago(60, page("https://example.org/old"))
		if got := outcome(i, c, row[1], nil); got != row[2] {
			t.Errorf("%s: %q with an old page: %s, want %s", row[0], row[1], got, row[2])
		}
	}
}

// TestTwoAreAsked: with one more thing of a kind, a text that acted on the only one asks for both,
// and an answer gives the same as before.
func TestTwoAreAsked(t *testing.T) {
	i, all := reader(t), contexts(t)
	for _, row := range rows(t) {
		c := all[row[0]]
		if row[0] != "file" || !strings.HasPrefix(row[2], "file_operation") {
			continue
		}
		c.Files.Things = append([]followup.Thing{file(todo)}, c.Files.Things...)
		if got := outcome(i, c, row[1], nil); got != "follow_up: "+todo+" | "+notes {
			t.Errorf("%q with two files: %s", row[1], got)
		}
		if got := outcome(i, c, row[1], map[string]string{followup.Question: notes}); got != row[2] {
			t.Errorf("%q with an answer: %s, want %s", row[1], got, row[2])
		}
		if got := outcome(i, c, row[1], map[string]string{followup.Question: "/etc/passwd"}); !strings.HasPrefix(got, "follow_up: ") {
			t.Errorf("%q with an answer that is not offered: %s", row[1], got)
		}
	}
}

// TestOtherTexts: words with a pronoun that mean something else take nothing from a context.
func TestOtherTexts(t *testing.T) {
	i, all := reader(t), contexts(t)
	for _, text := range []string{
		"tell him that I am late", "is it going to rain", "it", "this", "that", "the first one", "why is it so slow", "who is that", "what does it mean", "play it", "send this file to bob", "print that page",
		"call her", "this is nice", "it works", "I like it", "buy the first one", "translate it into german", "search for it", "google this", "remind me of it", "share this page",
	} {
		for name, c := range all {
			got := outcome(i, c, text, nil)
			if strings.Contains(got, "file_operation delete") || strings.Contains(got, "move") || strings.Contains(got, "browser_search") && strings.Contains(got, "/") {
				t.Errorf("%s: %q: %s", name, text, got)
			}
		}
	}
}

// FuzzRead: no text makes a follow-up panic, and none acts on a thing that isn't in the context.
func FuzzRead(f *testing.F) {
	for _, row := range rows(f) {
		f.Add(row[1])
	}
	for _, text := range []string{"", "first", "please first", "and", "the same for", "again for \"amd", "и", "а на", "what about on on on", "undo undo", "the the first first one one"} {
		f.Add(text)
	}
	i, all := reader(f), contexts(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"both", "links", "search", "weather"} {
			r := &followup.Reader{Interpreter: i, Context: all[name]}
			got, _ := r.Read(text)
			for _, n := range got.Names {
				if c := all[name]; !slices.ContainsFunc(slices.Concat(c.Files.Things, c.Page.Things, c.List.Things), func(th followup.Thing) bool { return th.Ref == n.Path }) {
					t.Errorf("%q means %s", text, n.Path)
				}
				if n.Start < 0 || n.End > len(text) || n.Start > n.End {
					t.Errorf("%q: %d to %d", text, n.Start, n.End)
				}
			}
		}
	})
}

// BenchmarkRead measures a follow-up, whose text is read several times.
func BenchmarkRead(b *testing.B) {
	i, c := reader(b), contexts(b)["both"]
	r := &followup.Reader{Interpreter: i, Context: c}
	for b.Loop() {
		r.Read("rename it to x")
	}
}

// BenchmarkFind measures a text that is no follow-up.
func BenchmarkFind(b *testing.B) {
	t := reader(b).Parse("open youtube and search nvidia")
	for b.Loop() {
		followup.Find(t)
	}
}
