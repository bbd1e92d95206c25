package find

// Looking closer at a trigger may read far ahead, and a text may be made so
// that the same bytes are read again from each of many triggers. So looking is
// paid for: each block of a text buys so many bytes of it, which honest text
// never uses up. Where it is used up the rest of the block is hidden unread,
// since nobody has seen that there is no secret in it.
const (
	blockSize = 64 << 10
	// perByte is how many bytes a block's looks may read for each of its own.
	perByte = 32
	// perLook is what a look costs that sees only what is near.
	perLook = 32
)

// effort counts what looks have read of a text, block by block.
type effort struct {
	block int // the end of the block
	left  int // bytes that may still be read in it
	far   int // how far the look under way has read
	total int // read so far, in bytes
}

// begin counts a look at text[pos] from here on.
func (e *effort) begin(pos int) {
	if pos >= e.block {
		e.block = pos + blockSize
		e.left = blockSize * perByte
	}
	e.far = pos
}

// spent counts what the look at text[pos] has read and reports whether its
// block's share is used up.
func (e *effort) spent(pos int) bool {
	cost := perLook + e.far - pos
	e.left -= cost
	e.total += cost
	return e.left < 0
}

// saw notes that the look under way has read up to text[i].
func (s *scanner) saw(i int) { s.effort.far = max(s.effort.far, i) }

// run is the end of the longest run of c's bytes in the text from i, at most
// [maxRun] bytes.
func (s *scanner) run(c *charset, i int) int {
	end := c.upTo(s.Text, i, maxRun)
	s.saw(end)
	return end
}
