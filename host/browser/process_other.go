//go:build !unix

package browser

import (
	"errors"
	"os"
	"os/exec"
)

// supported: file descriptors 3 and 4 can't be handed to a child here, and a
// debugging port that everyone on the machine can open is no substitute.
// Launch says so.
const supported = false

const nonblock = 0

func detach(*exec.Cmd)           {}
func terminate(int)              {}
func kill(int)                   {}
func lock(*os.File) error        { return errors.ErrUnsupported }
func killUsersOf(string) int     { return 0 }
func countUsersOf(...string) int { return -1 }
func strangerOn(string) int      { return 0 }
func isAlive(int) bool           { return true }
func hasWriter(string) bool      { return false }

func makeOutput(string) (read, write *os.File, err error) { return nil, nil, errors.ErrUnsupported }
