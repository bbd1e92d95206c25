package tool

import (
	"slices"
	"strings"
)

// FileKind is what a path leads to.
type FileKind string

// Kinds. A link counts as what it leads to.
const (
	FileMissing FileKind = "missing"
	FileRegular FileKind = "file"
	FileFolder  FileKind = "folder"
	FileOther   FileKind = "other" // a pipe, a device, a broken link
)

// FileState is the state of a file or folder that an argument of a call names. An approval
// binds to it. Equal states mean the same place with the same content.
type FileState struct {
	Path   string   // as the argument has it, absolute and clean
	Real   string   // the same place without links
	Kind   FileKind // the zero value is invalid
	Size   int64    // bytes of a regular file, entries of a folder that was looked through
	SHA256 string   // of a regular file's content, in hex; empty if the file is too large to read
	// Mark changes with the content where SHA256 is empty, and with the target of a link.
	Mark string
}

// IsDeep reports whether the state of a folder covers the entries in it.
func (f FileState) IsDeep() bool {
	return f.Kind == FileFolder && strings.Contains(f.Mark, EntriesMark)
}

// EntriesMark precedes the digest of a folder's entries in [FileState.Mark].
const EntriesMark = " entries="

// File returns the approved state of a path in [Call.Files].
func (c Call) File(path string) (FileState, bool) {
	i := slices.IndexFunc(c.Files, func(f FileState) bool { return f.Path == path })
	if i < 0 {
		return FileState{}, false
	}
	return c.Files[i], true
}
