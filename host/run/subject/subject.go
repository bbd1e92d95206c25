// Package subject is what the approval of a call covers beside its arguments: the site of its
// page, the files that it names, and what it would destroy.
package subject

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"errand/host/realpath"
	"errand/host/tool"
)

// Subject is the state that an approval covers.
type Subject struct {
	Site     string // of the page on which the call acts; see [tool.Call]
	Files    []tool.FileState
	Identity string   // of the forecast
	GoesTo   string   // destination of the forecast
	Destroys []string // paths, perhaps not all
	Count    int      // of what it destroys
}

// Of returns the subject of a call that acts on this site, names these files and has this
// forecast, or nil.
func Of(site string, files []tool.FileState, f *tool.Forecast) Subject {
	s := Subject{Site: site, Files: files}
	if f != nil {
		s.Identity, s.GoesTo, s.Destroys, s.Count = f.Identity, f.Destination, f.Destroys, f.Count
	}
	return s
}

// Fingerprint identifies the state. It is empty if the call names and destroys nothing.
func (s Subject) Fingerprint() string {
	if len(s.Files) == 0 && s.Site == "" && s.Identity == "" && s.GoesTo == "" {
		return ""
	}
	b, err := json.Marshal([]any{s.Files, s.Identity, s.GoesTo, s.Site})
	if err != nil { // texts and numbers
		return "unhashable"
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Compare reports whether nothing has changed, and else the first path that has, if it is
// known.
func (s Subject) Compare(now Subject) (path string, same bool) {
	for i, f := range s.Files {
		if i >= len(now.Files) || now.Files[i] != f {
			return f.Path, false
		}
	}
	return "", s.Site == now.Site && len(s.Files) == len(now.Files) && s.Identity == now.Identity && s.GoesTo == now.GoesTo
}

// Overlaps reports whether a call that names these files may change the subject.
func (s Subject) Overlaps(files []tool.FileState, folders []string) bool {
	return slices.ContainsFunc(s.Files, func(mine tool.FileState) bool {
		near := func(a, b string) bool { return realpath.Contains(a, b) || realpath.Contains(b, a) }
		return slices.ContainsFunc(files, func(f tool.FileState) bool {
			return near(f.Path, mine.Path) || f.Real != "" && near(f.Real, mine.Real)
		}) || slices.ContainsFunc(folders, func(f string) bool { return realpath.Contains(f, mine.Path) || realpath.Contains(f, mine.Real) })
	})
}
