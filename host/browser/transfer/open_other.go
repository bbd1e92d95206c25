//go:build !unix

package transfer

const nonblock = 0
