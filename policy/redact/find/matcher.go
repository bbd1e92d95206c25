package find

import "slices"

// Matcher finds many literals at once (Wu and Manber, A Fast Algorithm for
// Multi-Pattern Searching, 1994). A window as long as the shortest literal moves over
// the text, and the two bytes at its end tell how far it may jump. Text without
// beginnings of literals costs about one table look-up for every two bytes.
type Matcher struct {
	Literals []string
	fold     bool // ASCII letters compare without case; literals are lower case
	window   int
	jump     []uint8 // by the pair of bytes at the window's end
	// If the jump is 0, the pair ends the window of some literals; slot is the bucket
	// that has them. Each entry has the literal's first byte, which rules out most of
	// them.
	slot   []uint16
	bucket [][]entry
}

type entry struct {
	literal int32
	first   byte
}

// NewMatcher needs literals of at least two bytes.
func NewMatcher(literals []string, fold bool) *Matcher {
	m := &Matcher{Literals: literals, fold: fold, slot: make([]uint16, 1<<16), bucket: make([][]entry, 1)}
	m.window = len(slices.MinFunc(literals, func(a, b string) int { return len(a) - len(b) }))
	m.window = min(m.window, 64)
	m.jump = make([]uint8, 1<<16)
	far := uint8(m.window - 1)
	for i := range m.jump {
		m.jump[i] = far
	}
	for n, lit := range literals {
		for i := 0; i+2 <= m.window; i++ {
			skip := uint8(m.window - 2 - i)
			for _, pair := range m.foldings(lit[i], lit[i+1]) {
				m.jump[pair] = min(m.jump[pair], skip)
				if skip == 0 {
					if m.slot[pair] == 0 {
						m.slot[pair] = uint16(len(m.bucket))
						m.bucket = append(m.bucket, nil)
					}
					b := &m.bucket[m.slot[pair]]
					*b = append(*b, entry{int32(n), lit[0]})
				}
			}
		}
	}
	return m
}

// foldings returns the pairs that fold to a, b.
func (m *Matcher) foldings(a, b byte) []uint16 {
	as, bs := []byte{a}, []byte{b}
	if m.fold {
		as, bs = casesOf(a), casesOf(b)
	}
	var out []uint16
	for _, x := range as {
		for _, y := range bs {
			out = append(out, uint16(x)<<8|uint16(y))
		}
	}
	return out
}

func casesOf(c byte) []byte {
	if c >= 'a' && c <= 'z' {
		return []byte{c, c - 'a' + 'A'}
	}
	return []byte{c}
}

// ForEach calls found with the position and number of every literal in s, in the order
// of positions.
func (m *Matcher) ForEach(s string, found func(pos, lit int)) {
	for i := m.window - 1; i < len(s); {
		pair := uint16(s[i-1])<<8 | uint16(s[i])
		if skip := m.jump[pair]; skip > 0 {
			i += int(skip)
			continue
		}
		start := i - m.window + 1
		first := s[start]
		if m.fold {
			first = lower(first)
		}
		for _, e := range m.bucket[m.slot[pair]] {
			if e.first != first {
				continue
			}
			if lit := m.Literals[e.literal]; len(lit) <= len(s)-start && m.equal(s[start:start+len(lit)], lit) {
				found(start, int(e.literal))
			}
		}
		i++
	}
}

func (m *Matcher) equal(s, lit string) bool {
	if !m.fold {
		return s == lit
	}
	for i := range len(lit) {
		if lower(s[i]) != lit[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
