//go:build !linux

package realpath

// ReadMounts returns none: this system shows a folder at one path only.
func ReadMounts() Mounts { return nil }
