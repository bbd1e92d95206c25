package policy

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"errand/planner/message"
	"errand/policy/folder"
	"errand/policy/glob"
	"errand/policy/pointer"
)

// argument is a parsed entry of a rule's Args.
type argument struct {
	pointer string
	place   pointer.Pointer
	want    string // exact value or glob
	clean   string // want, without empty and dot segments before its first wildcard
}

// parseArguments reads a rule's Args, sorted by their pointers.
func parseArguments(args map[string]string) []argument {
	out := make([]argument, 0, len(args))
	for _, text := range slices.Sorted(maps.Keys(args)) {
		a := argument{pointer: text, place: pointer.Parse(text), want: args[text], clean: args[text]}
		if parent, rest := glob.CutFolder(a.want); folder.IsPath(parent) {
			a.clean = filepath.Clean(parent) + rest
		}
		out = append(out, a)
	}
	return out
}

func argumentConditions(r *Rule) (all []Condition) {
	for _, text := range slices.Sorted(maps.Keys(r.Args)) {
		all = append(all, Condition{text, r.Args[text]})
	}
	return all
}

func checkArguments(c *rule) (errs []error) {
	for _, a := range c.args {
		if !strings.HasPrefix(a.pointer, "/") {
			errs = append(errs, message.Error("policy.bad_argument_pointer", "pointer", a.pointer))
		}
	}
	return errs
}

func matchArguments(c *rule, q *question) bool {
	for i := range c.args {
		if a := &c.args[i]; !c.matchArgument(q, a) && !c.findPath(q, a).exists() {
			return false
		}
	}
	return true
}

func missArguments(c *rule, q *question) (misses []message.Message) {
	for i := range c.args {
		a := &c.args[i]
		switch value, ok := a.place.Find(q.Args); {
		case c.matchArgument(q, a) || c.findPath(q, a).exists():
		case !ok:
			misses = append(misses, message.New("policy.wants_argument", "pointer", a.pointer))
		default:
			misses = append(misses, message.New("policy.wants_value", "pointer", a.pointer, "want", a.want, "actual", shorten(pointer.Text(value))))
		}
	}
	return misses
}

// matchArgument reports whether the argument has the value that the rule wants. A rule
// that denies or asks matches a list if it matches an item of it or its JSON. A rule
// that allows matches a list if it matches every item or equals its JSON.
func (c *rule) matchArgument(q *question, a *argument) bool {
	value, ok := a.place.Find(q.Args)
	if !ok {
		return false
	}
	text := pointer.Text(value)
	items, isList := pointer.Items(value)
	if !isList || len(items) == 0 {
		return c.matchValue(q, a, text)
	}
	if c.Verdict == Allow {
		return glob.IsLiteral(a.want) && glob.Match(a.want, text) ||
			!slices.ContainsFunc(items, func(item string) bool { return !c.matchValue(q, a, item) })
	}
	return c.matchText(a.want, text) || slices.ContainsFunc(items, func(item string) bool { return c.matchValue(q, a, item) })
}

// matchValue reports whether the value of an argument matches. A path has several
// readings, see [folder.Readings]. A rule that denies or asks matches if one of them
// does, or another path of the same file. A rule that allows matches if all do.
func (c *rule) matchValue(q *question, a *argument, value string) bool {
	if clean := filepath.Clean(value); !folder.IsPath(value) || c.realPath == nil && c.mounts == nil && q.Places == nil && clean == value {
		return c.matchText(a.want, value) || c.matchText(a.clean, value)
	}
	wants := c.readPattern(q, a)
	matches := func(reading string) bool { return c.matchAny(wants, reading) }
	readings := folder.Readings(value, q.Places, c.realPath)
	if c.Verdict == Allow {
		return !slices.ContainsFunc(readings, func(r string) bool { return !matches(r) })
	}
	return slices.ContainsFunc(folder.AddOthers(readings, c.readMounts(q)), matches)
}

// readMounts returns the mounts that the rule looks at. A rule that allows needs the path
// itself.
func (c *rule) readMounts(q *question) folder.Mounts {
	if c.Verdict == Allow {
		return nil
	}
	return q.Folders.ReadMounts(c.mounts)
}

// readPattern returns the readings of an argument's pattern, see [folder.Readings], and
// those that other mounts give it.
func (c *rule) readPattern(q *question, a *argument) []string {
	wants := []string{a.want, a.clean}
	if parent, rest := glob.CutFolder(a.clean); c.realPath != nil && folder.IsPath(parent) {
		for _, p := range folder.AddOthers(folder.Readings(parent, nil, c.realPath), c.readMounts(q)) {
			wants = append(wants, p+rest)
		}
	}
	slices.Sort(wants)
	return slices.Compact(wants)
}

func (c *rule) matchAny(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return c.matchText(p, text) })
}

// matchText reports whether a text matches a pattern. A rule that denies or asks about
// the files in a folder, "/A/*", also matches the folder "/A", because a call could
// delete it or save into it.
func (c *rule) matchText(pattern, text string) bool {
	if glob.Match(pattern, text) {
		return true
	}
	parent, ok := strings.CutSuffix(pattern, "/*")
	return ok && c.Verdict != Allow && folder.IsPath(text) && glob.Match(parent, text)
}

// shorten cuts a value to 80 characters.
func shorten(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
