//go:build !linux

package browser

import "os"

func mark(*os.File, string, string) {}

func marked(*os.File, string) (value string, kept bool) { return "", false }
