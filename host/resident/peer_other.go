//go:build !linux

package resident

import (
	"errors"
	"io/fs"
	"net"
	"syscall"
)

// isSupported reports that there is no resident process: the platform does not tell who is
// at the other end of a socket.
const isSupported = false

func isOwn(fs.FileInfo) bool { return false }

func peerUser(*net.UnixConn) (uid int, err error) { return -1, errors.ErrUnsupported }

func ownSession() *syscall.SysProcAttr { return nil }
