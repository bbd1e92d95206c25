package catalogue

import (
	"bufio"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
)

// TestEveryRussianAliasInEveryCase holds the rules against a list that was
// written down by hand: testdata/cases.txt has each Russian alias of the
// built-in data as it is said in every case. An alias that is not on the list
// fails, and so does a line that belongs to none. UPDATE=1 writes the list
// anew, to be read with care.
func TestEveryRussianAliasInEveryCase(t *testing.T) {
	const name = "testdata/cases.txt"
	data, err := load()
	must.Succeed(t, err)
	said := map[string][]string{} // alias → all its forms
	add := func(id, name string, aliases []string) {
		all := words(id, name, aliases)
		for _, alias := range aliases {
			if strings.IndexFunc(alias, isCyrillic) >= 0 {
				said[Fold(alias)] = all
			}
		}
	}
	for _, s := range data.Sites {
		add(s.ID, s.Name, s.Aliases)
	}
	for _, a := range data.Apps {
		add(a.ID, a.Name, a.Aliases)
	}
	if os.Getenv("UPDATE") != "" {
		var b strings.Builder
		b.WriteString("# Every Russian alias: genitive, dative, accusative, instrumental, prepositional; nothing where it does not change.\n")
		for _, alias := range slices.Sorted(maps.Keys(said)) {
			b.WriteString(alias + ":")
			if cases := inCases(alias); slices.ContainsFunc(cases, func(c string) bool { return c != cases[0] }) {
				b.WriteString(" " + strings.Join(cases[1:], ", "))
			}
			b.WriteString("\n")
		}
		must.Succeed(t, os.WriteFile(name, []byte(b.String()), 0o666))
	}
	f, err := os.Open(name)
	must.Succeed(t, err)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		alias, cases, ok := strings.Cut(lines.Text(), ":")
		if !ok || strings.HasPrefix(alias, "#") {
			continue
		}
		all, known := said[alias]
		if !known {
			t.Errorf("%s: %q is no alias", name, alias)
			continue
		}
		delete(said, alias)
		got := inCases(alias)
		want := slices.Repeat(got[:1], len(got))
		if cases != "" {
			want = append(got[:1:1], strings.Split(strings.TrimSpace(cases), ", ")...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q in all cases:\n got %q\nwant %q", alias, got, want)
		}
		for _, form := range want {
			if !slices.Contains(all, form) {
				t.Errorf("%q is not among what is said for %q", form, alias)
			}
		}
	}
	for _, alias := range slices.Sorted(maps.Keys(said)) {
		t.Errorf("%s: %q is missing", name, alias)
	}
}

func inCases(alias string) []string {
	var out []string
	for c := Plain; c <= Prepositional; c++ {
		out = append(out, Decline(alias, c))
	}
	return out
}

// TestUnchangedNamesMakeNoOtherWords: a short name in a vowel has no cases, and
// what the rules for plurals would make of it are words of the language.
func TestUnchangedNamesMakeNoOtherWords(t *testing.T) {
	for _, name := range []string{"вики", "иви", "али", "каги", "этси", "пикабу", "авито", "лента ру", "вк", "си эн эн"} {
		if got := forms(name); len(got) != 1 {
			t.Errorf("forms(%q) = %q, want no other", name, got)
		}
	}
}

// TestOwnRussianNames: the rules serve names that a person's config adds.
func TestOwnRussianNames(t *testing.T) {
	tests := []struct {
		alias string
		in    Case
		want  string
	}{
		{"наша* вики", Genitive, "нашей вики"},
		{"мой* портал*", Prepositional, "моем портале"},
		{"заметки", Genitive, "заметок"},
		{"рабочие* задачи*", Prepositional, "рабочих задачах"},
		{"доска* задач", Accusative, "доску задач"},
		{"внутренний* портал*", Dative, "внутреннему порталу"},
		{"список", Prepositional, "списке"},
		{"корпоративная* почта*", Instrumental, "корпоративной почтой"},
		{"мастерская", Accusative, "мастерскую"},
		{"отдел* кадров", Genitive, "отдела кадров"},
		{"биржа", Instrumental, "биржей"},
		{"управление", Prepositional, "управлении"},
		{"Вёрстка", Accusative, "верстку"},
		{"си эн эн", Genitive, "си эн эн"},
		{"team wiki", Genitive, "team wiki"},
	}
	for _, tt := range tests {
		if got := Decline(tt.alias, tt.in); got != tt.want {
			t.Errorf("Decline(%q, %d) = %q, want %q", tt.alias, tt.in, got, tt.want)
		}
		if got := forms(Fold(tt.alias)); !slices.Contains(got, tt.want) {
			t.Errorf("forms(%q) = %q, want %q among them", tt.alias, got, tt.want)
		}
	}
}
