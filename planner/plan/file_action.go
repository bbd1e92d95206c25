package plan

import (
	"slices"
	"strings"
)

// FileActions lists the file actions on something that exists, beside "delete". The keys of
// their tools are "<action>_file" and "<action>_folder".
func FileActions() []string {
	return []string{
		MoveAction, CopyAction, RenameAction, OpenAction, ListAction, FindAction, ReadAction, AppendAction,
		MeasureAction, HashAction, ZipAction, UnzipAction,
	}
}

// Actions on files and folders that exist.
const (
	MoveAction    = "move"    // to Destination
	CopyAction    = "copy"    // to Destination
	RenameAction  = "rename"  // Destination is the new name
	OpenAction    = "open"    // in the user's own program for it
	ListAction    = "list"    // tell what is in a folder
	FindAction    = "find"    // in a folder, by the words of Query and the extensions in Value
	ReadAction    = "read"    // tell the text of a file
	AppendAction  = "append"  // add Value to the end of a file
	MeasureAction = "measure" // tell the size
	HashAction    = "hash"    // tell the SHA-256 of a file
	ZipAction     = "zip"     // into an archive at Destination
	UnzipAction   = "unzip"   // an archive into a folder at Destination
)

// ReadDocument is the key of tools that read files with the text of a document inside, such as
// .docx. Tools for other files have "read_file".
const ReadDocument = "read_document"

// EmptyAction empties the user's trash: the object type is TrashType, and there is no target.
const (
	EmptyAction = "empty"
	TrashType   = "trash"
)

// TrashEmpty is the fact that there is nothing in the trash.
const TrashEmpty = "trash_empty"

// EmptiesTrash reports whether a goal is to empty the trash.
func (g Goal) EmptiesTrash() bool {
	return g.GoalType == FileOperation && g.Action == EmptyAction && g.ObjectType == TrashType
}

// IsOnExisting reports whether a goal is a file operation on something that must exist.
func (g Goal) IsOnExisting() bool {
	return g.GoalType == FileOperation && (g.Action == "delete" || slices.Contains(FileActions(), g.Action))
}

// NewPath is the path that a file operation makes from the one in Target. It is "" if the
// action makes none.
func (g Goal) NewPath() string {
	target := strings.TrimRight(g.Target, separators)
	folder, name := cutPath(target)
	to := g.Destination
	switch g.Action {
	case RenameAction:
		if to == "" || strings.ContainsAny(to, separators) {
			return to
		}
		return folder + to
	case MoveAction, CopyAction:
	case ZipAction:
		name += ".zip"
		if to == "" {
			return folder + name
		}
	case UnzipAction:
		if to == "" {
			return folder + archiveStem(name)
		}
		return to
	default:
		return ""
	}
	if to != "" && strings.ContainsRune(separators, rune(to[len(to)-1])) {
		return to + name
	}
	return to
}

const separators = `/\`

// cutPath cuts a path after its last separator.
func cutPath(path string) (folder, name string) {
	i := strings.LastIndexAny(path, separators) + 1
	return path[:i], path[i:]
}

// archiveStem is the name of an archive without its extensions.
func archiveStem(name string) string {
	for _, ext := range []string{".tar.gz", ".tgz", ".tar", ".zip"} {
		if n := len(name) - len(ext); n > 0 && strings.EqualFold(name[n:], ext) {
			return name[:n]
		}
	}
	return name + " files"
}
