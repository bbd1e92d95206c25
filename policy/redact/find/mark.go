package find

import (
	"sort"
	"strings"
)

const (
	MarkOpen = "[redacted:"
	TagBytes = 2
	maxKind  = 24
)

// markAt returns the end of the mark that begins at s[pos], or -1. Only the
// exact form counts: text that merely looks like a mark must not shelter a
// secret.
func markAt(s string, pos int) int {
	rest, ok := strings.CutPrefix(s[pos:], MarkOpen)
	if !ok {
		return -1
	}
	kind := 0
	for kind < len(rest) && kind < maxKind && (rest[kind] >= 'a' && rest[kind] <= 'z' || rest[kind] == '-') {
		kind++
	}
	rest = rest[kind:]
	if kind == 0 || len(rest) < 2+2*TagBytes || rest[0] != ':' || rest[1+2*TagBytes] != ']' {
		return -1
	}
	for _, c := range []byte(rest[1 : 1+2*TagBytes]) {
		if !isHex[c] || c >= 'A' && c <= 'F' {
			return -1
		}
	}
	return pos + len(MarkOpen) + kind + 2 + 2*TagBytes
}

// Marks lists the marks of a text as spans.
func Marks(s string) []Span {
	var marks []Span
	for at := 0; ; {
		i := strings.Index(s[at:], MarkOpen)
		if i < 0 {
			return marks
		}
		at += i
		end := markAt(s, at)
		if end < 0 {
			at += len(MarkOpen)
			continue
		}
		marks = append(marks, Span{Start: at, End: end})
		at = end
	}
}

// isInsideMark reports whether sp is a part of a mark or holds marks only.
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

// IsPartOfMark reports whether s could be found again in the mark that replaces
// it.
func IsPartOfMark(s string) bool {
	return strings.Contains(MarkOpen+"own:", s) || strings.Contains(s, MarkOpen)
}
