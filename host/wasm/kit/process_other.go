//go:build !unix

package kit

import "os/exec"

// useProcessGroup does nothing here; only the compiler itself is ended.
func useProcessGroup(*exec.Cmd) {}
