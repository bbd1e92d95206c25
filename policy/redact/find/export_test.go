package find

// PerByte is what a text's looks may read at most for each of its bytes, in
// round numbers: a look may go over its block's share by what it reads itself.
const PerByte = 2 * perByte

// BlockSize is how much text shares one effort.
const BlockSize = blockSize

// Effort is how many bytes are read by the looks of one round over a text.
func Effort(text string) int {
	s := newScanner(ReadPage(text), nil)
	s.scan()
	return s.effort.total
}

// Triggers are the literals that make redaction look closer, one of each family
// that differs in its last letter alone.
func Triggers() []string {
	var out []string
	for _, t := range triggers() {
		if n := len(out); n > 0 && len(t.literal) == minTrigger && t.literal[:2] == out[n-1][:2] {
			continue
		}
		out = append(out, t.literal)
	}
	return out
}
