//go:build !unix

package rootfs

// nonblock is nothing where folders hold no pipes.
const nonblock = 0
