package find

import (
	"sort"
	"strings"

	"errand/policy/rulefile"
)

const (
	MarkOpen = "[redacted:"
	TagBytes = 2
	maxKind  = 24
)

var (
	mark      = rulefile.New(`\[redacted:[a-z-]{1,24}:[0-9a-f]{4}\]`)
	markBegin = rulefile.New(`\A` + mark.Source)
)

// markAt returns the end of the mark that begins at s[pos], or -1. It accepts only the
// exact form: text that merely looks like a mark could contain a secret.
func markAt(s string, pos int) int {
	if strings.HasPrefix(s[pos:], MarkOpen) {
		if m := markBegin.Get().FindStringIndex(s[pos:min(len(s), pos+maxMark)]); m != nil {
			return pos + m[1]
		}
	}
	return -1
}

// maxMark is the length in bytes of the longest mark.
const maxMark = len(MarkOpen) + maxKind + 2*TagBytes + 2

// Marks returns the places of the marks in a text.
func Marks(s string) []Span {
	var marks []Span
	for _, m := range mark.Get().FindAllStringIndex(s, -1) {
		marks = append(marks, Span{Start: m[0], End: m[1]})
	}
	return marks
}

// isInsideMark reports whether sp is a part of a mark or consists of marks.
func isInsideMark(marks []Span, sp Span) bool {
	first := sort.Search(len(marks), func(i int) bool { return marks[i].End > sp.Start })
	at := sp.Start
	for _, m := range marks[first:] {
		if m.Start > at || at >= sp.End {
			break
		}
		at = m.End
	}
	return at >= sp.End
}

// IsPartOfMark reports whether the mark that replaces s can contain s.
func IsPartOfMark(s string) bool {
	return strings.Contains(MarkOpen+"own:", s) || strings.Contains(s, MarkOpen)
}
