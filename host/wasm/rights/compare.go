package rights

import (
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
)

// Change is one difference between two versions of a plugin.
type Change struct {
	Text   message.Message `json:"text"`
	Widens bool            `json:"widens"` // it may do more than before
}

// HasWidening reports whether any change widens the rights.
func HasWidening(changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return c.Widens })
}

// Compare returns the differences, widening ones first. A right widens unless an
// earlier grant certainly covers it; patterns are compared as text.
func Compare(was, is List) []Change {
	var changes []Change
	note := func(widens bool, m message.Message) {
		changes = append(changes, Change{m, widens})
	}
	for _, r := range is.withRight(was) {
		before, known := was.find(r)
		switch {
		case known && before == r:
		case r.isNumeric():
			if m := r.describeChange(before, known); !m.IsZero() {
				note(r.isStrongerThan(before, known), m)
			}
		case r.isDenial():
			note(false, r.sentence())
		case r.Kind == Setting && r.Level == asSecret: // the lines of its hosts say it
			if known {
				note(false, message.New("rights.setting_is_secret", "name", r.Name))
			}
		case r.Kind == Setting && (known || was.hasSecret(r.Name)):
			note(true, message.New("rights.reads_former_secret", "name", r.Name))
		case r.Kind == Answers: // the line of a new tool includes it
			if was.hasTool(r.Name) {
				note(true, r.sentence())
			}
		case r.Kind == Below && was.hasRight(Right{Writes, "any", r.Name}):
		case r.Kind == Tool && known:
			note(!isStronger(before.Level, r.Level), message.New("rights.tool_does_now", "tool", r.Name, "does", describeLevel(r.Level), "before", describeLevel(before.Level)))
		case r.Kind == Tool:
			note(!strings.HasPrefix(r.Level, string(tool.Read)+"/"), message.New("rights.new_tool", "tool", r.Name, "does", describeLevel(r.Level)))
		case r.Kind == Folder && known:
			if r.Level == "rw" {
				note(true, message.New("rights.changes_now", "root", r.Name))
			} else {
				note(false, message.New("rights.only_reads_now", "root", r.Name))
			}
		default:
			note(true, r.sentence())
		}
	}
	for _, r := range was {
		if _, still := is.find(r); still || r.isNumeric() {
			continue
		}
		switch {
		case r.isDenial():
			note(is.allows(r), message.New("rights.no_longer", "right", r.sentence()))
		case r.Kind == Setting && r.Level == asSecret:
		case r.Kind == Answers:
			if is.hasTool(r.Name) {
				note(false, message.New("rights.answers_of_others", "tool", r.Name))
			}
		case slices.Contains(ofTool, r.Kind) && !is.hasTool(r.toolName()): // the tool's line includes it
		case r.Kind == Below && is.hasRight(Right{Writes, "any", r.Name}): // the wider line includes it
		case r.Kind == Tool:
			note(false, message.New("rights.tool_gone", "tool", r.Name))
		default:
			note(false, message.New("rights.no_longer", "right", r.sentence()))
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
		if r.Kind == Secret || r.Kind == Host || slices.Contains(ofTool, r.Kind) {
			same = same && other.Level == r.Level
		}
		return same
	})
	if i < 0 {
		return Right{}, false
	}
	return l[i], true
}

// ofTool are the kinds that belong to a tool, of which a tool has several.
var ofTool = []Kind{Goal, Below, Part, Effect, Phrase}

// toolName returns the tool of a right of a kind of [ofTool].
func (r Right) toolName() string {
	if r.Kind == Effect || r.Kind == Phrase {
		return r.Level
	}
	return r.Name
}

func (l List) hasRight(r Right) bool { return slices.Contains(l, r) }

func (l List) hasTool(name string) bool {
	_, ok := l.find(Right{Tool, "", name})
	return ok
}

// hasSecret reports whether the setting was a secret, also in a list without settings.
func (l List) hasSecret(name string) bool {
	return slices.ContainsFunc(l, func(r Right) bool { return r.Kind == Secret && r.Name == name })
}

// allows reports whether the list grants what the denial is an exception to.
func (l List) allows(denial Right) bool {
	return slices.ContainsFunc(l, func(r Right) bool {
		return r.Kind == denial.Kind && !r.isDenial() && (r.Kind == Host || r.Name == denial.Name)
	})
}

func (l List) hasKind(kind Kind, level string) bool {
	return slices.ContainsFunc(l, func(r Right) bool { return r.Kind == kind && r.Level == level })
}

// withRight adds the missing limits of other with their default values, because an
// older list may lack newer limits.
func (l List) withRight(other List) List {
	all := slices.Clone(l)
	for _, r := range other {
		if _, ok := l.find(r); !ok && r.Kind == Limit {
			all = append(all, Right{Limit, usualLevel(r.Name), r.Name})
		}
	}
	return all.normalize()
}

func usualLevel(limit string) string {
	if n, ok := defaults[limit]; ok {
		return number(n)
	}
	return unbounded
}

// isStrongerThan reports whether a limit is higher than before. A limit of a new folder
// is part of the folder's line.
func (r Right) isStrongerThan(before Right, known bool) bool {
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

// describeChange describes how a limit changed, or returns the zero Message.
func (r Right) describeChange(before Right, known bool) message.Message {
	if !known {
		if r.Kind != Limit || r.Level == usualLevel(r.Name) {
			return message.Message{}
		}
		before = Right{Limit, usualLevel(r.Name), r.Name}
	}
	return r.describeNewAmount(before)
}

// isStronger reports whether a tool of class/effect a may do everything that one of
// b may.
func isStronger(a, b string) bool {
	classA, effectA, _ := strings.Cut(a, "/")
	classB, effectB, _ := strings.Cut(b, "/")
	order := []string{string(tool.Read), string(tool.Write), string(tool.Auth)}
	if slices.Index(order, classB) > slices.Index(order, classA) {
		return false
	}
	looks := effectB == string(tool.EffectRead) || effectB == string(tool.EffectNavigate) && effectA != string(tool.EffectRead)
	return effectA == effectB || looks
}
