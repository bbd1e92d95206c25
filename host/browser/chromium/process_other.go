//go:build !unix

package chromium

import (
	"errors"
	"os"
	"os/exec"
)

// isSupported is false: a child can't get file descriptors 3 and 4 here, and every
// program on the machine could open a debugging port instead.
const isSupported = false

func setProcessGroup(*exec.Cmd)   {}
func terminate(int)               {}
func kill(int)                    {}
func lock(*os.File) error         { return errors.ErrUnsupported }
func killUsers(string) int        { return 0 }
func countUsers(...string) int    { return -1 }
func findOtherBrowser(string) int { return 0 }
func isAlive(int) bool            { return true }
func hasWriter(string) bool       { return false }

func makeOutput(string) (read, write *os.File, err error) { return nil, nil, errors.ErrUnsupported }
