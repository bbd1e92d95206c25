package planning

import (
	"slices"
	"strings"

	"errand/planner/interpret"
	"errand/planner/interpret/lexicon"
	"errand/planner/plan"
)

// maxBeside is the number of words before a name that may belong to it.
const maxBeside = 3

// longerNames are the targets that goals have if words before the name belong to it, by the ids
// of the goals, the longest first: "my notes.txt" of "read my notes.txt". The words alone can't
// tell; files that are there can.
func longerNames(text string, goals []plan.Goal, evidence []interpret.Evidence) map[string][]string {
	var out map[string][]string
	for _, g := range goals {
		if !g.IsOnExisting() || g.AreFiles() {
			continue
		}
		var verb, name interpret.Evidence
		for _, e := range evidence {
			switch {
			case e.GoalID != g.GoalID:
			case e.Slot == "action":
				verb = e
			case e.Slot == "target":
				name = e
			}
		}
		if name.Words == "" || verb.End >= name.Start || !strings.HasSuffix(g.Target, name.Words) {
			continue
		}
		folder := strings.TrimSuffix(g.Target, name.Words)
		beside := text[verb.End:name.Start]
		words := strings.Fields(beside)
		if len(words) == 0 || len(words) > maxBeside || strings.ContainsAny(beside, `/\,;:"«»“”`) || beside != strings.TrimRight(beside, " ")+" " {
			continue
		}
		for i := range words {
			if out == nil {
				out = map[string][]string{}
			}
			out[g.GoalID] = append(out[g.GoalID], folder+strings.Join(words[i:], " ")+" "+name.Words)
		}
	}
	return out
}

// writtenFiles are the ids of the goals that add a text with a verb of writing, such as "write". If
// the file is not there, they create it. Verbs such as "append" need a file.
func writtenFiles(words *lexicon.Vocabulary, goals []plan.Goal, evidence []interpret.Evidence) map[string]bool {
	var out map[string]bool
	for _, e := range evidence {
		verb, _, _ := strings.Cut(e.Words, " ")
		_, writes := words.Single(lexicon.Fold(verb), lexicon.Put)
		if e.Slot != "action" || !writes || !slices.ContainsFunc(goals, func(g plan.Goal) bool { return g.GoalID == e.GoalID && g.Action == plan.AppendAction }) {
			continue
		}
		if out == nil {
			out = map[string]bool{}
		}
		out[e.GoalID] = true
	}
	return out
}
