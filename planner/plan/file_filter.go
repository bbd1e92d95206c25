package plan

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// FilesType is the object type of a goal about many files: those directly in the folder
// Target that match the words of Query and the [FileFilter] in Value, or the
// first Limit of them in the filter's order. The actions are move, copy and delete, and with a Limit of
// one all others on a file that exists. No tool acts on it: the caller of the planner replaces the goal by one goal
// for each file.
const FilesType = "files"

// MaxFiles is the largest number of files that a goal about many files may mean.
const MaxFiles = 1000

// AreFiles reports whether a goal is about many files.
func (g Goal) AreFiles() bool { return g.GoalType == FileOperation && g.ObjectType == FilesType }

// AreMany reports whether a goal may be about two or more files. One that its order chooses, such as
// the newest, is a single file.
func (g Goal) AreMany() bool { return g.AreFiles() && g.Limit != 1 }

// OfFile is a goal about many files for one of them. If it gets a new name, it keeps its extension if
// the name has none.
func (g Goal) OfFile(file string) Goal {
	g.ObjectType, g.Target, g.Query, g.Value, g.Limit = "file", file, "", "", 0
	if g.Action == RenameAction && g.Destination != "" && path.Ext(g.Destination) == "" {
		g.Destination += path.Ext(file)
	}
	return g
}

// FileFilter says which files are meant. The zero filter means all.
type FileFilter struct {
	Extensions []string // in lower case, with the point, such as ".pdf"; one of them must fit
	Names      []string // in lower case, such as "screenshot"; the name has one of them in it
	After      string   // changed then or later: "today", "week-1", "november", "3d", "2024" or RFC 3339
	Before     string   // changed before then: the same
	Larger     int64    // at least so many bytes; 0: any size
	Smaller    int64    // at most so many bytes; 0: any size
	Order      string   // of the files found: newest, oldest, largest or smallest, or "" for the order of names
	Text       string   // a text that is in the file, in upper or lower case
}

// ParseFileFilter reads the filter that [FileFilter.String] writes.
func ParseFileFilter(s string) FileFilter {
	var f FileFilter
	for rest := s; rest != ""; {
		if text, ok := strings.CutPrefix(rest, "text:"); ok {
			f.Text = text
			break
		}
		var part string
		part, rest, _ = strings.Cut(rest, ",")
		key, value, ok := strings.Cut(part, ":")
		switch {
		case ok:
			f.set(key, value)
		case part != "":
			f.Extensions = append(f.Extensions, strings.ToLower(part))
		}
	}
	return f
}

func (f *FileFilter) set(key, value string) {
	switch key {
	case "names":
		f.Names = strings.Split(strings.ToLower(value), "|")
	case "after":
		f.After = value
	case "before":
		f.Before = value
	case "larger":
		f.Larger, _ = strconv.ParseInt(value, 10, 64)
	case "smaller":
		f.Smaller, _ = strconv.ParseInt(value, 10, 64)
	case "order":
		f.Order = value
	}
}

// String writes the filter as the Value of a goal: ".jpg,.png,after:today". A text comes last,
// because it may contain anything.
func (f FileFilter) String() string {
	parts := slices.Clone(f.Extensions)
	add := func(key, value string) {
		if value != "" && value != "0" {
			parts = append(parts, key+":"+value)
		}
	}
	add("names", strings.Join(f.Names, "|"))
	add("after", f.After)
	add("before", f.Before)
	add("larger", strconv.FormatInt(f.Larger, 10))
	add("smaller", strconv.FormatInt(f.Smaller, 10))
	add("order", f.Order)
	add("text", f.Text)
	return strings.Join(parts, ",")
}

// Matches reports whether the filter means the file with a name. A name that consists of an
// extension only, such as ".pdf", has none.
func (f FileFilter) Matches(name string) bool {
	name = strings.ToLower(name)
	if len(f.Names) > 0 && !slices.ContainsFunc(f.Names, func(part string) bool { return strings.Contains(name, part) }) {
		return false
	}
	return len(f.Extensions) == 0 || slices.ContainsFunc(f.Extensions, func(ext string) bool {
		return len(name) > len(ext) && strings.HasSuffix(name, ext)
	})
}
