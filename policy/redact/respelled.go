package redact

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A page doesn't show what it was given as it was given: it groups the digits
// of a number, joins white space, sets words in capitals and cuts what is too
// long. An own secret is looked for in these spellings, too.

const (
	minGrouped = 8 // digits of a number that is looked for in groups
	minCased   = 6 // bytes of a secret that is looked for in other letter case
	minCut     = 4 // bytes of a secret's beginning that are taken out where a text is cut
	enoughCut  = 6 // bytes of the beginning of a long secret that are no chance
)

// spelling is an own secret as it stands in a text or a view of it.
type spelling struct{ text, secret string }

// respelled is what own secrets may have become.
type respelled struct {
	cut     []spelling // may have lost their ends
	spaced  []spelling // words with one blank between them
	grouped []spelling // digits alone
}

// add notes a secret and returns further literals for it: cased ones
// count where they stand alone.
func (o *respelled) add(s string) (anywhere, cased []string) {
	o.cut = append(o.cut, spelling{s, s})
	if !utf8.ValidString(s) {
		return nil, nil
	}
	read := plain(s).text
	forms := []string{s}
	if words := strings.Join(strings.Fields(read), " "); len(words) >= MinSecret && !partOfMark(words) {
		if words != s {
			o.cut = append(o.cut, spelling{words, s})
			anywhere = append(anywhere, words)
			forms = append(forms, words)
		}
		if strings.Contains(words, " ") {
			o.spaced = append(o.spaced, spelling{words, s})
		}
	}
	if number := together(strings.TrimSpace(read)).text; len(number) >= minGrouped && isDigit.all(number) {
		o.grouped = append(o.grouped, spelling{number, s})
		if number != s {
			o.cut = append(o.cut, spelling{number, s})
			anywhere = append(anywhere, number)
		}
	}
	for _, form := range forms {
		for _, c := range []string{strings.ToUpper(form), strings.ToLower(form)} {
			if c != form && len(form) >= minCased && len(c) >= minCased && !partOfMark(c) {
				cased = append(cased, c)
			}
		}
	}
	return anywhere, cased
}

// find lists what has become of own secrets in a text, outside of its marks.
// A name is whole: it does not end where a secret was cut.
func (o *respelled) find(p page, marks []span, name bool) []span {
	var spans []span
	add := func(sp span) {
		if !touches(marks, sp) {
			spans = append(spans, p.original(sp))
		}
	}
	cutOff(p.text, o.cut, name, add)
	view := func(of func(string) page, all []spelling) {
		v := of(p.text)
		if v.offsets == nil {
			return // the text itself has been looked at
		}
		back := func(sp span) { add(v.original(sp)) }
		for _, sp := range all {
			for at := 0; ; at++ {
				i := strings.Index(v.text[at:], sp.text)
				if i < 0 {
					break
				}
				at += i
				back(span{at, at + len(sp.text), "own", sp.secret})
			}
		}
		cutOff(v.text, all, name, back)
	}
	if begun(p.text, o.spaced) {
		view(oneBlank, o.spaced)
	}
	if len(o.grouped) > 0 {
		view(together, o.grouped)
	}
	return spans
}

// begun reports whether the first word of one of the spellings is in the text.
func begun(text string, all []spelling) bool {
	for _, sp := range all {
		if strings.Contains(text, first(sp.text)) {
			return true
		}
	}
	return false
}

// touches reports whether sp and a mark have a byte in common.
func touches(marks []span, sp span) bool {
	i := sort.Search(len(marks), func(i int) bool { return marks[i].end > sp.start })
	return i < len(marks) && marks[i].start < sp.end
}

// cutOff finds beginnings of secrets where a text has been cut: at its end,
// before what closes it, and before dots that stand for more; in a name before
// dots alone.
func cutOff(text string, all []spelling, name bool, found func(span)) {
	if len(all) == 0 {
		return
	}
	at := func(end int, least func(string) int) {
		for _, sp := range all {
			if k := beginning(text[:end], sp.text, least(sp.text)); k > 0 {
				found(span{end - k, end, "own", sp.secret})
			}
		}
	}
	if !name {
		at(len(text), enough)
		at(len(strings.TrimRight(text, " \t\r\n\u00a0.…\ufffd\"'`”’»)]}>")), enough)
	}
	for _, dots := range []string{"…", "..."} {
		for from := 0; ; {
			i := strings.Index(text[from:], dots)
			if i < 0 {
				break
			}
			at(from+i, func(string) int { return minCut })
			for from += i; strings.HasPrefix(text[from:], dots); {
				from += len(dots)
			}
		}
	}
}

// enough is how much of a secret, in bytes, must stand at the end of a text
// that nothing says was cut: half of a short one.
func enough(secret string) int { return max(minCut, min(enoughCut, (len(secret)+1)/2)) }

// beginning is the length of the longest beginning of secret that text ends
// with, not all of it and at least so many bytes; 0 for none. A word such as
// "password" gives nothing away, and digits inside a number are no beginning.
func beginning(text, secret string, least int) int {
	for k := min(len(secret)-1, len(text)); k >= least; k-- {
		k = strings.LastIndexByte(secret[:k], text[len(text)-1]) + 1
		if k < least {
			return 0
		}
		before := text[:len(text)-k]
		if text[len(before):] != secret[:k] || before != "" && isDigit[secret[0]] && isDigit[before[len(before)-1]] {
			continue
		}
		if commonValue(secret[:k]) {
			return 0
		}
		return k
	}
	return 0
}

// oneBlank shows a text with one blank for each run of white space.
func oneBlank(s string) page {
	var v viewer
	for i := 0; i < len(s); {
		n := blankAt(s, i)
		if n == 0 {
			v.keep(s[i], i)
			i++
			continue
		}
		if len(v.text) == 0 || v.text[len(v.text)-1] != ' ' {
			v.keep(' ', i)
		}
		i += n
	}
	return v.page(s)
}

// together shows a text without the one sign that stands between two digits.
func together(s string) page {
	var v viewer
	for i := 0; i < len(s); {
		if i > 0 && isDigit[s[i-1]] && !isDigit[s[i]] {
			if n := groupAt(s, i); n > 0 && i+n < len(s) && isDigit[s[i+n]] {
				i += n
				continue
			}
		}
		v.keep(s[i], i)
		i++
	}
	return v.page(s)
}

// viewer writes a view of a text.
type viewer struct {
	text    []byte
	offsets []int
}

func (v *viewer) keep(c byte, at int) {
	v.text, v.offsets = append(v.text, c), append(v.offsets, at)
}

func (v *viewer) page(s string) page {
	if string(v.text) == s {
		return page{text: s}
	}
	return page{string(v.text), v.offsets, s}
}

// blankAt is the length of the white space sign at s[i], 0 for none.
func blankAt(s string, i int) int {
	c := s[i]
	switch {
	case c > '&' && c < utf8.RuneSelf:
		return 0
	case c == '&' && strings.HasPrefix(s[i:], "&nbsp;"):
		return len("&nbsp;")
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
		return n
	}
	return 0
}

// groupAt is the length of a sign at s[i] that may part groups of digits, 0
// for none.
func groupAt(s string, i int) int {
	if n := blankAt(s, i); n > 0 {
		return n
	}
	if strings.HasPrefix(s[i:], "%20") {
		return len("%20")
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); strings.ContainsRune(".,'’/_+·−", r) || unicode.Is(unicode.Pd, r) {
		return n
	}
	return 0
}
