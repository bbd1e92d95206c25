package parse

import (
	"strings"

	"errand/planner/interpret/lexicon"
)

// Where what is made of a page is kept: "take a screenshot of github.com to my
// documents", "… and save it as x.png".

// Destination is where what is made of a page is to be kept.
type Destination struct {
	Place, Name string
	At          Span
}

// Path is the place with the name in it; a folder ends in a separator.
func (k Destination) Path() string {
	switch {
	case k.Name == "" || k.Place == "":
		return k.Place + k.Name
	case strings.HasSuffix(k.Place, "/") || strings.HasSuffix(k.Place, `\`):
		return k.Place + k.Name
	}
	return JoinPath(k.Place, k.Name)
}

func (k Destination) Ext() string { return lexicon.FileExtension(k.Path()) }

func JoinPath(dir, name string) string {
	sep := "/"
	if strings.Contains(dir, `\`) {
		sep = `\`
	}
	return strings.TrimRight(dir, `/\`) + sep + name
}

// Location is what the words say of where a file or folder lies. Its zero value
// says nothing.
type Location struct {
	Place  string // a known folder: "~/Desktop/"
	Folder string // a folder by its name or path
	Inside bool   // the folder created just before
}

func (w Location) IsKnown() bool { return w != Location{} }

// Join is the path of a name that lies there.
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
