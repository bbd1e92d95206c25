package find

// A check of a trigger may read far ahead, and a crafted text may have many triggers
// whose checks read the same bytes again. So the checks in each block of a text may
// read a limited number of bytes, which ordinary text does not reach. If a block
// exceeds the limit, its rest is redacted, because it may contain a secret.
const (
	blockSize = 64 << 10
	// perByte is how many bytes the checks of a block may read for each byte of it.
	perByte = 32
	// perLook is the cost of a check that reads only nearby text.
	perLook = 32
	// perMatched is the cost of each byte of a long text that a pattern may read.
	perMatched  = 16
	longStretch = 512
)

// effort counts the bytes that checks have read, for each block of a text.
type effort struct {
	block     int // the end of the block
	remaining int // bytes that may still be read in it
	far       int // how far the current check has read
	more      int // further costs of the current check
	total     int // bytes read so far
}

// begin begins to count a check at text[pos].
func (e *effort) begin(pos int) {
	if pos >= e.block {
		e.block = pos + blockSize
		e.remaining = blockSize * perByte
	}
	e.far, e.more = pos, 0
}

// addBytes counts that a pattern reads n bytes.
func (e *effort) addBytes(n int) {
	if n > longStretch {
		e.more += n * perMatched
	}
}

// isSpent counts the bytes that the check at text[pos] has read, and reports whether
// the block's limit is exceeded.
func (e *effort) isSpent(pos int) bool {
	cost := perLook + e.far - pos + e.more
	e.remaining -= cost
	e.total += cost
	return e.remaining < 0
}
