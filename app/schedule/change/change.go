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

// Page is what is known of a page. The zero value is of a page that was not read.
type Page struct {
	known    bool
	lines    map[hash]bool
	volatile map[hash]bool // shapes of lines that change by themselves
	failures int
}

// stored is the form of [Page] in the store.
type stored struct {
	Lines    string `json:"lines"`
	Volatile string `json:"volatile,omitempty"`
	Failures int    `json:"failures,omitempty"`
}

// New returns what is known after a page was read twice within a short time. Lines that differ change by
// themselves, such as clocks and advertisements, and are never compared.
func New(first, second []string) Page {
	p := Page{known: true, lines: map[hash]bool{}, volatile: map[hash]bool{}}
	a, b := sums(first), sums(second)
	for _, lines := range [][]string{first, second} {
		for _, line := range clean(lines) {
			if h := sum(line); a[h] != b[h] {
				p.volatile[shape(line)] = true
			}
		}
	}
	p.lines = p.steady(second)
	return p
}

// IsEmpty reports whether the page was never read.
func (p Page) IsEmpty() bool { return !p.known }

// Difference is what has changed on a page.
type Difference struct {
	Line    string // the first line that is new, shortened; empty: none is
	Added   int    // lines that are new
	Removed int    // lines that are not there any more
}

// IsZero reports whether nothing has changed.
func (d Difference) IsZero() bool { return d.Added == 0 && d.Removed == 0 }

// Compare returns what has changed since the last time. The next call compares with these lines.
func (p *Page) Compare(lines []string) Difference {
	var d Difference
	now := p.steady(lines)
	for _, line := range clean(lines) {
		if h := sum(line); now[h] && !p.lines[h] {
			if d.Added++; d.Added == 1 {
				d.Line = shorten(line)
			}
		}
	}
	for h := range p.lines {
		if !now[h] {
			d.Removed++
		}
	}
	p.lines, p.failures = now, 0
	return d
}

// steady returns the lines that don't change by themselves.
func (p *Page) steady(lines []string) map[hash]bool {
	out := map[hash]bool{}
	for _, line := range clean(lines) {
		if !p.volatile[shape(line)] {
			out[sum(line)] = true
		}
	}
	return out
}

// Failed counts a time that the page was not readable, and reports whether that was one too many.
func (p *Page) Failed() bool {
	p.failures++
	return p.failures >= maxFailures
}

// String writes it; [Parse] reads it. The text is at most about 20 KB.
func (p Page) String() string {
	if !p.known {
		return ""
	}
	text, err := json.Marshal(stored{join(p.lines), join(p.volatile), p.failures})
	if err != nil {
		return ""
	}
	return string(text)
}

// Parse reads the text of [Page.String]. Of a damaged text nothing is known.
func Parse(text string) Page {
	var from stored
	if json.Unmarshal([]byte(text), &from) != nil {
		return Page{}
	}
	lines, ok := split(from.Lines)
	volatile, isFine := split(from.Volatile)
	if !ok || !isFine {
		return Page{}
	}
	return Page{known: true, lines: lines, volatile: volatile, failures: from.Failures}
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
