package rootfs

// chunkSize is how many bytes are read or written at a time. The plugin can be stopped
// only between two pieces.
const chunkSize = 256 << 10

// spendInPieces reads or writes all of b and stops when do processes less than it got.
// at is the offset of the piece in b. It pauses before each piece, because a
// plugin may make many short calls.
func (a *Account) spendInPieces(b []byte, do func(b []byte, at int) (int, error)) (n int, err error) {
	for {
		if a.Pause != nil {
			a.Pause()
		}
		part := b[n:min(len(b), n+chunkSize)]
		got, err := do(part, n)
		n += got
		if err != nil || got < len(part) || n == len(b) {
			if n > 0 && got < len(part) {
				err = nil // the next call returns the error
			}
			return n, err
		}
	}
}
