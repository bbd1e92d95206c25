package parse

import (
	"strings"

	"errand/planner/interpret/lexicon"
)

// Destination is where to save the result of a page action: "to my documents", "as
// x.png".
type Destination struct {
	Place, Name string
	At          Span
	Unknown     Span // the words of a place that is not known: "to google drive"
}

// Path joins place and name. A folder ends in a separator.
func (k Destination) Path() string {
	switch {
	case k.Name == "" || k.Place == "":
		return k.Place + k.Name
	case strings.HasSuffix(k.Place, "/") || strings.HasSuffix(k.Place, `\`):
		return k.Place + k.Name
	}
	return JoinPath(k.Place, k.Name)
}

// Ext is the extension of the path.
func (k Destination) Ext() string { return lexicon.FileExtension(k.Path()) }

// JoinPath joins a folder and a name with the separator that the folder uses.
func JoinPath(dir, name string) string {
	sep := "/"
	if strings.Contains(dir, `\`) {
		sep = `\`
	}
	return strings.TrimRight(dir, `/\`) + sep + name
}

// Location is the place of a file or folder in the words. The zero value names none.
type Location struct {
	Place  string // a known folder: "~/Desktop/"
	Folder string // a folder by its name or path
	Inside bool   // the folder created just before
}

// IsKnown reports whether the words name a place.
func (w Location) IsKnown() bool { return w != Location{} }

// Join is the path of a name at the place.
func (w Location) Join(name string) string {
	switch {
	case w.Folder != "" && !lexicon.IsPath(w.Folder):
		return JoinPath(w.Place+w.Folder, name)
	case w.Folder != "":
		return JoinPath(w.Folder, name)
	case w.Place != "" && !lexicon.IsPath(name):
		return w.Place + name
	}
	return name
}
