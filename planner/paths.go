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
	case target == "":
		return &plan.Question{ID: askTarget, Question: message.New("question.which_path"), FreeTextAllowed: true}
	case m.action == "":
		return &plan.Question{ID: askAction, Question: message.New("question.file_action", "path", target), Choices: []plan.Choice{
			{Label: message.New("question.choice_create"), Value: "create"}, {Label: message.New("question.choice_delete"), Value: "delete"},
		}}
	case g.ObjectType == "":
		return &plan.Question{ID: askType, Question: message.New("question.file_or_folder", "path", target), Choices: []plan.Choice{
			{Label: message.New("question.choice_file"), Value: "file"}, {Label: message.New("question.choice_folder"), Value: "folder"},
		}}
	}
	g.Target = target
	m.path = trimSeparators(target)
	m.effect = g.ObjectType + "_" + pastTense(m.action)
	switch {
	case strings.HasPrefix(target, "./"):
		m.refusal = message.New("reason.no_working_folder")
	case !isAbsolute(target):
		m.refusal = message.New("reason.relative_path", "path", target)
	case slices.Contains(segments(target), ".."):
		m.refusal = message.New("reason.climbing_path", "path", target)
	case len(segments(target)) == 0:
		m.refusal = message.New("reason.root_path", "path", target)
	default:
		m.isTrue = a.isRemembered(m)
		m.hasItems = slices.Contains(a.request.World.RecentFacts, "has_items:"+m.path)
	}
	return nil
}

func pastTense(action string) string {
	if strings.HasSuffix(action, "e") {
		return action + "d"
	}
	return action + "ed"
}

// isRemembered reports whether the latest fact about a path agrees with the aim:
// exists:<path>, or gone:<path> (also !exists:<path>).
func (a *agenda) isRemembered(m *aim) bool {
	for _, f := range slices.Backward(a.request.World.RecentFacts) {
		if p, ok := strings.CutPrefix(f, "exists:"); ok && trimSeparators(p) == m.path {
			return m.action == "create"
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
