package plan

import (
	"slices"
	"strings"
)

// FilesType is the object type of a goal about many files: those directly in the folder
// Target that match the words of Query and the [FileFilter] in Value. The actions are move,
// copy and delete. No tool acts on it: the caller of the planner replaces the goal by one goal
// for each file.
const FilesType = "files"

// MaxFiles is the largest number of files that a goal about many files may mean.
const MaxFiles = 1000

// AreFiles reports whether a goal is about many files.
func (g Goal) AreFiles() bool { return g.GoalType == FileOperation && g.ObjectType == FilesType }

// FileFilter says which files are meant. The zero filter means all.
type FileFilter struct {
	Extensions []string // in lower case, with the point, such as ".pdf"; one of them must fit
}

// ParseFileFilter reads the filter that [FileFilter.String] writes.
func ParseFileFilter(s string) FileFilter {
	var f FileFilter
	for part := range strings.SplitSeq(s, ",") {
		if part != "" {
			f.Extensions = append(f.Extensions, strings.ToLower(part))
		}
	}
	return f
}

// String writes the filter as the Value of a goal: ".jpg,.png".
func (f FileFilter) String() string { return strings.Join(f.Extensions, ",") }

// Matches reports whether the filter means the file with a name. A name that consists of an
// extension only, such as ".pdf", has none.
func (f FileFilter) Matches(name string) bool {
	name = strings.ToLower(name)
	return len(f.Extensions) == 0 || slices.ContainsFunc(f.Extensions, func(ext string) bool {
		return len(name) > len(ext) && strings.HasSuffix(name, ext)
	})
}
