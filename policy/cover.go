package policy

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"errand/planner/message"
	"errand/policy/folder"
	"errand/policy/glob"
	"errand/policy/pointer"
)

// Cover is a file or folder that a call uses, including everything below it.
type Cover struct {
	Path string // absolute and clean
	// Unnamed means that no argument names the path, so that rules about any argument
	// apply to it.
	Unnamed bool
	// Creates reports that the call may create anything below the path. Otherwise it uses
	// only what exists.
	Creates bool
	// Follows reports that the call also uses what links below the path lead to.
	Follows bool
	// Copies is the file or folder that the call copies or moves to Path, if known. Then the
	// call creates below Path only what is below Copies now.
	Copies string
	// Entry reports that the call creates only one file directly in Path, under a name that
	// isn't known yet.
	Entry bool
	// Pointer is the JSON pointer of the argument that Path belongs to, if its value isn't
	// Path itself.
	Pointer string
}

// coveredPath is a path below a Cover that a rule matches. The zero value means none.
type coveredPath struct {
	folder string // the path of the Cover
	path   string // in the folder; the pattern of the rule if isPossible
	// isPossible means that the path is not known to exist, but the call may create it,
	// or the folder could not be searched completely.
	isPossible bool
	isSame     bool // the path is another name of the file "folder"
}

func (p coveredPath) exists() bool { return p.folder != "" }

// findPath finds a path that the call uses without naming it and that an argument of
// the rule matches.
func (c *rule) findPath(q *question, a *argument) coveredPath {
	if p := c.findCovered(q, a); p.exists() {
		return p
	}
	return c.findSameFile(q, a)
}

// findCovered finds a path below a Cover that an argument of the rule matches. Then the
// rule applies as if the call named that path. A rule that allows needs the path
// itself.
func (c *rule) findCovered(q *question, a *argument) coveredPath {
	if c.Verdict == Allow || len(q.Covers) == 0 {
		return coveredPath{}
	}
	for _, cover := range q.Covers {
		if !c.isAbout(q, a, cover) {
			continue
		}
		if p := c.search(q, a, cover); p.exists() {
			return p
		}
		if p := c.searchOthers(q, a, cover); p.exists() {
			return p
		}
	}
	return coveredPath{}
}

// searchOthers is search for the other paths of what a call uses.
func (c *rule) searchOthers(q *question, a *argument, cover Cover) coveredPath {
	used := cover.Path
	for _, other := range folder.ListOthers(c.resolve(q, used), !cover.Entry, c.readMounts(q)) {
		cover.Path = other
		if p := c.search(q, a, cover); p.exists() {
			p.folder = used
			return p
		}
	}
	return coveredPath{}
}

// isAbout reports whether a Cover belongs to an argument of the rule.
func (c *rule) isAbout(q *question, a *argument, cover Cover) bool {
	if cover.Pointer != "" {
		return cover.Pointer == a.pointer
	}
	value, _ := a.place.Find(q.Args)
	return cover.Unnamed || namesPath(value, cover.Path)
}

// namesPath reports whether a value is the path or a list with it.
func namesPath(value any, path string) bool {
	isIt := func(text string) bool { return filepath.Clean(text) == path }
	if text, ok := value.(string); ok {
		return isIt(text)
	}
	items, _ := pointer.Items(value)
	return slices.ContainsFunc(items, isIt)
}

// search finds a path below a Cover that matches a pattern.
func (c *rule) search(q *question, a *argument, cover Cover) coveredPath {
	wants := c.readPattern(q, a)
	readings := folder.Readings(cover.Path, q.Places, c.realPath)
	possible := coveredPath{folder: cover.Path, path: a.want, isPossible: true}
	if cover.Unnamed {
		wants = slices.DeleteFunc(wants, func(w string) bool { return !folder.IsPath(w) && !strings.HasPrefix(w, "*/") })
		if slices.ContainsFunc(readings, func(r string) bool { return c.matchAny(wants, r) }) {
			return possible
		}
	} else if cover.Pointer != "" && !cover.Entry && slices.ContainsFunc(readings, func(r string) bool { return c.matchAny(wants, r) }) {
		return coveredPath{folder: filepath.Dir(cover.Path), path: cover.Path, isPossible: true}
	}
	mayMatch := slices.ContainsFunc(readings, func(r string) bool {
		return slices.ContainsFunc(wants, func(w string) bool { return cover.mayMatch(w, r) })
	})
	switch {
	case !mayMatch && !cover.Follows:
		return coveredPath{}
	case cover.Creates && cover.Copies == "" || cover.Entry || c.walkPaths == nil:
		if mayMatch {
			return possible
		}
		return coveredPath{}
	}
	real := c.resolve(q, cmp.Or(cover.Copies, cover.Path))
	below := glob.Below(real)
	var mounts folder.Mounts
	if cover.Follows { // a link may lead to a mount
		mounts = c.readMounts(q)
	}
	var match string
	all := q.Folders.Walk(c.walkPaths, real, cover.Follows, func(at string) bool {
		rel, isBelow := strings.CutPrefix(at, below)
		if cover.Copies == "" && slices.ContainsFunc(folder.AddOthers([]string{at}, mounts), func(r string) bool { return c.matchAny(wants, r) }) {
			match = at
		} else if isBelow && slices.ContainsFunc(readings, func(r string) bool { return c.matchAny(wants, glob.Below(r)+rel) }) {
			match = at
			if cover.Copies != "" {
				match = glob.Below(cover.Path) + rel
			}
		}
		return match != ""
	})
	switch {
	case match != "":
		return coveredPath{folder: cover.Path, path: match}
	case !all && mayMatch: // the rest is unknown
		return possible
	}
	return coveredPath{}
}

// decision returns the rule's decision. If the rule applies because of a path below a
// folder of the call, the reason names that path.
func (c *rule) decision(q *question) Decision {
	d := c.outcome
	for i := range c.args {
		a := &c.args[i]
		if c.matchArgument(q, a) {
			continue
		}
		p, code := c.findPath(q, a), "policy.rule_below"
		switch {
		case p.isPossible:
			code = "policy.rule_maybe_below"
		case p.isSame:
			code = "policy.rule_same_file"
		}
		d.Reason = message.New(code, "folder", p.folder, "path", p.path, "reason", d.Reason)
		break
	}
	return d
}

// mayMatch reports whether a pattern can match a path below the folder that the call
// uses.
func (c Cover) mayMatch(pattern, path string) bool {
	if c.Entry {
		return glob.MatchesEntry(pattern, path)
	}
	return glob.MayBegin(pattern, glob.Below(path))
}
