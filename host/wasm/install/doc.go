// Package install is the life of a plugin that a person installed: read from a
// file, a folder, an archive or the network, held against its digests and
// signature, compared with what is there, put in its place, listed in
// plugins.lock, taken out again.
//
// # What is on the disk
//
// plugins.lock names each installed plugin with the digests of its files and
// what was granted to it. Its files are in plugins/ID/VERSION-DIGEST/. Writing
// the lock is the one moment at which anything changes: files are put down
// whole before it and cleared away after it, so that whoever is killed in
// between leaves the old plugin or the new one. Those who change something take
// turns; those who read need no turn.
//
// What is installed is only what a plugin needs: its manifest, its module and
// its signatures. They are read into memory, within bounds, and nothing else of
// an archive ever reaches the disk.
//
// Errors are *tool.Error and say what to do.
package install

import (
	"errand/host/tool"
)

func refused(code, format string, args ...any) *tool.Error {
	return tool.Errorf(tool.ValidationError, code, format, args...)
}

// unavailable is what is wrong with something that is installed.
func unavailable(code, format string, args ...any) *tool.Error {
	e := tool.Errorf(tool.ToolUnavailable, code, format, args...)
	e.Retriable = false
	return e
}
