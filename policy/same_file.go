package policy

import (
	"cmp"
	"maps"
	"path/filepath"

	"errand/policy/folder"
	"errand/policy/glob"
	"errand/policy/pointer"
)

// findSameFile finds a file that an argument of the rule matches and that the call uses
// by another name: a hard link. It finds the files below the folder before the first
// wildcard of the pattern, as far as [Settings.WalkPaths] visits them. A rule that
// allows needs the path itself.
func (c *rule) findSameFile(q *question, a *argument) coveredPath {
	if c.Verdict == Allow || c.fileID == nil {
		return coveredPath{}
	}
	value, _ := a.place.Find(q.Args)
	texts, isList := pointer.Items(value)
	if !isList {
		texts = []string{pointer.Text(value)}
	}
	for _, text := range texts {
		if !folder.IsPath(text) {
			continue
		}
		if id := c.fileID(c.resolve(q, filepath.Clean(text))); id != "" {
			if other := c.listSameFiles(q, a)[id]; other != "" {
				return coveredPath{folder: text, path: other, isSame: true}
			}
		}
	}
	for _, cover := range q.Covers {
		if c.isAbout(q, a, cover) {
			if p := c.findSameBelow(q, a, cover); p.exists() {
				return p
			}
		}
	}
	return coveredPath{}
}

// findSameBelow does the same for the files that a call uses with a folder.
func (c *rule) findSameBelow(q *question, a *argument, cover Cover) (found coveredPath) {
	if cover.Entry || c.walkPaths == nil {
		return coveredPath{}
	}
	real := c.resolve(q, cmp.Or(cover.Copies, cover.Path))
	used := maps.Clone(q.Folders.FindShared(c.walkPaths, c.fileID, real, cover.Follows))
	if id := c.fileID(real); id != "" {
		used[id] = []string{real}
	}
	if len(used) == 0 {
		return coveredPath{}
	}
	for id, other := range c.listSameFiles(q, a) {
		if at := used[id]; len(at) > 0 && (!found.exists() || at[0] < found.folder) {
			found = coveredPath{folder: at[0], path: other, isSame: true}
		}
	}
	return found
}

// listSameFiles returns, by file id, a path of each file with several names that an
// argument of the rule matches.
func (c *rule) listSameFiles(q *question, a *argument) map[string]string {
	wants := c.readPattern(q, a)
	byID := map[string]string{}
	add := func(id, path string) {
		if id != "" && byID[id] == "" {
			byID[id] = path
		}
	}
	for _, want := range wants {
		parent, rest := glob.CutFolder(want)
		switch {
		case !folder.IsPath(parent):
		case rest == "":
			add(c.fileID(want), want)
		case c.walkPaths != nil:
			for id, paths := range q.Folders.FindShared(c.walkPaths, c.fileID, parent, false) {
				for _, path := range paths {
					if c.matchAny(wants, path) {
						add(id, path)
					}
				}
			}
		}
	}
	return byID
}

// resolve returns a path without links, as the call uses it.
func (c *rule) resolve(q *question, path string) string {
	if known := q.Places[path]; len(known) > 0 {
		return cmp.Or(known[0], path)
	}
	if c.realPath != nil {
		return c.realPath(path)
	}
	return path
}
