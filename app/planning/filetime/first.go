package filetime

import (
	"cmp"
	"io/fs"
	"slices"
)

// File is a file that a goal about many files means.
type File struct {
	Path string
	fs.FileInfo
}

// First takes the first files in an order of a filter: "the three newest". Without a limit it takes all.
func First(files []File, order string, limit int) []File {
	if limit == 0 {
		return files
	}
	slices.SortStableFunc(files, func(a, b File) int {
		switch order {
		case "newest":
			return b.ModTime().Compare(a.ModTime())
		case "oldest":
			return a.ModTime().Compare(b.ModTime())
		case "largest":
			return cmp.Compare(b.Size(), a.Size())
		case "smallest":
			return cmp.Compare(a.Size(), b.Size())
		}
		return 0
	})
	return files[:min(limit, len(files))]
}
