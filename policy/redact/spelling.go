package redact

import (
	"sort"
	"strings"
	"unicode/utf8"

	"errand/policy/redact/find"
)

// Pages show values in other forms: they group the digits of a number, join white space,
// capitalise words and truncate long text. The program's own secrets are found in these
// forms, too.

const (
	minGrouped = 8 // minimum number of digits of a number to search in groups
	minCased   = 6 // minimum bytes of a secret to search in another letter case
)

// spelling is a form of a secret.
type spelling struct{ text, secret string }

// spellings are the forms of the program's own secrets.
type spellings struct {
	cut     []spelling // may be truncated
	spaced  []spelling // words with one blank between them
	grouped []spelling // digits only
}

// add adds a secret and returns further literals for it. The cased ones count only as
// whole words.
func (o *spellings) add(s string) (anywhere, cased []string) {
	o.cut = append(o.cut, spelling{s, s})
	if !utf8.ValidString(s) {
		return nil, nil
	}
	read := find.ReadPage(s).Text
	forms := []string{s}
	if words := strings.Join(strings.Fields(read), " "); len(words) >= MinSecret && !find.IsPartOfMark(words) {
		if words != s {
			o.cut = append(o.cut, spelling{words, s})
			anywhere = append(anywhere, words)
			forms = append(forms, words)
		}
		if strings.Contains(words, " ") {
			o.spaced = append(o.spaced, spelling{words, s})
		}
	}
	if number := joinDigits(strings.TrimSpace(read)).Text; len(number) >= minGrouped && find.IsNumber(number) {
		o.grouped = append(o.grouped, spelling{number, s})
		if number != s {
			o.cut = append(o.cut, spelling{number, s})
			anywhere = append(anywhere, number)
		}
	}
	for _, form := range forms {
		for _, c := range []string{strings.ToUpper(form), strings.ToLower(form)} {
			if c != form && len(form) >= minCased && len(c) >= minCased {
				cased = append(cased, c)
			}
		}
	}
	return anywhere, cased
}

// find returns the places of secrets in a text, outside of its marks. It does not
// search a name for truncated secrets.
func (o *spellings) find(p find.Page, marks []find.Span, name bool) []find.Span {
	var spans []find.Span
	add := func(sp find.Span) {
		if !overlapsAny(marks, sp) {
			spans = append(spans, p.Original(sp))
		}
	}
	findCut(p.Text, o.cut, name, add)
	view := func(of func(string) find.Page, all []spelling) {
		v := of(p.Text)
		if v.Offsets == nil {
			return // the text itself was already searched
		}
		back := func(sp find.Span) { add(v.Original(sp)) }
		for _, sp := range all {
			for at := 0; ; at++ {
				i := strings.Index(v.Text[at:], sp.text)
				if i < 0 {
					break
				}
				at += i
				back(find.Span{Start: at, End: at + len(sp.text), Kind: "own", Secret: sp.secret})
			}
		}
		findCut(v.Text, all, name, back)
	}
	if hasFirstWord(p.Text, o.spaced) {
		view(joinBlanks, o.spaced)
	}
	if len(o.grouped) > 0 {
		view(joinDigits, o.grouped)
	}
	return spans
}

// hasFirstWord reports whether the text contains the first word of one of the
// spellings.
func hasFirstWord(text string, all []spelling) bool {
	for _, sp := range all {
		if word, _, _ := strings.Cut(sp.text, " "); strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// overlapsAny reports whether sp and a mark have a byte in common.
func overlapsAny(marks []find.Span, sp find.Span) bool {
	i := sort.Search(len(marks), func(i int) bool { return marks[i].End > sp.Start })
	return i < len(marks) && marks[i].Start < sp.End
}
