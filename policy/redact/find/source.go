package find

import (
	"strings"
	"unicode/utf8"

	"errand/policy/rulefile"
)

// source is a scanned text with its effort.
type source struct {
	Page
	effort effort
}

// line returns the part of the line before text[i], at most limit bytes.
func (s *source) line(i, limit int) string {
	from := max(0, i-limit)
	if nl := strings.LastIndexByte(s.Text[from:i], '\n'); nl >= 0 {
		from += nl + 1
	}
	return s.Text[from:i]
}

// rest returns the part of the line from text[i], at most limit bytes and without a
// partial rune.
func (s *source) rest(i, limit int) string {
	end := min(len(s.Text), i+limit)
	if nl := strings.IndexByte(s.Text[i:end], '\n'); nl >= 0 {
		end = i + nl
	}
	end = max(i, s.runeStart(end))
	s.noteRead(end)
	return s.Text[i:end]
}

// runeStart returns the beginning of the rune of text[i].
func (s *source) runeStart(i int) int {
	for i > 0 && i < len(s.Text) && !utf8.RuneStart(s.Text[i]) {
		i--
	}
	return i
}

// noteRead notes that the current check has read up to text[i].
func (s *source) noteRead(i int) { s.effort.far = max(s.effort.far, i) }

// run returns the end of the longest run of bytes in c from i, at most [maxRun] bytes.
func (s *source) run(c *charset, i int) int {
	end := c.upTo(s.Text, i, maxRun)
	s.noteRead(end)
	return end
}

// matchReach is how far a pattern reads, in bytes.
const matchReach = 128

// match reports whether a pattern matches at text[i], and returns where its first group
// begins, or the end of the match if it has none.
func (s *source) match(p *rulefile.Pattern, i int) (at int, ok bool) {
	m := p.Get().FindStringSubmatchIndex(s.Text[i:min(len(s.Text), i+matchReach)])
	if m == nil {
		return 0, false
	}
	for g := 2; g < len(m); g += 2 {
		if m[g] >= 0 {
			return i + m[g], true
		}
	}
	return i + m[1], true
}

// canBegin reports whether a token can begin at text[i]: not in the middle of a
// word, unless the text before it is an escape such as \n or %3D.
func (s *source) canBegin(i int) bool {
	t := s.Text
	if i == 0 || !isAlnum[t[i-1]] || s.hasGap(i) {
		return true
	}
	return wordBegin.Match(t[max(0, i-6):i])
}

var wordBegin = rulefile.New(`(?:\\.|%[0-9a-fA-F]{2}|\\u.{4})\z`)
