package view

import (
	"strings"

	"errand/policy/rulefile"
)

var (
	// spacedWord matches single letters with separators between them, at most four at a
	// time.
	spacedWord = rulefile.New(`(?:^|[^\pL\pN])(?:[a-z0-9@$!][^a-z0-9\n@$!]{1,4}){5,}[a-z0-9@$!](?:[^\pL\pN]|$)`)
	spacing    = rulefile.New(`[^a-z0-9\n@$!]+`)
)

// squeeze joins letters that are set apart. The wider gaps separate words. If all gaps
// are equal, the words are joined too.
func squeeze(s string) string {
	if !mayBeApart(s) {
		return ""
	}
	return spacedWord.Get().ReplaceAllStringFunc(s, func(run string) string {
		narrow := 8
		for _, gap := range spacing.Get().FindAllString(strings.Trim(run, " .,\t"), -1) {
			narrow = min(narrow, len(gap))
		}
		return spacing.Get().ReplaceAllStringFunc(run, func(gap string) string {
			if len(gap) > narrow {
				return " "
			}
			return ""
		}) + " "
	})
}

// mayBeApart is a cheap test for what every match of apart contains: six letters in one
// line, each with a gap after it.
func mayBeApart(text string) bool {
	last, streak := -1, 0
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '\n':
			last, streak = -1, 0
			continue
		case !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '@' || c == '$' || c == '!'):
			continue
		case last >= 0 && i-last > 1 && i-last <= 17:
			if streak++; streak >= 5 {
				return true
			}
		default:
			streak = 0
		}
		last = i
	}
	return false
}

// splitGlued repairs words of orders that blanks or signs split in other places than
// between words. It replaces one order in each place. It returns "" if there is none.
func splitGlued(s string) string {
	var tight strings.Builder
	var at []int
	for i := range len(s) {
		if c := s[i]; c >= 'a' && c <= 'z' || c >= 0x80 {
			tight.WriteByte(c)
			at = append(at, i)
		}
	}
	t := tight.String()
	if len(t) == len(s) {
		return ""
	}
	var b strings.Builder
	from := 0
	for _, m := range signWords().Glued.Get().FindAllStringIndex(t, 64) {
		start, end := at[m[0]], at[m[1]-1]+1
		// A word that continues into the next one is intended.
		if countPieces(s[start:end]) < 2 || start > 0 && IsLetter(s[start-1]) || end < len(s) && IsLetter(s[end]) {
			continue
		}
		b.WriteString(s[from:start] + spaceOut(t[m[0]:m[1]]))
		from = end
	}
	if from == 0 {
		return ""
	}
	return b.String() + s[from:]
}

// countPieces counts the pieces of an order that are not words of it.
func countPieces(s string) int {
	n := 0
	for p := range strings.FieldsFuncSeq(s, func(r rune) bool { return r < 'a' && r != '\'' || r > 'z' && r < 0x80 }) {
		if !signWords().GluedWords[p] {
			n++
		}
	}
	return n
}

// spaceOut puts blanks between the words of a glued order.
func spaceOut(s string) string {
	var out []string
	for len(s) > 0 {
		n := len(s)
		for n > 1 && !signWords().GluedWords[s[:n]] {
			n--
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return strings.Join(out, " ")
}
