package parse

import (
	"strings"

	"errand/planner/interpret/lexicon"
)

// LinesEnd is the end of words for a number of lines at token i: "the first two lines of"; 0: there
// are none.
func LinesEnd(p *Text, i, hi int) int {
	i = p.Skip(i, hi, lexicon.Determiner)
	first, ok := p.Longest(i, hi, lexicon.First)
	if !ok {
		return 0
	}
	i += first.Len
	if m, ok := p.Longest(i, hi, lexicon.Count); ok {
		i += m.Len
	} else if i < hi && strings.Trim(p.Fold(i), "0123456789") == "" {
		i++
	}
	noun, ok := p.Longest(i, hi, lexicon.PartNoun)
	of, _ := p.Longest(i+noun.Len, hi, lexicon.Of, lexicon.Source)
	if !ok || noun.Len < 2 && of.Len == 0 && p.Words.Packs[noun.Lang].NameFirst {
		return 0
	}
	return i + noun.Len + of.Len
}

// IsOutside reports whether the words end in a path that is not in the folder which they name as
// well: "~/Documents/a.txt on the desktop".
func IsOutside(p *Text, at Location, lo, hi int) bool {
	if lo >= hi || p.Tokens[hi-1].Shape != lexicon.PathShape || !at.IsKnown() {
		return false
	}
	path := p.Tokens[hi-1].Value
	if at.Folder == "" {
		return !strings.HasPrefix(path, at.Place) && at.Place != "./"
	}
	return !strings.Contains(lexicon.Fold(path), lexicon.Fold("/"+strings.Trim(at.Folder, "/")+"/")) && !strings.HasPrefix(path, at.Folder)
}

// IsFolderPath reports whether words are one path that can only lead to a folder: "~/Documents", "/etc".
func IsFolderPath(p *Text, q Span) bool {
	return q.Hi == q.Lo+1 && p.Tokens[q.Lo].Shape == lexicon.PathShape && lexicon.FileExtension(p.Tokens[q.Lo].Value) == ""
}

// SpokenName is the text of [lo,hi) with a spoken extension at its end spelled out:
// "notes dot t x t" is "notes.txt".
func SpokenName(p *Text, lo, hi int) string {
	for i := hi - 2; i > lo && i >= hi-6; i-- {
		m, ok := p.Longest(i, hi, lexicon.Spoken)
		if !ok || m.Value != "." || i+m.Len >= hi {
			continue
		}
		ext := ""
		for j := i + m.Len; j < hi; j++ {
			ext += p.Meaning(j, lexicon.Letter)
		}
		if lexicon.IsFileExtension(ext) {
			return spellOut(p, lo, i) + "." + ext
		}
	}
	return p.Cut(lo, hi)
}

// spellOut is the text of [lo,hi) with spoken underscores and dashes spelled out.
func spellOut(p *Text, lo, hi int) string {
	var b strings.Builder
	glue := true
	for i := lo; i < hi; {
		if m, ok := p.Longest(i, hi, lexicon.Spoken); ok && i > lo && i+m.Len < hi {
			b.WriteString(m.Value)
			i, glue = i+m.Len, true
			continue
		}
		if !glue {
			b.WriteByte(' ')
		}
		b.WriteString(p.Cut(i, i+1))
		i, glue = i+1, false
	}
	return b.String()
}
