package rootfs

// piece is how many bytes are read or written at once. In between the plugin can
// be ended, which one call of the system with all of its memory would put off.
const piece = 256 << 10

// inPieces has all of b read or written, from its first byte to where do falls
// short of what it got. do is told where in b that begins.
func (a *Account) inPieces(b []byte, do func(b []byte, at int) (int, error)) (n int, err error) {
	for {
		part := b[n:min(len(b), n+piece)]
		got, err := do(part, n)
		n += got
		if err != nil || got < len(part) || n == len(b) {
			if n > 0 && got < len(part) {
				err = nil // told with the next call, which gets as far
			}
			return n, err
		}
		if a.Pause != nil {
			a.Pause()
		}
	}
}
