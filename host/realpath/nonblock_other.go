//go:build !unix

package realpath

// NonBlock is 0, because folders on this system contain no pipes.
const NonBlock = 0
