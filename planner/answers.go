package planner

import (
	"slices"
	"strings"

	"errand/planner/catalogue"
	"errand/planner/plan"
)

// What the planner asks about a goal; a question's id is the goal's with this
// after it: "g1.target". Which of two goals that undo each other holds,
// "g1.or.g2", is asked once nothing else is open.
const (
	askTarget = ".target" // which app, which path, what to tell
	askAction = ".action" // create or delete
	askType   = ".type"   // file or folder
	askOr     = ".or."    // create or delete, where both were said
)

// Answered is a merged goal set with the answers to the questions that [Plan]
// asks about it, by their ids; merged again. Answers to anything else, and
// values that were not offered, change nothing.
func Answered(set plan.GoalSet, c *catalogue.Catalogue, answers map[string]string) plan.GoalSet {
	if len(answers) == 0 {
		return set
	}
	goals := slices.Clone(set.Goals)
	for i := range goals {
		g := &goals[i]
		fill := func(slot *string, ask string, offered ...string) {
			value := answers[goalID(*g, i)+ask]
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
	set = Merge(plan.NewGoalSet(goals, set.Deps), c)
	return Merge(settled(set, answers), c)
}

// settled drops the goals that answers gave up, and what depended on them no
// longer does.
func settled(set plan.GoalSet, answers map[string]string) plan.GoalSet {
	lost := map[string]bool{}
	for i, g := range set.Goals {
		for j, other := range set.Goals {
			switch answers[goalID(g, i)+askOr+goalID(other, j)] {
			case "":
			case actionOf(g):
				lost[goalID(other, j)] = true
			case actionOf(other):
				lost[goalID(g, i)] = true
			}
		}
	}
	if len(lost) == 0 || len(lost) == len(set.Goals) {
		return set
	}
	var goals []plan.Goal
	deps := map[string][]string{}
	for i, g := range set.Goals {
		if id := goalID(g, i); !lost[id] {
			goals = append(goals, g)
			deps[id] = slices.DeleteFunc(slices.Clone(set.Deps[id]), func(need string) bool { return lost[need] })
		}
	}
	return plan.NewGoalSet(goals, deps)
}

// typeOf is what a file goal is about: as it says, or by the look of its path.
func typeOf(g plan.Goal) string {
	if kind := plain(g.ObjectType); kind != "" {
		return kind
	}
	return kindOf(strings.TrimSpace(g.Target))
}

// actionOf is the action of a file goal under its own name.
func actionOf(g plan.Goal) string {
	action := plain(g.Action)
	if alias, ok := actionAliases[action]; ok {
		return alias
	}
	return action
}
