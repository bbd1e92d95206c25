package rights

import (
	"fmt"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Change is one difference between two versions of a plugin.
type Change struct {
	Text   string `json:"text"`
	Widens bool   `json:"widens"` // it may do more than before
}

// Widens reports whether any change widens the rights.
func Widens(changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return c.Widens })
}

// Compare returns the differences, widening ones first. A right widens unless an
// earlier grant certainly covers it; patterns are compared as text.
func Compare(was, is List) []Change {
	var changes []Change
	note := func(widens bool, m message.Message) {
		changes = append(changes, Change{fmt.Sprintf(format, args...), widens})
	}
	for _, r := range is.with(was) {
		before, known := was.find(r)
		switch {
		case known && before == r:
		case r.numeric():
			if text := r.moved(before, known, is); text != "" {
				note(r.exceeds(before, known), message.Verbatim(text))
			}
		case r.denies():
			note(false, message.Verbatim(r.sentence()))
		case r.Kind == Answers: // the line of a new tool includes it
			if was.hasTool(r.Name) {
				note(true, message.Verbatim(r.sentence()))
			}
		case r.Kind == Tool && known:
			note(!stronger(before.Level, r.Level), message.New("rights.tool_before", "name", r.Name, "level", said(r.Level), "level2", said(before.Level)))
		case r.Kind == Tool:
			note(!strings.HasPrefix(r.Level, string(tool.Read)+"/"), message.New("rights.new_tool", "name", r.Name, "level", said(r.Level)))
		case r.Kind == Folder && known:
			note(r.Level == "rw", message.New("rights.and_not_only", "does", r.does(), "name", r.Name, "does2", Right{Folder, before.Level, ""}.does()))
		default:
			note(true, message.Verbatim(r.sentence()))
		}
	}
	for _, r := range was {
		if _, still := is.find(r); still || r.numeric() {
			continue
		}
		switch {
		case r.denies():
			note(is.allows(r), message.New("rights.no_longer", "sentence", r.sentence()))
		case r.Kind == Answers:
			if is.hasTool(r.Name) {
				note(false, message.New("rights.what_answers_counts_as", "name", r.Name))
			}
		case r.Kind == Goal && !is.hasTool(r.Name): // the tool's line includes it
		case r.Kind == Tool:
			note(false, message.New("rights.tool_is_gone", "name", r.Name))
		default:
			note(false, message.New("rights.no_longer", "sentence", r.sentence()))
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int {
		switch {
		case a.Widens == b.Widens:
			return 0
		case a.Widens:
			return -1
		}
		return 1
	})
	return changes
}

// find returns the right about the same object.
func (l List) find(r Right) (Right, bool) {
	i := slices.IndexFunc(l, func(other Right) bool {
		same := other.Kind == r.Kind && other.Name == r.Name
		if r.Kind == Secret || r.Kind == Host || r.Kind == Goal {
			same = same && other.Level == r.Level
		}
		return same
	})
	if i < 0 {
		return Right{}, false
	}
	return l[i], true
}

func (l List) hasTool(name string) bool {
	_, ok := l.find(Right{Tool, "", name})
	return ok
}

// allows reports whether the list grants what the denial is an exception to.
func (l List) allows(denial Right) bool {
	return slices.ContainsFunc(l, func(r Right) bool {
		return r.Kind == denial.Kind && !r.denies() && (r.Kind == Host || r.Name == denial.Name)
	})
}

func (l List) any(kind Kind, level string) bool {
	return slices.ContainsFunc(l, func(r Right) bool { return r.Kind == kind && r.Level == level })
}

// with adds the missing limits of other with their default values, because an
// older list may lack newer limits.
func (l List) with(other List) List {
	all := slices.Clone(l)
	for _, r := range other {
		if _, ok := l.find(r); !ok && r.Kind == Limit {
			all = append(all, Right{Limit, usualLevel(r.Name), r.Name})
		}
	}
	return all.sorted()
}

func usualLevel(limit string) string {
	if n, ok := usual[limit]; ok {
		return number(n)
	}
	return unbounded
}

// exceeds reports whether a limit is higher than before. A limit of a new folder
// is part of the folder's line.
func (r Right) exceeds(before Right, known bool) bool {
	if !known && r.Kind != Limit {
		return false
	}
	if !known {
		before = Right{Limit, usualLevel(r.Name), r.Name}
	}
	was, _ := before.amount()
	now, _ := r.amount()
	return now > was
}

// moved describes how a limit changed, or returns "".
func (r Right) moved(before Right, known bool, is List) string {
	if !known {
		if r.Kind != Limit || r.Level == usualLevel(r.Name) {
			return ""
		}
		before = Right{Limit, usualLevel(r.Name), r.Name}
	}
	return fmt.Sprintf("%s: %s instead of %s", r.limited(), r.measure(), before.measure())
}

// stronger reports whether a tool of class/effect a may do everything that one of
// b may.
func stronger(a, b string) bool {
	classA, effectA, _ := strings.Cut(a, "/")
	classB, effectB, _ := strings.Cut(b, "/")
	order := []string{string(tool.Read), string(tool.Write), string(tool.Auth)}
	if slices.Index(order, classB) > slices.Index(order, classA) {
		return false
	}
	looks := effectB == string(tool.EffectRead) || effectB == string(tool.EffectNavigate) && effectA != string(tool.EffectRead)
	return effectA == effectB || looks
}

// limited returns the name of a limit.
func (r Right) limited() string {
	switch r.Kind {
	case Quota:
		return "bytes written a call below " + r.Name
	case MaxFile:
		return "largest file below " + r.Name
	}
	return "limits." + r.Name
}

// measure formats a limit with its unit.
func (r Right) measure() string {
	n, _ := r.amount()
	switch {
	case r.Level == unbounded:
		return "no bound"
	case r.Kind != Limit || slices.Contains([]string{"memory", "output", "http_body", "vars"}, r.Name):
		return manifest.Size(n).String()
	}
	return r.Level
}
