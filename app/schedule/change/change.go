// Package change tells what is new in the text of a page that is read again and again. It keeps no text:
// a short hash of each line is enough to find the lines that are new.
package change

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

const (
	// MaxLines is the number of lines of a page that are compared, from its beginning.
	MaxLines = 2000
	// maxFailures is how often in a row a page may not be readable before it is given up.
	maxFailures = 5
	// maxShown is the longest part of a line that is shown, in characters.
	maxShown = 160
	hashSize = 6 // bytes: two of 2,000 lines have the same hash once in 100 million pages
)

// hash stands for a line.
type hash [hashSize]byte

// Seen is what is known of a page. The zero value is of a page that was not read.
type Seen struct {
	known    bool
	lines    map[hash]bool
	volatile map[hash]bool // shapes of lines that change by themselves
	failures int
}

// stored is the form of [Seen] in the store.
type stored struct {
	Lines    string `json:"lines"`
	Volatile string `json:"volatile,omitempty"`
	Failures int    `json:"failures,omitempty"`
}

// New returns what is known after a page was read twice within a short time. Lines that differ change by
// themselves, such as clocks and advertisements, and are never compared.
func New(first, second []string) Seen {
	s := Seen{known: true, lines: map[hash]bool{}, volatile: map[hash]bool{}}
	a, b := sums(first), sums(second)
	for _, lines := range [][]string{first, second} {
		for _, line := range clean(lines) {
			if h := sum(line); a[h] != b[h] {
				s.volatile[shape(line)] = true
			}
		}
	}
	s.lines = s.steady(second)
	return s
}

// IsEmpty reports whether the page was never read.
func (s Seen) IsEmpty() bool { return !s.known }

// Difference is what has changed on a page.
type Difference struct {
	Line string // the first line that is new, shortened; empty: none is
	New  int    // lines that are new
	Gone int    // lines that are gone
}

// IsZero reports whether nothing has changed.
func (d Difference) IsZero() bool { return d.New == 0 && d.Gone == 0 }

// Compare returns what has changed since the last time. What is new is then known.
func (s *Seen) Compare(lines []string) Difference {
	var d Difference
	now := s.steady(lines)
	for _, line := range clean(lines) {
		if h := sum(line); now[h] && !s.lines[h] {
			if d.New++; d.New == 1 {
				d.Line = shorten(line)
			}
		}
	}
	for h := range s.lines {
		if !now[h] {
			d.Gone++
		}
	}
	s.lines, s.failures = now, 0
	return d
}

// steady returns the lines that don't change by themselves.
func (s *Seen) steady(lines []string) map[hash]bool {
	out := map[hash]bool{}
	for _, line := range clean(lines) {
		if !s.volatile[shape(line)] {
			out[sum(line)] = true
		}
	}
	return out
}

// Failed counts a time that the page was not readable, and reports whether that was one too many.
func (s *Seen) Failed() bool {
	s.failures++
	return s.failures >= maxFailures
}

// String writes it; [Parse] reads it. The text is at most about 20 KB.
func (s Seen) String() string {
	if !s.known {
		return ""
	}
	text, err := json.Marshal(stored{join(s.lines), join(s.volatile), s.failures})
	if err != nil {
		return ""
	}
	return string(text)
}

// Parse reads the text of [Seen.String]. Of a damaged text nothing is known.
func Parse(text string) Seen {
	var from stored
	if json.Unmarshal([]byte(text), &from) != nil {
		return Seen{}
	}
	lines, ok := split(from.Lines)
	volatile, isFine := split(from.Volatile)
	if !ok || !isFine {
		return Seen{}
	}
	return Seen{known: true, lines: lines, volatile: volatile, failures: from.Failures}
}

// clean returns the lines of a page that have words, without needless spaces.
func clean(lines []string) []string {
	var out []string
	for _, line := range lines {
		if line = strings.Join(strings.Fields(line), " "); line != "" && len(out) < MaxLines {
			out = append(out, line)
		}
	}
	return out
}

func sums(lines []string) map[hash]bool {
	out := map[hash]bool{}
	for _, line := range clean(lines) {
		out[sum(line)] = true
	}
	return out
}

func sum(line string) (h hash) {
	whole := sha256.Sum256([]byte(line))
	copy(h[:], whole[:])
	return h
}

// shape is the hash of a line in which all numbers and times are the same.
func shape(line string) hash {
	var b strings.Builder
	isNumber := false
	for _, r := range line {
		switch {
		case unicode.IsDigit(r):
			if !isNumber {
				b.WriteByte('0')
			}
			isNumber = true
		case isNumber && strings.ContainsRune(".,:", r):
		default:
			b.WriteRune(r)
			isNumber = false
		}
	}
	return sum(b.String())
}

func shorten(line string) string {
	if all := []rune(line); len(all) > maxShown {
		return string(all[:maxShown-1]) + "…"
	}
	return line
}

// join writes hashes in their order.
func join(of map[hash]bool) string {
	all := make([][]byte, 0, len(of))
	for h := range of {
		all = append(all, slices.Clone(h[:]))
	}
	slices.SortFunc(all, bytes.Compare)
	return base64.RawStdEncoding.EncodeToString(slices.Concat(all...))
}

// split reads what [join] wrote.
func split(text string) (map[hash]bool, bool) {
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(raw)%hashSize != 0 {
		return nil, false
	}
	out := map[hash]bool{}
	for part := range slices.Chunk(raw, hashSize) {
		out[hash(part)] = true
	}
	return out, true
}
