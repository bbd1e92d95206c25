package policy

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"errand/planner/message"
	"errand/policy/folder"
	"errand/policy/glob"
	"errand/policy/special"
)

// argument is an entry of a rule's Args, ready to be looked up.
type argument struct {
	pointer string
	tokens  []string // of the pointer
	want    string   // exact value or glob
	clean   string   // want, without empty and dot segments before its first wildcard
}

// parseArguments reads a rule's Args, sorted by their pointers.
func parseArguments(args map[string]string) []argument {
	out := make([]argument, 0, len(args))
	for _, pointer := range slices.Sorted(maps.Keys(args)) {
		a := argument{pointer: pointer, want: args[pointer], clean: args[pointer]}
		if parent, rest := glob.CutFolder(a.want); folder.IsPath(parent) {
			a.clean = filepath.Clean(parent) + rest
		}
		for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			a.tokens = append(a.tokens, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
		}
		out = append(out, a)
	}
	return out
}

func argumentConditions(r *Rule) (all []Condition) {
	for _, pointer := range slices.Sorted(maps.Keys(r.Args)) {
		all = append(all, Condition{pointer, r.Args[pointer]})
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
		if a := &c.args[i]; !c.matchArgument(q, a) && !c.findCovered(q, a).exists() {
			return false
		}
	}
	return true
}

func missArguments(c *rule, q *question) (misses []message.Message) {
	for i := range c.args {
		a := &c.args[i]
		switch value, ok := a.find(q.Args); {
		case c.matchArgument(q, a) || c.findCovered(q, a).exists():
		case !ok:
			misses = append(misses, message.New("policy.wants_argument", "pointer", a.pointer))
		default:
			misses = append(misses, message.New("policy.wants_value", "pointer", a.pointer, "want", a.want, "actual", shorten(value)))
		}
	}
	return misses
}

// matchArgument says whether the argument that a refers to has the value that it wants.
func (c *rule) matchArgument(q *question, a *argument) bool {
	value, ok := a.find(q.Args)
	return ok && c.matchValue(q, a, value)
}

// matchValue says whether the value of an argument matches. A path has several readings,
// see [folder.Readings]. A rule that denies or asks matches if one of them does, and a rule that
// allows if all do.
func (c *rule) matchValue(q *question, a *argument, value string) bool {
	if clean := filepath.Clean(value); !folder.IsPath(value) || c.realPath == nil && q.Places == nil && clean == value {
		return c.matchText(a.want, value) || c.matchText(a.clean, value)
	}
	wants := c.readPattern(a)
	matches := func(reading string) bool { return c.matchAny(wants, reading) }
	readings := folder.Readings(value, q.Places, c.realPath)
	if c.Verdict == Allow {
		return !slices.ContainsFunc(readings, func(r string) bool { return !matches(r) })
	}
	return slices.ContainsFunc(readings, matches)
}

// readPattern returns what the pattern of an argument may mean, see [folder.Readings].
func (c *rule) readPattern(a *argument) []string {
	wants := []string{a.want, a.clean}
	if parent, rest := glob.CutFolder(a.clean); c.realPath != nil && folder.IsPath(parent) {
		for _, p := range folder.Readings(parent, nil, c.realPath) {
			wants = append(wants, p+rest)
		}
	}
	slices.Sort(wants)
	return slices.Compact(wants)
}

func (c *rule) matchAny(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return c.matchText(p, text) })
}

// matchText says whether a text matches a pattern. A rule that denies or asks about the files
// in a folder, "/A/*", is about the folder "/A" too: a call could delete it, or save into it.
func (c *rule) matchText(pattern, text string) bool {
	if glob.Match(pattern, text) {
		return true
	}
	parent, ok := strings.CutSuffix(pattern, "/*")
	return ok && c.Verdict != Allow && folder.IsPath(text) && glob.Match(parent, text)
}

// find reads the value at the argument's JSON pointer (RFC 6901) as text: a string
// as it is, everything else as JSON.
func (a *argument) find(args map[string]any) (string, bool) {
	var value any = args
	for _, token := range a.tokens {
		switch v := value.(type) {
		case map[string]any:
			inner, ok := v[token]
			if !ok {
				return "", false
			}
			value = inner
		case []any:
			i, ok := parseIndex(token)
			if !ok || i >= len(v) {
				return "", false
			}
			value = v[i]
		default:
			return "", false
		}
	}
	if s, ok := value.(string); ok {
		return s, true
	}
	b, err := json.Marshal(value)
	return string(b), err == nil
}

func parseIndex(token string) (int, bool) {
	if token == "0" {
		return 0, true
	}
	n, ok := special.ParsePort(token) // no sign, no leading zero; longer lists aren't addressed
	return int(n), ok
}

// shorten cuts a value to 80 characters, so that it can be read in a line.
func shorten(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
