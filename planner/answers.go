package planner

import (
	"slices"
	"strings"

	"errand/planner/plan"
)

// The questions of the planner. The id of a question is the id of its goal plus one
// of these: "g1.target". Which of two contradicting goals is meant, "g1.or.g2", is
// asked after all other questions.
const (
	askTarget   = ".target" // which app, which path, what to tell
	askAction   = ".action" // create or delete
	askType     = ".type"   // file or folder
	askConflict = ".or."    // create or delete, where both were said
)

// fill puts answers into the goals that left a slot open. It ignores answers to
// anything else and values that were not offered.
func (m *merger) fill(answers map[string]string) {
	for id, i := range m.ids() {
		g := &m.goals[i]
		fill := func(slot *string, ask string, offered ...string) {
			value := answers[id+ask]
			if strings.TrimSpace(*slot) == "" && (len(offered) == 0 || slices.Contains(offered, value)) {
				*slot = strings.TrimSpace(value)
			}
		}
		switch g.GoalType {
		case plan.AppLaunch, plan.SystemQuery:
			fill(&g.Target, askTarget)
		case plan.FileOperation:
			fill(&g.Target, askTarget)
			fill(&g.Action, askAction, "create", "delete")
			fill(&g.ObjectType, askType, "file", "folder")
		}
	}
}

// removeRejected removes the goals that answers gave up, unless it would remove all.
func (m *merger) removeRejected(answers map[string]string) {
	ids := m.ids()
	lost := map[int]bool{}
	for id, i := range ids {
		for otherID, j := range ids {
			switch answers[id+askConflict+otherID] {
			case "":
			case actionOf(m.goals[i]):
				lost[j] = true
			case actionOf(m.goals[j]):
				lost[i] = true
			}
		}
	}
	if len(lost) == len(ids) {
		return
	}
	for i := range lost {
		m.isRemoved[i] = true
	}
}

// typeOf is the object type of a file goal: as given, or guessed from its path.
func typeOf(g plan.Goal) string {
	if kind := normalizeID(g.ObjectType); kind != "" {
		return kind
	}
	return kindOf(strings.TrimSpace(g.Target))
}

// actionOf is the action of a file goal, with aliases resolved.
func actionOf(g plan.Goal) string {
	action := normalizeID(g.Action)
	if alias, ok := actionAliases[action]; ok {
		return alias
	}
	return action
}
