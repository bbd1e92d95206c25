package catalogue

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Case is the grammatical case of a name in a sentence. Languages that don't inflect names
// have only the plain form.
type Case uint8

// The cases of Russian. The accusative is that of inanimate nouns.
const (
	Plain Case = iota // the nominative
	Genitive
	Dative
	Accusative
	Instrumental
	Prepositional
)

// endings has the Russian declension of loan names: the ending of the plain form, the
// endings of the other cases in the order of [Case] ("-" for an empty ending), and endings
// of further forms. The longest matching ending wins. The ending alone determines the
// gender, so names in a soft sign are masculine unless a longer ending matches. Loan names
// in a vowel that no row matches are not declined: спотифи, авито, пикабу.
var endings = []struct{ plain, cases, alternative string }{
	// Adjectives.
	{"ая", "ой ой ую ой ой", "ою"},
	{"яя", "ей ей юю ей ей", ""},
	{"ый", "ого ому ый ым ом", ""},
	{"ой", "ого ому ой ым ом", ""},
	{"ое", "ого ому ое ым ом", ""},
	{"ий", "его ему ий им ем", "ого ому ом ия ию ием ии"},
	{"ые", "ых ым ые ыми ых", ""},
	{"ие", "их им ие ими их", "ия ию ием ии"},
	{"наш", "нашего нашему наш нашим нашем", ""},
	{"наша", "нашей нашей нашу нашей нашей", ""},
	{"наши", "наших нашим наши нашими наших", ""},
	{"мой", "моего моему мой моим моем", ""},
	{"моя", "моей моей мою моей моей", ""},
	{"мои", "моих моим мои моими моих", ""},

	// Feminine names. и replaces ы after г, к, х and sibilants.
	{"ия", "ии ии ию ией ии", ""},
	{"я", "и е ю ей е", ""},
	{"ка", "ки ке ку кой ке", "кою"},
	{"га", "ги ге гу гой ге", "гою"},
	{"ха", "хи хе ху хой хе", ""},
	{"жа", "жи же жу жей же", "жой"},
	{"ча", "чи че чу чей че", "чой"},
	{"ша", "ши ше шу шей ше", "шой"},
	{"ща", "щи ще щу щей ще", ""},
	{"ца", "цы це цу цей це", "цой"},
	{"а", "ы е у ой е", ""},
	{"оль", "оли оли оль олью оли", ""}, // консоль
	{"нель", "нели нели нель нелью нели", ""},
	{"дель", "дели дели дель делью дели", ""},
	{"сть", "сти сти сть стью сти", ""},

	{"еа", "еи ее ею еей ее", ""}, // икеа

	// Neuter names.
	{"ние", "ния нию ние нием нии", "них ним ними"}, // управление, but последние
	{"тие", "тия тию тие тием тии", ""},

	// Masculine names.
	{"", "а у - ом е", "ы"}, // a consonant
	{"ж", "жа жу ж жем же", "жом"},
	{"ч", "ча чу ч чем че", "чом"},
	{"ш", "ша шу ш шем ше", "шом"},
	{"щ", "ща щу щ щем ще", "щом"},
	{"ц", "ца цу ц цем це", "цом"},
	{"ок", "ка ку ок ком ке", "ока оку оком оке"}, // список
	{"ток", "тока току ток током токе", ""},       // тикток
	{"ь", "я ю ь ем е", "и ью"},
	{"й", "я ю й ем е", ""},

	// Plural names.
	{"ы", "ов ам ы ами ах", "-"},
	{"цы", "ц цам цы цами цах", ""},
	{"арты", "арт артам арты артами артах", ""}, // карты
	{"ости", "остей остям ости остями остях", ""},
	{"ачи", "ач ачам ачи ачами ачах", ""},
	{"йки", "ек йкам йки йками йках", ""},
	{"нки", "нок нкам нки нками нках", ""},
	{"лки", "лок лкам лки лками лках", ""},
	{"тки", "ток ткам тки тками тках", ""},
	{"чки", "чек чкам чки чками чках", ""},
	{"шки", "шек шкам шки шками шках", ""},
	{"ники", "ников никам ники никами никах", ""},
	{"уги", "уг угам уги угами угах", ""},

	// Indeclinable names.
	{"и", "", ""},
	{"е", "", ""},
	{"о", "", ""},
	{"у", "", ""},
	{"э", "", ""},
	{"ю", "", ""},
	{"ё", "", ""},
}

// rows has the endings, the longest first.
var rows = sync.OnceValue(func() []row {
	out := make([]row, len(endings))
	for i, e := range endings {
		r := row{plain: e.plain}
		r.cases[Plain] = e.plain
		caseEndings := strings.Fields(e.cases)
		for c := Genitive; c <= Prepositional; c++ {
			r.cases[c] = e.plain
			if len(caseEndings) > 0 {
				r.cases[c] = strings.TrimPrefix(caseEndings[c-1], "-")
			}
		}
		for _, end := range slices.Concat(caseEndings, strings.Fields(e.alternative)) {
			if end = strings.TrimPrefix(end, "-"); end != e.plain && !slices.Contains(r.all, end) {
				r.all = append(r.all, end)
			}
		}
		out[i] = r
	}
	slices.SortStableFunc(out, func(a, b row) int { return cmp.Compare(len(b.plain), len(a.plain)) })
	return out
})

type row struct {
	plain string
	cases [Prepositional + 1]string
	all   []string // endings of the forms other than the plain one
}

// rowOf returns the stem of a word and its row. Words that are spelled aloud are
// indeclinable: those without a vowel (вк, рбк) and names of letters (си эн эн).
func rowOf(word string) (stem string, r row) {
	letterName := strings.HasPrefix(word, "э") && utf8.RuneCountInString(word) == 2
	if !letterName && strings.ContainsAny(word, "аеёиоуыэюя") {
		for _, r := range rows() {
			if stem, ok := strings.CutSuffix(word, r.plain); ok && (stem != "" || len(r.plain) >= len("наш")) {
				return stem, r
			}
		}
	}
	return word, row{}
}

// decline returns the plain form of a Russian word and its other cases.
func decline(word string) []string {
	stem, r := rowOf(word)
	out := append(make([]string, 0, len(r.all)+1), word)
	for _, end := range r.all {
		out = append(out, stem+end)
	}
	return out
}

// Decline puts an alias, written as in the catalogue, into a case.
func Decline(alias string, c Case) string {
	words := strings.Fields(addStar(Fold(alias)))
	for i, w := range words {
		if plain, ok := strings.CutSuffix(w, "*"); ok {
			stem, r := rowOf(plain)
			words[i] = stem + r.cases[c]
		}
	}
	return strings.Join(words, " ")
}

// addStar marks the last word of a Cyrillic alias that has no star.
func addStar(alias string) string {
	last := alias[strings.LastIndexByte(alias, ' ')+1:]
	if strings.Contains(alias, "*") || strings.IndexFunc(last, isCyrillic) < 0 {
		return alias
	}
	return alias + "*"
}

// forms declines the starred words of an alias together: an adjective and its noun have
// the same case.
func forms(alias string) []string {
	if alias = addStar(alias); !strings.Contains(alias, "*") {
		return []string{alias}
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

// Fold normalises text for comparison with aliases: lower case, ё as е, single spaces.
func Fold(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "ё", "е")
	return strings.Join(strings.Fields(s), " ")
}

func isCyrillic(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }
