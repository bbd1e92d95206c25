package find

// A look at a trigger may read far ahead, and a text may be made so that each of
// many triggers reads the same bytes again. So each block of a text has a limit
// of bytes to read, which honest text never reaches. Where it is reached, the
// rest of the block is hidden unread, because it may hold a secret.
const (
	blockSize = 64 << 10
	// perByte is how many bytes a block's looks may read for each of its own.
	perByte = 32
	// perLook is what a look costs that sees only what is near.
	perLook = 32
	// perMatched is what each byte costs that a pattern may read of a long stretch.
	perMatched  = 16
	longStretch = 512
)

// effort counts what looks have read of a text, block by block.
type effort struct {
	block     int // the end of the block
	remaining int // bytes that may still be read in it
	far       int // how far the look under way has read
	more      int // what else it costs
	total     int // read so far, in bytes
}

// begin counts a look at text[pos] from here on.
func (e *effort) begin(pos int) {
	if pos >= e.block {
		e.block = pos + blockSize
		e.remaining = blockSize * perByte
	}
	e.far, e.more = pos, 0
}

// addBytes counts that a pattern reads a stretch of n bytes.
func (e *effort) addBytes(n int) {
	if n > longStretch {
		e.more += n * perMatched
	}
}

// isSpent counts what the look at text[pos] has read and reports whether its
// block's share is used up.
func (e *effort) isSpent(pos int) bool {
	cost := perLook + e.far - pos + e.more
	e.remaining -= cost
	e.total += cost
	return e.remaining < 0
}
