// Package install installs, updates and removes plugins. It reads a plugin from a
// file, a folder, an archive or the network, checks its digests and signature,
// compares it with the installed version, writes its files and lists it in
// plugins.lock.
//
// # Files
//
// plugins.lock lists each installed plugin with the digests of its files and its
// granted rights. The files are in plugins/ID/VERSION-DIGEST/. Writing the lock is
// the atomic step of each change. New files are complete before it and old ones
// are deleted after it, so a crash leaves either the old plugin or the new one.
// Only one process changes plugins at a time; readers need no lock.
//
// Only the manifest, the module and the signatures are installed. They are read
// into memory with size limits, and no other file of an archive is written to
// disk.
//
// Errors are *tool.Error and say what to do.
package install

import (
	"errand/host/tool"
	"errand/planner/message"
)

func refusedError(code string, m message.Message) *tool.Error {
	return tool.NewError(tool.ValidationError, code, m)
}
