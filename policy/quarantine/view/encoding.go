package view

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/policy/rulefile"
)

// Limits of decoding: how often a decoded text is decoded again, how many runs and how
// many bytes of one are decoded, and how many times longer the decoded text may be.
const (
	maxDepth       = 2
	maxBlobs       = 64
	maxBlob        = 64 << 10
	decodedPerText = 8
)

// encoding is a table of data/encodings.toml.
type encoding struct {
	Technique string
	Run       *rulefile.Pattern
	Chars     byteSet
	Mark      string
	Any       []string
	Least     int
}

var encodings = rulefile.Load[struct{ Encoding []encoding }](files, "data/encodings.toml")

// byteSet is a set of bytes. It is written as ranges and single bytes, with "-" last.
type byteSet [256]bool

// UnmarshalText reads a set.
func (s *byteSet) UnmarshalText(text []byte) error {
	for i := 0; i < len(text); i++ {
		last := text[i]
		if i+2 < len(text) && text[i+1] == '-' {
			last = text[i+2]
		}
		for c := int(text[i]); c <= int(last); c++ {
			s[c] = true
		}
		if last != text[i] {
			i += 2
		}
	}
	return nil
}

// mayBeIn is a cheap test for what every run of the encoding contains.
func (e *encoding) mayBeIn(text string) bool {
	switch {
	case e.Mark != "":
		return strings.Count(text, e.Mark) >= e.Least
	case e.Any != nil:
		text = strings.ToLower(text)
		for _, word := range e.Any {
			if strings.Contains(text, word) {
				return true
			}
		}
		return false
	}
	run := 0
	for i := range len(text) {
		if !e.Chars[text[i]] {
			run = 0
		} else if run++; run >= e.Least {
			return true
		}
	}
	return false
}

// decodedViews returns views of the encoded parts of a text, which is at within in the
// scanned text: for each encoding the decoded runs, and the text with the runs decoded
// in place, because half of an order may not be encoded. Budget is how many more bytes
// may be decoded.
func decodedViews(text string, within Span, depth int, budget *int, isOrder func(View) bool) []View {
	var out []View
	for i := range encodings().Encoding {
		e := &encodings().Encoding[i]
		if !e.mayBeIn(text) {
			continue
		}
		runs, inPlace, place, ok := e.decode(text, budget)
		if !ok {
			continue
		}
		if depth > 0 {
			place = within
		}
		v := part(runs, e.Technique, 1, place)
		out = append(out, v, part(inPlace, e.Technique, 0, place))
		if depth+1 < maxDepth {
			out = append(out, disguises(v, isOrder)...)
			for _, deeper := range decodedViews(runs, place, depth+1, budget, isOrder) {
				deeper.Technique = e.Technique
				out = append(out, deeper)
			}
		}
	}
	return out
}

// decode returns the decoded runs of a text, the text with them in place, and their
// places. It skips a run that does not decode to readable text.
func (e *encoding) decode(text string, budget *int) (runs, inPlace string, place Span, ok bool) {
	var decoded, whole strings.Builder
	at := 0
	for _, run := range e.Run.Get().FindAllStringIndex(text, maxBlobs) {
		blob := text[run[0]:min(run[1], run[0]+maxBlob)]
		plain := readers[e.Technique](blob)
		if plain == blob || !readable(plain) {
			continue
		}
		if !ok {
			place.Start, ok = run[0], true
		}
		place.End = run[1]
		if *budget -= 2 * len(plain); *budget < 0 {
			break
		}
		decoded.WriteString(plain + "\n")
		whole.WriteString(text[at:run[0]] + plain)
		at = run[1]
	}
	if ok {
		*budget -= len(text) - at
		whole.WriteString(text[at:])
	}
	return decoded.String(), whole.String(), place, ok
}

// readable reports whether s consists mostly of letters and blanks.
func readable(s string) bool {
	if len(s) < 5 || !utf8.ValidString(s) {
		return false
	}
	good, all := 0, 0
	for _, r := range s {
		all++
		if unicode.IsLetter(r) || unicode.IsSpace(r) || unicode.IsDigit(r) || strings.ContainsRune(".,:;!?'\"-/<>|_()[]{}@=", r) {
			good++
		}
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return good*10 >= all*9
}
