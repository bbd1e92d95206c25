package system

import "os/exec"

// CheckedLookPath returns [exec.LookPath] that fails for a program which check refuses. check gets
// the program's path.
func CheckedLookPath(check func(path string) error) func(name string) (string, error) {
	return func(name string) (string, error) {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", err
		}
		return path, check(path)
	}
}
