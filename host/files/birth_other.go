//go:build !linux && !darwin && !windows

package files

import (
	"io/fs"
	"os"
)

// birthTime is unknown on this platform.
func birthTime(*os.Root, string, fs.FileInfo) string { return "" }
