package catalogue

import (
	"strings"
	"unicode"
)

// endings is the whole Russian declension that loan names need: the ending of
// the plain form, and what takes its place in the other cases. The longest
// matching ending wins. Forms that nobody says do no harm, so gender and
// animacy are not modelled; words in о, у, э, ю do not change.
var endings = []struct {
	plain string
	cases []string
}{
	{"ая", []string{"ой", "ую"}},
	{"яя", []string{"ей", "юю"}},
	{"ый", []string{"ого", "ому", "ым", "ом"}},
	{"ий", []string{"его", "ему", "им", "ем", "ого", "ому", "ом", "ия", "ию", "ием", "ии"}},
	{"ой", []string{"ого", "ому", "ым", "ом"}},
	{"ые", []string{"ых", "ым", "ыми"}},
	{"ие", []string{"их", "им", "ими", "ия", "ию", "ием", "ии"}},
	{"ое", []string{"ого", "ому", "ым", "ом"}},
	{"ия", []string{"ии", "ию", "ией"}},
	{"ок", []string{"ка", "ку", "ком", "ке", "ока", "оку", "оком", "оке"}},
	{"ка", []string{"ки", "ке", "ку", "кой"}},
	{"га", []string{"ги", "ге", "гу", "гой"}},
	{"а", []string{"ы", "е", "у", "ой"}},
	{"я", []string{"и", "е", "ю", "ей"}},
	{"ь", []string{"я", "ю", "ем", "е", "и", "ью"}},
	{"й", []string{"я", "ю", "ем", "е"}},
	{"ы", []string{"ов", "ам", "ами", "ах", ""}},
	{"и", []string{"ей", "ям", "ями", "ях", "ам", "ами", "ах", ""}},
	{"о", nil},
	{"у", nil},
	{"э", nil},
	{"ю", nil},
	{"е", nil},
	{"", []string{"а", "у", "ом", "е", "ы"}}, // a consonant
}

// decline returns the plain form of a Russian word and its other cases.
func decline(word string) []string {
	for _, e := range endings {
		stem, ok := strings.CutSuffix(word, e.plain)
		if !ok || stem == "" {
			continue
		}
		out := append(make([]string, 0, len(e.cases)+1), word)
		for _, end := range e.cases {
			out = append(out, stem+end)
		}
		return out
	}
	return []string{word}
}

// forms declines the starred words of an alias together: an adjective and its
// noun take the same case.
func forms(alias string) []string {
	if !strings.Contains(alias, "*") {
		last := alias[strings.LastIndexByte(alias, ' ')+1:]
		if strings.IndexFunc(last, isCyrillic) < 0 {
			return []string{alias}
		}
		alias += "*"
	}
	out := []string{""}
	for w := range strings.FieldsSeq(alias) {
		options := []string{w}
		if stem, starred := strings.CutSuffix(w, "*"); starred {
			options = decline(stem)
		}
		next := make([]string, 0, len(out)*len(options))
		for _, head := range out {
			for _, o := range options {
				next = append(next, strings.TrimPrefix(head+" "+o, " "))
			}
		}
		out = next
	}
	return out
}

// Fold spells words the way aliases are compared: lower case, ё as е, single
// spaces.
func Fold(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "ё", "е")
	return strings.Join(strings.Fields(s), " ")
}

func isCyrillic(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }
