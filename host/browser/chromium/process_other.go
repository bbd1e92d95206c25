//go:build !unix

package chromium

import (
	"errors"
	"os"
	"os/exec"
)

// isSupported: file descriptors 3 and 4 can't be handed to a child here, and a
// debugging port that everyone on the machine can open is no substitute.
// Launch says so.
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
