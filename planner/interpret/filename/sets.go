package filename

import (
	"cmp"
	"slices"
	"strings"

	"errand/planner/plan"
)

// Bounds of [Sets].
const (
	maxMentions = 8
	maxNamed    = 3 // mentions in one set
)

// Sets lists the sets of mentions that don't overlap, those with the most words first. Each is in
// the order of the text.
func Sets(mentions []Mention, near bool) [][]Mention {
	if !near {
		mentions = slices.DeleteFunc(slices.Clone(mentions), func(m Mention) bool { return m.IsSimilar })
	}
	mentions = mentions[:min(len(mentions), maxMentions)]
	var out [][]Mention
	var add func(from int, set []Mention)
	add = func(from int, set []Mention) {
		if len(set) > 0 && (!near || slices.ContainsFunc(set, func(m Mention) bool { return m.IsSimilar })) {
			out = append(out, slices.SortedFunc(slices.Values(set), func(a, b Mention) int { return cmp.Compare(a.Start, b.Start) }))
		}
		if len(set) == maxNamed {
			return
		}
		for i := from; i < len(mentions); i++ {
			m := mentions[i]
			if !slices.ContainsFunc(set, func(o Mention) bool { return m.Start < o.End && o.Start < m.End }) {
				add(i+1, append(slices.Clone(set), m))
			}
		}
	}
	add(0, nil)
	length := func(set []Mention) (sum int) {
		for _, m := range set {
			sum += m.End - m.Start
		}
		return sum
	}
	slices.SortStableFunc(out, func(a, b []Mention) int { return cmp.Compare(length(b), length(a)) })
	return out
}

// EntriesOf lists the entries of all mentions, each once.
func EntriesOf(mentions []Mention) []Entry {
	var out []Entry
	for _, m := range mentions {
		for _, e := range m.Entries {
			if !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// AreUsed reports whether all names are files or folders of the goals, and no other part of a goal
// has them.
func AreUsed(goals []plan.Goal, names []Name) bool {
	for _, n := range names {
		used := false
		for _, g := range goals {
			if strings.Contains(g.Query, n.Path) || strings.Contains(g.Value, n.Path) {
				return false
			}
			used = used || g.Action == plan.FindAction && g.Target+g.Query == n.Path || g.GoalType == plan.FileOperation && g.Action != "create" && (isAt(g.Target, n.Path) || isAt(g.Destination, n.Path))
		}
		if !used {
			return false
		}
	}
	return true
}

// isAt reports whether a path is a file or folder, or below it.
func isAt(path, above string) bool {
	rest, ok := strings.CutPrefix(path, above)
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(above, "/"))
}
