package policy

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"errand/planner/message"
	"errand/policy/glob"
)

// Cover is a file or folder that a call uses with everything below it.
type Cover struct {
	Path string // absolute and clean
	// Unnamed reports that no argument names the path. Then it stands for every argument.
	Unnamed bool
	// Creates reports that the call may create anything below the path. Otherwise it uses
	// only what exists.
	Creates bool
	// Follows reports that the call also uses what links below the path lead to.
	Follows bool
}

// inner is a path that a call covers and a rule is about.
type inner struct {
	folder string // that the call covers
	path   string // in the folder, or the pattern of the rule for what may be created
	found  bool
}

// below finds a path below a covered one that an argument of the rule matches. The call
// counts as if it named that path too. A rule that allows needs the path itself.
func (c *rule) below(q *question, a *argument) inner {
	if c.Verdict == Allow || len(q.Covers) == 0 {
		return inner{}
	}
	value, named := a.find(q.Args)
	for _, cover := range q.Covers {
		if !cover.Unnamed && (!named || filepath.Clean(value) != cover.Path) {
			continue
		}
		if path, found := c.search(q, a, cover); found {
			return inner{cover.Path, path, true}
		}
	}
	return inner{}
}

// search finds a path below a cover that a pattern matches.
func (c *rule) search(q *question, a *argument, cover Cover) (path string, found bool) {
	wants := c.readPattern(a)
	readings := readPath(cover.Path, q.Places, c.realPath)
	if cover.Unnamed {
		wants = slices.DeleteFunc(wants, func(w string) bool { return !isPath(w) && !strings.HasPrefix(w, "*/") })
		if slices.ContainsFunc(readings, func(r string) bool { return c.matchAny(wants, r) }) {
			return a.want, true
		}
	}
	mayMatch := slices.ContainsFunc(readings, func(r string) bool {
		return slices.ContainsFunc(wants, func(w string) bool { return mayMatchBelow(w, r) })
	})
	switch {
	case cover.Creates || c.walkPaths == nil:
		return a.want, mayMatch
	case !mayMatch && !cover.Follows:
		return "", false
	}
	real := cover.Path
	if known := q.Places[cover.Path]; len(known) > 0 {
		real = cmp.Or(known[0], real)
	} else if c.realPath != nil {
		real = c.realPath(real)
	}
	all := c.walkPaths(real, cover.Follows, func(at string) bool {
		rel, isBelow := strings.CutPrefix(at, strings.TrimSuffix(real, "/")+"/")
		if c.matchAny(wants, at) || isBelow && slices.ContainsFunc(readings, func(r string) bool { return c.matchAny(wants, filepath.Join(r, rel)) }) {
			path, found = at, true
		}
		return found
	})
	if !all && mayMatch && !found { // the rest is unknown
		return a.want, true
	}
	return path, found
}

// decision is what a rule that applies decides. The reason names the path below a folder of
// the call, if that is why the rule applies.
func (c *rule) decision(q *question) Decision {
	d := c.outcome
	for i := range c.args {
		a := &c.args[i]
		if c.matchArgument(q, a) {
			continue
		}
		in := c.below(q, a)
		d.Reason = message.New("policy.rule_below", "folder", in.folder, "path", in.path, "rule", d.Rule, "reason", d.Reason)
		break
	}
	return d
}

// mayMatchBelow says whether a pattern may match a path below a folder.
func mayMatchBelow(pattern, folder string) bool {
	return glob.MayBegin(pattern, strings.TrimSuffix(folder, "/")+"/")
}
