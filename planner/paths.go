package planner

import (
	"slices"
	"strings"

	"errand/planner/message"
	"errand/planner/plan"
)

// actionAliases are other words for the two file actions (GoalPlanner
// contract, section 7).
var actionAliases = map[string]string{"mkdir": "create", "make": "create", "rm": "delete"}

// readFile reads a file goal. Its path must be absolute or in the home folder. The
// planner does not know which folders are permitted, so the caller resolves a bare
// name before planning.
func (a *agenda) readFile(m *aim) *plan.Question {
	g := &m.goal
	m.action = actionOf(*g)
	g.ObjectType = typeOf(*g)
	target := strings.TrimSpace(g.Target)
	switch {
	case g.EmptiesTrash():
		m.effect = "trash_emptied"
		m.isTrue = slices.Contains(a.request.World.RecentFacts, plan.TrashEmpty) &&
			!slices.ContainsFunc(a.aims, func(earlier aim) bool { return earlier.action == "delete" }) // which fills it
		return nil
	case target == "":
		return &plan.Question{ID: askTarget, Question: message.New("question.which_path"), FreeTextAllowed: true}
	case m.action == "":
		return &plan.Question{ID: askAction, Question: message.New("question.file_action", "path", target), Choices: []plan.Choice{
			{Label: message.New("question.choice_create"), Value: "create"}, {Label: message.New("question.choice_delete"), Value: "delete"},
		}}
	case g.ObjectType == "" && m.action == plan.FindAction:
		g.ObjectType = "file"
	case g.ObjectType == "":
		return &plan.Question{ID: askType, Question: message.New("question.file_or_folder", "path", target), Choices: []plan.Choice{
			{Label: message.New("question.choice_file"), Value: "file"}, {Label: message.New("question.choice_folder"), Value: "folder"},
		}}
	}
	g.Target = target
	m.path = trimSeparators(target)
	m.effect = g.ObjectType + "_" + pastTense(m.action)
	m.refusal = refusePath(target)
	if to := g.NewPath(); m.refusal.IsZero() && to != "" {
		m.destination = trimSeparators(strings.TrimSpace(to))
		m.refusal = refusePath(m.destination)
	}
	if m.refusal.IsZero() && a.isMissing(m) {
		m.refusal = message.New("reason.not_there", "kind", g.ObjectType, "path", m.path)
	}
	if m.refusal.IsZero() {
		m.refusal = m.refuseAction()
	}
	if m.refusal.IsZero() {
		m.isTrue = a.isRemembered(m)
		m.hasItems = slices.Contains(a.request.World.RecentFacts, "has_items:"+m.path)
	}
	return nil
}

// refusePath returns the reason why a path can't be used, or the zero message.
func refusePath(path string) message.Message {
	switch {
	case strings.HasPrefix(path, "./"):
		return message.New("reason.no_working_folder")
	case !isAbsolute(path):
		return message.New("reason.relative_path", "path", path)
	case slices.Contains(segments(path), ".."):
		return message.New("reason.climbing_path", "path", path)
	case len(segments(path)) == 0:
		return message.New("reason.root_path", "path", path)
	}
	return message.Message{}
}

// refuseAction returns the reason why a file action can't be done with what the goal says,
// or the zero message.
func (m aim) refuseAction() message.Message {
	g := m.goal
	needsPlace := m.action == plan.MoveAction || m.action == plan.CopyAction || m.action == plan.RenameAction
	switch {
	case needsPlace && m.destination == "":
		return message.New("reason.no_destination", "path", m.path)
	case m.destination == m.path:
		return message.New("reason.same_place", "path", m.path)
	case m.action == plan.AppendAction && g.Value == "":
		return message.New("reason.no_text", "path", m.path)
	case needsPlace && isInside(m.destination, m.path):
		return message.New("reason.into_itself", "path", m.path)
	}
	return message.Message{}
}

// irregular are the participles that don't end in "ed", or double a letter.
var irregular = map[string]string{"copy": "copied", "find": "found", "read": "read", "zip": "zipped", "unzip": "unzipped"}

func pastTense(action string) string {
	if participle, ok := irregular[action]; ok {
		return participle
	}
	if strings.HasSuffix(action, "e") {
		return action + "d"
	}
	return action + "ed"
}

// isRemembered reports whether the latest fact about a path agrees with the aim:
// exists:<path>, or gone:<path> (also !exists:<path>). It doesn't count for a path that an
// earlier aim takes away or makes: "rename a to b and create a".
func (a *agenda) isRemembered(m *aim) bool {
	if a.isMovedBefore(m) {
		return false
	}
	for _, f := range slices.Backward(a.request.World.RecentFacts) {
		if p, ok := strings.CutPrefix(f, "exists:"); ok && trimSeparators(p) == m.path {
			return m.action == "create" && m.goal.Value == "" // a text is not known to be there
		}
		for _, prefix := range []string{"gone:", "!exists:"} {
			if p, ok := strings.CutPrefix(f, prefix); ok && trimSeparators(p) == m.path {
				return m.action == "delete"
			}
		}
	}
	return false
}

// oppositeFact is the fact of the aim that undoes a file aim, or "".
func (m aim) oppositeFact() string {
	other := map[string]string{"create": "delete", "delete": "create"}[m.action]
	if other == "" || m.path == "" {
		return ""
	}
	return m.name(other)
}

func (a *agenda) askWhichAction(m, other aim) plan.Question {
	return plan.Question{ID: m.goal.GoalID + askConflict + other.goal.GoalID, Question: message.New("question.create_or_delete", "path", m.path), Choices: []plan.Choice{
		{Label: message.New("question.choice_create"), Value: "create"}, {Label: message.New("question.choice_delete"), Value: "delete"},
	}}
}

const separators = `/\`

// isAbsolute reports whether a path does not depend on the current folder: /…, ~/…,
// C:\… or \\server\….
func isAbsolute(path string) bool {
	drive := len(path) >= 3 && path[1] == ':' && strings.ContainsRune(separators, rune(path[2])) &&
		('a' <= path[0]|0x20 && path[0]|0x20 <= 'z')
	return drive || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) ||
		strings.HasPrefix(path, `\\`)
}

// segments are the names in a path below its root. The drive, the server or the home
// folder are part of the root.
func segments(path string) []string {
	names := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(separators, r) })
	names = slices.DeleteFunc(names, func(s string) bool { return s == "." })
	if len(names) > 0 && (names[0] == "~" || strings.HasSuffix(names[0], ":")) {
		names = names[1:]
	}
	return names
}

func trimSeparators(path string) string {
	if trimmed := strings.TrimRight(path, separators); trimmed != "" {
		return trimmed
	}
	return path
}

// isInside reports whether a path lies below a folder.
func isInside(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && rest != "" && strings.ContainsRune(separators, rune(rest[0]))
}

// parentOf is the path without its last segment, or "" at the root.
func parentOf(path string) string {
	i := strings.LastIndexAny(path, separators)
	if i <= 0 {
		return ""
	}
	return trimSeparators(path[:i])
}

// kindOf guesses the type of a path: a file by its extension, a folder by a final
// separator, else "". "v1.2" may be either.
func kindOf(path string) string {
	if path == "" {
		return ""
	}
	if strings.ContainsRune(separators, rune(path[len(path)-1])) {
		return "folder"
	}
	name := path[strings.LastIndexAny(path, separators)+1:]
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 || dot == len(name)-1 || len(name)-dot-1 > 5 {
		return ""
	}
	if first := name[dot+1] | 0x20; first < 'a' || 'z' < first {
		return ""
	}
	return "file"
}
